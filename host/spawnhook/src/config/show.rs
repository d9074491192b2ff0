use std::fmt::Write;
use std::path::Path;

use spawnhook_model::valid_name;
use toml::Value;

use super::limits::{DEFAULT_TIMEOUT, MAX_TIMEOUT, seconds_text, timeout_text};
use super::provenance::Place;
use super::settings::MASK;
use super::values::{Choice, duration_text, size_text};
use super::words;
use super::{Config, HookEntry, Limits};
use crate::env_policy::Inherit;

/// A key of the config with its value; none if it is unset.
struct Line {
    key: String,
    value: Option<Value>,
}

pub(super) fn show(config: &Config) -> String {
    let mut text = String::new();
    for line in sections(config) {
        write_line(&mut text, &line, &section_comment(config, &line.key));
    }
    for hook in &config.hooks {
        let name = format!("hook.{}", hook.name);
        let place = config.provenance.place(&name);
        text.push_str(&format!(
            "\n[[hook]]  # {}\n",
            printable(&place.to_string())
        ));
        for sentence in words::of(hook) {
            text.push_str(&format!("#   {}\n", printable(&sentence)));
        }
        for line in hook_lines(hook) {
            let comment = hook_comment(config, &name, &line);
            write_line(&mut text, &line, &comment);
        }
    }
    text
}

/// Where a value came from that no hook has.
fn section_comment(config: &Config, key: &str) -> String {
    let place = config.provenance.place(key);
    let lowered = key == DEFAULT_TIMEOUT
        && config.limits.default_timeout != Limits::default().default_timeout;
    let mut comment = if lowered && place == Place::BuiltIn {
        format!("lowered with {MAX_TIMEOUT}")
    } else {
        place.to_string()
    };
    if config.provenance.lock(key).is_some() {
        comment.push_str(", locked");
    }
    comment
}

/// Where a value of a hook came from.
fn hook_comment(config: &Config, hook: &str, line: &Line) -> String {
    let place = config.provenance.place(&format!("{hook}.{}", line.key));
    match line.key.strip_prefix("limits.") {
        // No file sets it, and yet it is set.
        Some(limit) if place == Place::BuiltIn => format!("lowered with hooks.max_{limit}"),
        _ => place.to_string(),
    }
}

