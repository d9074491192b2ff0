use std::path::PathBuf;

use anyhow::{Context as _, bail};
use serde::Serialize;
use spawnhook::authoring::needs::{Needs, needs};
use spawnhook::config::{Component, Config, HookEntry, Profile};
use spawnhook::deployment::{component, spec};
use spawnhook_exec::visible;
use spawnhook_hooks::{
    FileKind, HookEngine, HookLimits, ImportStatus, Inspection, Rights, Snapshots,
};

use super::Verdict;
use super::arguments::InspectArguments;
use crate::cli::{ambient, stream};

pub(super) fn main(arguments: &InspectArguments) -> anyhow::Result<Verdict> {
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
    let needs = needs(&engine, &bytes, &inspection);
    engine
        .take_notices()
        .iter()
        .for_each(|notice| stream::say(notice));
    let mut report = Report::new(&source, &inspection, &needs, entry);
    if let (Some(granted), Some(entry)) = (&mut report.granted, entry) {
        // One that does not load is still looked into.
        let hook = engine.load(spec(entry, &ambient::builtins())?).ok();
        granted.settings_read = hook.map(|hook| settings_read(hook.starts_configured()));
    }
    if arguments.json {
        stream::json_line(&report)?;
    } else {
        stream::to_stdout(&report.table());
    }
    Ok(Verdict::Good)
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
    needs: Needed,
    granted: Option<Granted>,
}

/// What has to stand in the config of a deployment.
#[derive(Serialize)]
struct Needed {
    stages: Vec<&'static str>,
    profile: Option<&'static str>,
    takes_settings: bool,
    missing_settings: Vec<String>,
    obstacle: Option<String>,
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
    #[serde(flatten)]
    may: May,
    /// When the settings are read; none if the hook does not load.
    settings_read: Option<&'static str>,
}

/// Rights, in the words of a config.
#[derive(Serialize)]
pub(super) struct May {
    see_env: Vec<String>,
    set_env: Vec<String>,
    unset_env: Vec<String>,
    command: bool,
    cwd: bool,
}

impl Report {
    fn new(
        source: &Component,
        inspection: &Inspection,
        needs: &Needs,
        entry: Option<&HookEntry>,
    ) -> Self {
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
            needs: Needed::new(needs),
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
        rows.push(self.needs.rows());
        rows.push(match &self.granted {
            None => row("granted", "nothing: no hook of this deployment"),
            Some(granted) => granted.rows(),
        });
        rows.concat()
    }
}

impl Needed {
    fn new(needs: &Needs) -> Self {
        Self {
            stages: needs.stages.iter().map(|stage| stage.name()).collect(),
            profile: needs.profile.map(|profile| match profile {
                Profile::Native => "native",
                Profile::Interpreted => "interpreted",
            }),
            takes_settings: needs.takes_settings,
            missing_settings: needs.missing_settings.clone(),
            obstacle: needs.obstacle.clone(),
        }
    }

    fn rows(&self) -> String {
        if self.stages.is_empty() {
            return row("needs", "more than any deployment can grant: it is no hook");
        }
        let mut rows = row("needs", &format!("stage {}", self.stages.join(" or ")));
        match self.profile {
            Some("interpreted") => rows += &row("", "limits.profile = \"interpreted\""),
            _ => rows += &row("", "the limits that every hook has"),
        }
        if !self.takes_settings {
            rows += &row("", "no settings: it takes none");
        } else if self.missing_settings.is_empty() {
            rows += &row("", "settings as it likes; it starts without any");
        }
        for problem in &self.missing_settings {
            rows += &row("", &format!("settings: {problem}"));
        }
        if let Some(obstacle) = &self.obstacle {
            rows += &row("obstacle", obstacle);
        }
        rows + &row(
            "",
            "may: for each variable that it sees, sets or unsets, for command and cwd",
        )
    }
}

impl Granted {
    fn new(entry: &HookEntry) -> Self {
        Self {
            hook: entry.name.clone(),
            stage: entry.stage.name(),
            may: May::from(&entry.may),
            settings_read: None,
        }
    }

    fn rows(&self) -> String {
        let place = format!("as hook `{}` in stage {}", self.hook, self.stage);
        let settings = self.settings_read.unwrap_or("the hook does not load");
        let settings = format!("settings: {settings}");
        row("granted", &place) + &self.may.rows("") + &row("", &settings)
    }
}

fn settings_read(once: bool) -> &'static str {
    if once {
        "read once: calls start from a snapshot"
    } else {
        "read in every call"
    }
}

impl From<&Rights> for May {
    fn from(rights: &Rights) -> Self {
        Self {
            see_env: rights.see_env.clone(),
            set_env: rights.set_env.clone(),
            unset_env: rights.unset_env.clone(),
            command: rights.command,
            cwd: rights.cwd,
        }
    }
}

impl May {
    /// One row for each right; the label stands before the first.
    pub(super) fn rows(&self, label: &str) -> String {
        let names = |globs: &[String]| match globs {
            [] => "no variable".to_owned(),
            globs => globs.join(", "),
        };
        let yes = |may| if may { "yes" } else { "no" };
        [
            row(label, &format!("sees {}", names(&self.see_env))),
            row("", &format!("sets {}", names(&self.set_env))),
            row("", &format!("unsets {}", names(&self.unset_env))),
            row("", &format!("changes the command: {}", yes(self.command))),
            row("", &format!("changes cwd: {}", yes(self.cwd))),
        ]
        .concat()
    }
}

pub(super) fn row(label: &str, value: &str) -> String {
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
