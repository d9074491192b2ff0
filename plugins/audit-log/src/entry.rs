//! The two entries of a call, as texts that stay below the size of an entry whatever the command.

use std::collections::BTreeMap;

use serde::Serialize;
use spawnhook_sdk::{ExitStatus, SpawnContext, audit_log::ENTRY_BYTES};

use crate::{
    excerpt::{Excerpt, excerpt},
    list,
    options::Options,
};

/// What each part of an entry may take as JSON, in bytes.
mod budget {
    pub(super) const REQUESTED: usize = 12 * 1024;
    pub(super) const COMMAND: usize = 16 * 1024;
    pub(super) const PATH: usize = 4 * 1024;
    pub(super) const ORIGIN: usize = 256;
    pub(super) const FACT: usize = 512;
    pub(super) const ENV_NAMES: usize = 8 * 1024;
    pub(super) const ENV: usize = 6 * 1024;
    pub(super) const ENV_VALUE: usize = 2 * 1024;
    pub(super) const REASON: usize = 4 * 1024;
}

// What is left is for the names of members, numbers and punctuation.
const _: () = assert!(
    budget::REQUESTED
        + budget::COMMAND
        + 2 * budget::PATH
        + budget::ORIGIN
        + 5 * budget::FACT
        + budget::ENV_NAMES
        + budget::ENV
        + budget::REASON
        + 2 * 1024
        < ENTRY_BYTES
);

/// What the host tells of a call.
pub(crate) struct Call {
    pub(crate) requested: String,
    pub(crate) workspace: String,
    pub(crate) origin: String,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) env_names: Vec<String>,
    /// The known facts by their names.
    pub(crate) session: Vec<(&'static str, String)>,
}

/// What the host measured of a call that has ended.
#[derive(Serialize)]
pub(crate) struct Exit {
    pub(crate) duration_ms: u64,
    pub(crate) output_bytes: Option<u64>,
    pub(crate) output_lines: Option<u64>,
    pub(crate) truncated: bool,
    pub(crate) leftover_processes: u32,
}

#[derive(Serialize)]
struct SpawnEntry {
    #[serde(flatten)]
    command: Command,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    left_out: LeftOut,
}

#[derive(Serialize)]
struct ExitEntry<'a> {
    status: Status,
    #[serde(flatten)]
    exit: &'a Exit,
    #[serde(flatten)]
    command: Option<Command>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    left_out: LeftOut,
}