/// Whether `key` is a key of the config or a table of it.
pub(super) fn has_key(config: &Config, key: &str) -> bool {
    let known = |full: &str| {
        full.strip_prefix(key)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    key == "hook"
        || key == "env.set"
        || key.strip_prefix("env.set.").is_some_and(valid_name)
        || sections(config).iter().any(|line| known(&line.key))
}

fn write_line(text: &mut String, line: &Line, comment: &str) {
    let comment = printable(comment);
    let written = match &line.value {
        Some(value) => writeln!(text, "{} = {value}  # {comment}", line.key),
        None => writeln!(text, "# {} is unset  # {comment}", line.key),
    };
    written.expect("invariant: writing to a string does not fail");
}

/// A path may hold anything, a comment may not.
fn printable(comment: &str) -> String {
    comment.replace(char::is_control, "\u{fffd}")
}

fn line(key: impl Into<String>, value: impl Into<Value>) -> Line {
    Line {
        key: key.into(),
        value: Some(value.into()),
    }
}

fn optional_line(key: &str, value: Option<impl Into<Value>>) -> Line {
    Line {
        key: key.to_owned(),
        value: value.map(Into::into),
    }
}

fn count(count: u64) -> Value {
    i64::try_from(count).unwrap_or(i64::MAX).into()
}

/// Everything but the hooks.
fn sections(config: &Config) -> Vec<Line> {
    let Config {
        shell,
        limits,
        process,
        workspace,
        session,
        audit,
        hook_policy,
        ..
    } = config;
    let mut lines = vec![
        optional_line("shell.path", shell.path.as_deref().map(path)),
        line("shell.prefix", shell.prefix.as_str()),
        line(
            "limits.default_timeout",
            timeout_text(limits.default_timeout),
        ),
        line(MAX_TIMEOUT, timeout_text(limits.max_timeout)),
        line("limits.max_lines", integer(limits.output.max_lines)),
        line("limits.max_bytes", integer(limits.output.max_bytes)),
        line("limits.spill_quota", size_text(limits.spill_quota)),
        line("limits.stop_grace", duration_text(limits.stop_grace)),
        optional_line(
            "limits.leftovers",
            limits.leftovers.map(|leftovers| leftovers.name()),
        ),
        optional_line("process.cpu", process.cpu.map(seconds_text)),
        optional_line("process.memory", process.memory.map(size_text)),
        optional_line("process.file_size", process.file_size.map(size_text)),
        optional_line("process.open_files", process.open_files.map(count)),
        line("workspace.root", path(&workspace.root)),
        line("workspace.confine_cwd", workspace.confine_cwd),
        line("workspace.cwd", workspace.cwd.name()),
    ];
    lines.extend(env(config));
    lines.extend([
        line("session.expose", session.expose),
        line("session.prefix", session.prefix.as_str()),
        line("audit.path", path(&audit.path)),
        line("audit.durability", audit.durability.name()),
        optional_line("audit.rotate_size", audit.rotate_size.map(size_text)),
        optional_line("audit.rotate_age", audit.rotate_age.map(duration_text)),
        optional_line("audit.rotate_keep", audit.rotate_keep.map(count)),
        optional_line("audit.syslog", audit.syslog.as_deref().map(path)),
        line("hooks.require_pins", hook_policy.require_pins),
        optional_line("hooks.max_cpu", hook_policy.max_cpu.map(duration_text)),
        optional_line("hooks.max_wall", hook_policy.max_wall.map(duration_text)),
        optional_line("hooks.max_memory", hook_policy.max_memory.map(size_text)),
    ]);
    lines
}

fn env(config: &Config) -> Vec<Line> {
    let inherit = match &config.env.inherit {
        Inherit::Core => Value::from("core"),
        Inherit::All => Value::from("all"),
        Inherit::Globs(globs) => Value::from(globs.clone()),
    };
    let mut lines = vec![
        line("env.inherit", inherit),
        line("env.exclude", config.env.exclude.clone()),
    ];
    for (name, value) in &config.env.set {
        let masked = config.masked_env.contains(name);
        let shown = if masked { MASK } else { value };
        lines.push(line(format!("env.set.{name}"), shown));
    }
    lines
}

fn hook_lines(hook: &HookEntry) -> Vec<Line> {
    let HookEntry {
        when, may, limits, ..
    } = hook;
    let settings = Value::try_from(&hook.masked_settings)
        .expect("invariant: settings were read from TOML, so they can be written as such");
    let optional = |key: &str, value: Option<Value>| value.map(|value| line(key, value));
    let origins = Some(when.origin.clone()).filter(|origins| !origins.is_empty());
    let mut lines = vec![
        line("name", hook.name.as_str()),
        line("component", hook.component.to_string()),
        line("stage", hook.stage.name()),
        line("on_failure", hook.on_failure.name()),
        line("may.see_env", may.see_env.clone()),
        line("may.set_env", may.set_env.clone()),
        line("may.unset_env", may.unset_env.clone()),
        line("may.command", may.command),
        line("may.cwd", may.cwd),
    ];
    lines.extend(
        [
            optional("when.origin", origins.map(Value::from)),
            optional("when.command", when.command.as_deref().map(Value::from)),
            optional("sha256", hook.sha256.as_deref().map(Value::from)),
            optional(
                "limits.cpu",
                limits.cpu.map(|cpu| Value::from(duration_text(cpu))),
            ),
            optional(
                "limits.wall",
                limits.wall.map(|wall| Value::from(duration_text(wall))),
            ),
            optional(
                "limits.memory",
                limits.memory.map(|memory| Value::from(size_text(memory))),
            ),
            optional(
                "limits.profile",
                limits.profile.map(|profile| Value::from(profile.name())),
            ),
        ]
        .into_iter()
        .flatten(),
    );
    lines.push(line("settings", settings));
    lines
}

fn path(path: &Path) -> Value {
    Value::from(path.display().to_string())
}

/// A number of lines or bytes. TOML's integers end below those of the machine.
fn integer(number: usize) -> Value {
    Value::from(i64::try_from(number).unwrap_or(i64::MAX))
}
