//! The JSON objects that `--json` and `--events` print and that servers answer with: a contract of
//! their own, apart from the types of the library.

use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use spawnhook_model::{
    AuditHead, Call, Excerpt, HookReport, Leftover, Outcome, SpawnContext, Streams, Truncation,
};

use crate::message::message;

/// One result. Printed whatever happens, so that a caller never parses anything else.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct ResultObject {
    /// Names the call in every hook and record; null if nothing was accepted.
    id: Option<String>,
    /// How it ended: exited, signaled, timed-out, cancelled, denied, hook-failed, spawn-failed,
    /// invalid or host-failed; of servers also running.
    ending: &'static str,
    /// Of the command itself, 128 + N for signal N; null unless it ended by itself.
    exit_code: Option<i32>,
    is_error: bool,
    /// The end of what the command wrote, without control characters.
    output: String,
    truncated: bool,
    /// The file with all that the command wrote, if one was kept.
    full_output_path: Option<String>,
    wall_time_seconds: f64,
    /// The text for a model.
    message: String,
    /// What was cut from the output; null if nothing was.
    truncation: Option<TruncationObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    streams: Option<StreamsObject>,
    /// The command as it was asked for.
    requested: Option<String>,
    /// The command that ran, after the prefix and the hooks.
    command: Option<String>,
    cwd: Option<String>,
    /// The names of the variables that the environment policy kept from the command.
    env_removed: Vec<String>,
    hooks: Vec<HookObject>,
    /// Processes that were still alive after the command had ended.
    leftovers: Vec<LeftoverObject>,
    /// The last record of the call in the audit log.
    audit: Option<AuditObject>,
    notices: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TruncationObject {
    by: &'static str,
    total_lines: u64,
    total_bytes: u64,
    shown_lines: u64,
    shown_bytes: u64,
    first_line: u64,
    last_line_partial: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct StreamsObject {
    stdout: StreamObject,
    stderr: StreamObject,
}

#[derive(Debug, Serialize, JsonSchema)]
struct StreamObject {
    output: String,
    truncation: Option<TruncationObject>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct HookObject {
    name: String,
    stage: &'static str,
    micros: u64,
    result: &'static str,
    changed: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureObject>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FailureObject {
    class: &'static str,
    message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct LeftoverObject {
    pid: u32,
    command: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct AuditObject {
    seq: u64,
    hash: String,
}

/// Why there is no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOutcome {
    /// The request or the command line was not accepted.
    Invalid,
    /// The host could not do its job: its config, a hook that does not load, a lost call.
    HostFailed,
}

impl From<&Outcome> for ResultObject {
    fn from(outcome: &Outcome) -> Self {
        let output = &outcome.output;
        let full_output = output.full_output.as_ref();
        Self {
            id: Some(outcome.call.id.clone()),
            ending: outcome.ending.name(),
            exit_code: outcome.ending.exit_code(),
            is_error: outcome.ending.is_error(),
            output: output.text.clone(),
            truncated: output.truncation.is_some(),
            full_output_path: full_output.map(|path| path.display().to_string()),
            wall_time_seconds: tenths(outcome.took),
            message: message(outcome),
            truncation: output.truncation.map(TruncationObject::from),
            streams: output.streams.as_ref().map(StreamsObject::from),
            requested: Some(outcome.call.requested.clone()),
            command: Some(outcome.command.clone()),
            cwd: Some(outcome.cwd.display().to_string()),
            env_removed: outcome.env_removed.clone(),
            hooks: outcome.hooks.iter().map(HookObject::from).collect(),
            leftovers: outcome.leftovers.iter().map(LeftoverObject::from).collect(),
            audit: outcome.audit.clone().map(AuditObject::from),
            notices: outcome.notices.clone(),
        }
    }
}

/// What is known of a command that has not ended.
#[derive(Debug)]
pub struct Running {
    /// What runs, once every hook has agreed.
    pub spawned: Option<(Arc<Call>, Arc<SpawnContext>)>,
    /// The end of what it has written.
    pub output: String,
    /// Since it was asked for.
    pub took: Duration,
    /// The text for a model.
    pub message: String,
}

impl NoOutcome {
    /// The name that results use in the place of an ending.
    pub fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::HostFailed => "host-failed",
        }
    }
}

impl ResultObject {
    /// The result so far of a command that has not ended.
    pub fn running(running: Running) -> Self {
        let call = running.spawned.as_ref().map(|(call, _)| call);
        let spawn = running.spawned.as_ref().map(|(_, spawn)| spawn);
        Self {
            id: call.map(|call| call.id.clone()),
            ending: "running",
            output: running.output,
            wall_time_seconds: tenths(running.took),
            message: running.message,
            requested: call.map(|call| call.requested.clone()),
            command: spawn.map(|spawn| spawn.command.clone()),
            cwd: spawn.map(|spawn| spawn.cwd.display().to_string()),
            ..Self::default()
        }
    }

    /// Whether the command failed, or nothing ran.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// A result without an outcome: nothing ran.
    pub fn without_outcome(why: NoOutcome, message: String) -> Self {
        Self {
            ending: why.name(),
            is_error: true,
            message,
            ..Self::default()
        }
    }
}

impl From<&Streams> for StreamsObject {
    fn from(streams: &Streams) -> Self {
        let stream = |tail: &Excerpt| StreamObject {
            output: tail.text.clone(),
            truncation: tail.truncation.map(TruncationObject::from),
        };
        Self {
            stdout: stream(&streams.stdout),
            stderr: stream(&streams.stderr),
        }
    }
}

impl From<Truncation> for TruncationObject {
    fn from(cut: Truncation) -> Self {
        Self {
            by: cut.by.name(),
            total_lines: cut.total_lines,
            total_bytes: cut.total_bytes,
            shown_lines: cut.shown_lines,
            shown_bytes: cut.shown_bytes,
            first_line: cut.first_line,
            last_line_partial: cut.last_line_partial,
        }
    }
}

impl From<&HookReport> for HookObject {
    fn from(report: &HookReport) -> Self {
        use spawnhook_model::HookResult::{Failed, Skipped};
        Self {
            name: report.name.clone(),
            stage: report.stage.name(),
            micros: u64::try_from(report.took.as_micros()).unwrap_or(u64::MAX),
            result: report.result.name(),
            changed: report.changed.iter().map(|field| field.name()).collect(),
            failure: match &report.result {
                Failed(failure) | Skipped(failure) => Some(FailureObject {
                    class: failure.class.name(),
                    message: failure.message.clone(),
                }),
                _ => None,
            },
        }
    }
}

impl From<&Leftover> for LeftoverObject {
    fn from(leftover: &Leftover) -> Self {
        Self {
            pid: leftover.pid,
            command: leftover.command.clone(),
        }
    }
}

impl From<AuditHead> for AuditObject {
    fn from(head: AuditHead) -> Self {
        Self {
            seq: head.seq,
            hash: head.hash,
        }
    }
}

/// Seconds, with one decimal.
fn tenths(took: Duration) -> f64 {
    (took.as_secs_f64() * 10.0).round() / 10.0
}