#[derive(Serialize)]
struct Command {
    requested: String,
    command: String,
    cwd: String,
    workspace: String,
    origin: String,
    timeout_ms: Option<u64>,
    env_names: Vec<String>,
    env: BTreeMap<String, String>,
    session: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Status {
    Exited { code: i32 },
    Signaled { signal: i32 },
    TimedOut { code: Option<i32> },
    Cancelled { code: Option<i32> },
    Denied { reason: String },
    HookFailed { reason: String },
    SpawnFailed { reason: String },
}

/// How many bytes or items are missing, by what they are missing of.
type LeftOut = BTreeMap<&'static str, usize>;

/// The entry before the spawn: the text of a JSON object.
pub(crate) fn spawn_entry(spawn: &SpawnContext, call: Call, options: &Options) -> String {
    let mut cutter = Cutter::new(options);
    let command = command(spawn, call, &mut cutter);
    text(&SpawnEntry {
        command,
        left_out: cutter.left_out,
    })
}

/// The entry after the exit: the text of a JSON object. That of a command that was not spawned says
/// what a spawn entry says too, since no such entry was written for it.
pub(crate) fn exit_entry(
    spawn: &SpawnContext,
    status: &ExitStatus,
    exit: &Exit,
    call: impl FnOnce() -> Call,
    options: &Options,
) -> String {
    let mut cutter = Cutter::new(options);
    let spawned = !matches!(
        status,
        ExitStatus::Denied(_) | ExitStatus::HookFailed(_) | ExitStatus::SpawnFailed(_)
    );
    let status = self::status(status, &mut cutter);
    let command = (!spawned).then(|| command(spawn, call(), &mut cutter));
    text(&ExitEntry {
        status,
        exit,
        command,
        left_out: cutter.left_out,
    })
}

fn text(entry: &impl Serialize) -> String {
    serde_json::to_string(entry).expect("invariant: the keys of an entry are strings")
}

fn command(spawn: &SpawnContext, call: Call, cutter: &mut Cutter<'_>) -> Command {
    Command {
        requested: cutter.text("requested_bytes", &call.requested, budget::REQUESTED),
        command: cutter.text("command_bytes", &spawn.command, budget::COMMAND),
        cwd: cutter.text("cwd_bytes", &spawn.cwd, budget::PATH),
        workspace: cutter.text("workspace_bytes", &call.workspace, budget::PATH),
        origin: cutter.text("origin_bytes", &call.origin, budget::ORIGIN),
        timeout_ms: call.timeout_ms,
        env_names: cutter.list("env_names", call.env_names, budget::ENV_NAMES, |name| {
            vec![name.as_str()]
        }),
        env: env(spawn, cutter),
        session: call
            .session
            .into_iter()
            .map(|(fact, value)| (fact, cutter.text("session_bytes", &value, budget::FACT)))
            .collect(),
    }
}

/// The variables that the settings name and the hook sees.
fn env(spawn: &SpawnContext, cutter: &mut Cutter<'_>) -> BTreeMap<String, String> {
    let named = cutter.options.env_values.iter();
    let seen: BTreeMap<&String, &str> = named
        .filter_map(|name| Some((name, spawn.env(name)?)))
        .collect();
    let cut = |(name, value): (&String, &str)| {
        (
            name.clone(),
            cutter.text("env_bytes", value, budget::ENV_VALUE),
        )
    };
    let variables: Vec<(String, String)> = seen.into_iter().map(cut).collect();
    let kept = cutter.list("env", variables, budget::ENV, |(name, value)| {
        vec![name, value]
    });
    kept.into_iter().collect()
}

fn status(status: &ExitStatus, cutter: &mut Cutter<'_>) -> Status {
    let mut reason = |text: &str| cutter.text("reason_bytes", text, budget::REASON);
    match status {
        ExitStatus::Exited(code) => Status::Exited { code: *code },
        ExitStatus::Signaled(signal) => Status::Signaled { signal: *signal },
        ExitStatus::TimedOut(code) => Status::TimedOut { code: *code },
        ExitStatus::Cancelled(code) => Status::Cancelled { code: *code },
        ExitStatus::Denied(text) => Status::Denied {
            reason: reason(text),
        },
        ExitStatus::HookFailed(text) => Status::HookFailed {
            reason: reason(text),
        },
        ExitStatus::SpawnFailed(text) => Status::SpawnFailed {
            reason: reason(text),
        },
    }
}

/// Masks and cuts what goes into an entry, and counts what it leaves out.
struct Cutter<'a> {
    options: &'a Options,
    left_out: LeftOut,
}

impl<'a> Cutter<'a> {
    fn new(options: &'a Options) -> Self {
        Self {
            options,
            left_out: LeftOut::new(),
        }
    }

    fn text(&mut self, what: &'static str, text: &str, budget: usize) -> String {
        let Excerpt { text, left_out } = excerpt(text, budget, |text| self.options.secrets(text));
        self.count(what, left_out);
        text
    }

    fn list<T>(
        &mut self,
        what: &'static str,
        items: Vec<T>,
        budget: usize,
        texts: impl Fn(&T) -> Vec<&str>,
    ) -> Vec<T> {
        let (kept, left_out) = list::keep(items, budget, texts);
        self.count(what, left_out);
        kept
    }

    fn count(&mut self, what: &'static str, left_out: usize) {
        if left_out > 0 {
            *self.left_out.entry(what).or_default() += left_out;
        }
    }
}

#[cfg(test)]
mod tests;
