use std::path::PathBuf;

use anyhow::{Context as _, bail};
use serde::Serialize;
use spawnhook::config::{Component, Config, HookEntry};
use spawnhook::deployment::{component, spec};
use spawnhook_exec::visible;
use spawnhook_hooks::{FileKind, HookEngine, HookLimits, ImportStatus, Inspection, Snapshots};

use super::args::{InspectArguments, PluginCommand};
use super::{ambient, stream};

pub(crate) fn main(command: PluginCommand) -> anyhow::Result<()> {
    let PluginCommand::Inspect(arguments) = command;
    inspect(&arguments)
}

fn inspect(arguments: &InspectArguments) -> anyhow::Result<()> {
    let config = ambient::config(&arguments.config)?;
    let (source, entry) = find(&arguments.component, &config);
    let most = HookLimits::interpreted().component_bytes;
    let bytes = component(&arguments.component, &source, &ambient::builtins(), most)?;
    if bytes.len() as u64 > most {
        bail!("{source}: larger than the {most} bytes that a component may have at most");
    }
    let engine = HookEngine::with(ambient::engine(Snapshots::IfKept)?)?;
    let inspection = engine
        .inspect(&bytes)
        .with_context(|| format!("cannot look into {source}"))?;
    engine
        .take_notices()
        .iter()
        .for_each(|notice| stream::say(notice));
    let mut report = Report::new(&source, &inspection, entry);
    if let (Some(granted), Some(entry)) = (&mut report.granted, entry) {
        // One that does not load is still looked into.
        let hook = engine.load(spec(entry, &ambient::builtins())?).ok();
        granted.settings_read = hook.map(|hook| settings_read(hook.starts_configured()));
    }
    if arguments.json {
        Ok(stream::json_line(&report)?)
    } else {
        stream::to_stdout(&report.table());
        Ok(())
    }
}

/// A hook of the deployment by its name, a first-party component, or a file.
fn find<'a>(text: &str, config: &'a Config) -> (Component, Option<&'a HookEntry>) {
    if let Some(entry) = config.hooks.iter().find(|hook| hook.name == text) {
        return (entry.component.clone(), Some(entry));
    }
    let source = match text.strip_prefix("builtin:") {
        Some(name) => Component::Builtin(name.to_owned()),
        None => Component::File(PathBuf::from(text)),
    };
    let entry = config.hooks.iter().find(|hook| hook.component == source);
    (source, entry)
}

#[derive(Serialize)]
struct Report {
    component: String,
    kind: &'static str,
    sha256: String,
    size_bytes: u64,
    worlds: Vec<&'static str>,
    exports: Vec<String>,
    imports: Vec<Import>,
    granted: Option<Granted>,
}

#[derive(Serialize)]
struct Import {
    name: String,
    functions: Vec<String>,
    status: &'static str,
}

/// What the deployment grants the hook; none for a component that is no hook of it.
#[derive(Serialize)]
struct Granted {
    hook: String,
    stage: &'static str,
    see_env: Vec<String>,
    set_env: Vec<String>,
    unset_env: Vec<String>,
    command: bool,
    cwd: bool,
    /// When the settings are read; none if the hook does not load.
    settings_read: Option<&'static str>,
}

impl Report {
    fn new(source: &Component, inspection: &Inspection, entry: Option<&HookEntry>) -> Self {
        let imports = inspection.imports.iter().map(|import| Import {
            name: import.name.clone(),
            functions: import.functions.clone(),
            status: status(import.status),
        });
        Self {
            component: source.to_string(),
            kind: kind(inspection.kind),
            sha256: inspection.sha256.clone(),
            size_bytes: inspection.size_bytes,
            worlds: inspection.worlds.clone(),
            exports: inspection.exports.clone(),
            imports: imports.collect(),
            granted: entry.map(Granted::new),
        }
    }

    /// Names come from a stranger's file.
    fn table(&self) -> String {
        let worlds = match self.worlds.as_slice() {
            [] => "none of spawnhook:hook".to_owned(),
            worlds => worlds.join(", "),
        };
        let mut rows = vec![
            row("component", &self.component),
            row("kind", self.kind),
            row("sha256", &self.sha256),
            row("size", &format!("{} bytes", self.size_bytes)),
            row("worlds", &worlds),
        ];
        rows.extend(self.exports.iter().map(|name| row("exports", name)));
        for import in &self.imports {
            rows.push(row(
                "imports",
                &format!("{} ({})", import.name, import.status),
            ));
            let functions = import.functions.iter();
            rows.extend(functions.map(|function| row("", &format!("  {function}"))));
        }
        match &self.granted {
            None => rows.push(row("granted", "nothing: no hook of this deployment")),
            Some(granted) => rows.extend(granted.rows()),
        }
        rows.concat()
    }
}

impl Granted {
    fn new(entry: &HookEntry) -> Self {
        let may = &entry.may;
        Self {
            hook: entry.name.clone(),
            stage: entry.stage.name(),
            see_env: may.see_env.clone(),
            set_env: may.set_env.clone(),
            unset_env: may.unset_env.clone(),
            command: may.command,
            cwd: may.cwd,
            settings_read: None,
        }
    }

    fn rows(&self) -> Vec<String> {
        let names = |globs: &[String]| match globs {
            [] => "no variable".to_owned(),
            globs => globs.join(", "),
        };
        let yes = |may| if may { "yes" } else { "no" };
        vec![
            row(
                "granted",
                &format!("as hook `{}` in stage {}", self.hook, self.stage),
            ),
            row("  sees", &names(&self.see_env)),
            row("  sets", &names(&self.set_env)),
            row("  unsets", &names(&self.unset_env)),
            row("  command", yes(self.command)),
            row("  cwd", yes(self.cwd)),
            row(
                "  settings",
                self.settings_read.unwrap_or("the hook does not load"),
            ),
        ]
    }
}

fn settings_read(once: bool) -> &'static str {
    if once {
        "read once: calls start from a snapshot"
    } else {
        "read in every call"
    }
}

fn row(label: &str, value: &str) -> String {
    format!("{label:<10} {}\n", visible(value))
}

fn kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Component => "component",
        FileKind::CoreModule => "core module: no hook, a component has to be made from it",
        FileKind::Precompiled => "precompiled machine code: no hook, only WebAssembly is loaded",
        FileKind::Other => "not WebAssembly",
    }
}

fn status(status: ImportStatus) -> &'static str {
    match status {
        ImportStatus::Offered => "offered",
        ImportStatus::Powerless => "offered, with nothing behind it",
        ImportStatus::NeedsStageAudit => "offered in stage audit",
        ImportStatus::Refused => "refused: nobody offers it",
    }
}
