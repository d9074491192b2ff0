use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use serde::Serialize;
use serde_json::Value;
use spawnhook::authoring::{Decision, Input, Observation, Setup, Workbench, difference};
use spawnhook::config::{Component, Profile};
use spawnhook::deployment::component;
use spawnhook_exec::visible;
use spawnhook_hooks::{HookEngine, HookLimits, Rights, Snapshots};
use spawnhook_model::{Env, SpawnContext, Stage};

use super::arguments::RunArguments;
use super::{Verdict, inspect};
use crate::cli::ambient::NO_CURRENT_DIRECTORY;
use crate::cli::{ambient, run, stream};

pub(super) fn main(arguments: RunArguments) -> anyhow::Result<Verdict> {
    let as_json = arguments.json;
    let engine = HookEngine::with(ambient::engine(Snapshots::Never)?)?;
    let setup = setup(&arguments, &engine)?;
    let input = input(arguments)?;
    let bench = Workbench::new(&engine, &setup, &ambient::builtins())?;
    let observation = bench.call(&input);
    let report = Report::new(&setup, &input.spawn, &observation);
    if as_json {
        stream::json_line(&report)?;
    } else {
        stream::to_stdout(&report.table(&input.spawn, &observation));
    }
    Ok(match observation.decision {
        Decision::Failed(_) => Verdict::NotGood,
        _ => Verdict::Good,
    })
}

fn setup(arguments: &RunArguments, engine: &HookEngine) -> anyhow::Result<Setup> {
    let source = match arguments.component.strip_prefix("builtin:") {
        Some(name) => Component::Builtin(name.to_owned()),
        None => Component::File(PathBuf::from(&arguments.component)),
    };
    let stage = match arguments.stage {
        Some(stage) => stage,
        None => default_stage(&source, engine)?,
    };
    let mut setup = Setup::with_every_right(source, stage);
    let rights = Rights {
        see_env: arguments.may_see_env.clone(),
        set_env: arguments.may_set_env.clone(),
        unset_env: arguments.may_unset_env.clone(),
        command: arguments.may_command,
        cwd: arguments.may_cwd,
    };
    if rights != Rights::default() {
        setup.rights = rights;
    }
    if arguments.interpreted {
        setup.limits.profile = Some(Profile::Interpreted);
    }
    if let Some(text) = &arguments.settings {
        setup.settings = settings(text)?;
    }
    Ok(setup)
}

fn default_stage(source: &Component, engine: &HookEngine) -> anyhow::Result<Stage> {
    let most = HookLimits::interpreted().component_bytes;
    let bytes = component(&source.to_string(), source, &ambient::builtins(), most)?;
    let inspection = engine.inspect(&bytes)?;
    let audits = inspection.worlds == ["audit-plugin"];
    Ok(if audits { Stage::Audit } else { Stage::Rewrite })
}

/// The settings themselves, or those in a file.
fn settings(text: &str) -> anyhow::Result<Value> {
    let (json, place) = if text.trim_start().starts_with('{') {
        (text.to_owned(), "--settings".to_owned())
    } else {
        let json = fs::read_to_string(text)
            .with_context(|| format!("--settings {text}: neither a JSON object nor a file"))?;
        (json, text.to_owned())
    };
    let value: Value = serde_json::from_str(&json).with_context(|| format!("{place}: no JSON"))?;
    if !value.is_object() {
        bail!("{place}: expected a JSON object");
    }
    Ok(value)
}

fn input(arguments: RunArguments) -> anyhow::Result<Input> {
    let current = std::env::current_dir().context(NO_CURRENT_DIRECTORY)?;
    let cwd = arguments
        .cwd
        .map_or(current.clone(), |cwd| current.join(cwd));
    let given = run::variables(&arguments.env)?.into_iter();
    let env: Env = given
        .filter_map(|(name, value): (OsString, Option<OsString>)| Some((name, value?)))
        .collect();
    Ok(Input::new(run::command(arguments.words)?, cwd, env))
}

#[derive(Serialize)]
struct Report {
    component: String,
    stage: &'static str,
    may: inspect::May,
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Changed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entries: Vec<String>,
    log: String,
    notices: Vec<String>,
    instantiate_micros: u128,
    call_micros: u128,
    memory_bytes: u64,
}

/// What the hook returned, where it differs.
#[derive(Serialize)]
struct Changed {
    command: String,
    cwd: String,
    /// The variables that were set, and as null those that were unset.
    env: BTreeMap<String, Option<String>>,
}

impl Changed {
    fn new(before: &SpawnContext, after: &SpawnContext) -> Self {
        let text = |text: &std::ffi::OsStr| text.to_string_lossy().into_owned();
        let set = after
            .env
            .iter()
            .filter(|(name, value)| before.env.get(name) != Some(*value))
            .map(|(name, value)| (text(name), Some(text(value))));
        let unset = before
            .env
            .names()
            .filter(|name| after.env.get(name).is_none())
            .map(|name| (text(name), None));
        Self {
            command: after.command.clone(),
            cwd: after.cwd.display().to_string(),
            env: set.chain(unset).collect(),
        }
    }
}

impl Report {
    fn new(setup: &Setup, before: &SpawnContext, observation: &Observation) -> Self {
        let trial = &observation.trial;
        Self {
            component: setup.component.to_string(),
            stage: setup.stage.name(),
            may: inspect::May::from(&setup.rights),
            decision: observation.decision.name(),
            text: observation.decision.text(),
            changed: match &observation.decision {
                Decision::Changed(after) => Some(Changed::new(before, after)),
                _ => None,
            },
            entries: observation.entries.clone(),
            log: trial.log.clone(),
            notices: trial.report.notices.clone(),
            instantiate_micros: trial.instantiate.as_micros(),
            call_micros: trial.call.as_micros(),
            memory_bytes: trial.memory_bytes,
        }
    }

    fn table(&self, before: &SpawnContext, observation: &Observation) -> String {
        let mut text = inspect::row(
            "hook",
            &format!("{} in stage {}", self.component, self.stage),
        );
        text += &self.may.rows("may");
        text += &inspect::row("decision", self.decision);
        if let Some(said) = &self.text {
            text += &inspect::row("", said);
        }
        if let Decision::Changed(after) = &observation.decision {
            text += &block(&difference(before, after));
        }
        for entry in &self.entries {
            text += &inspect::row("recorded", entry);
        }
        if !self.log.is_empty() {
            text += "log\n";
            for line in self.log.lines() {
                text += &inspect::row("", line);
            }
        }
        for notice in &self.notices {
            text += &inspect::row("notice", notice);
        }
        text += &inspect::row(
            "time",
            &format!(
                "{} µs to instantiate, {} µs to call",
                self.instantiate_micros, self.call_micros
            ),
        );
        text + &inspect::row(
            "memory",
            &format!("{} KiB at most", self.memory_bytes >> 10),
        )
    }
}

/// Lines behind the column of labels.
fn block(lines: &str) -> String {
    let lines = lines.lines();
    lines
        .map(|line| format!("{:<10} {}\n", "", visible(line)))
        .collect()
}
