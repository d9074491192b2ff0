//! The JSON objects that `--json` and `--events` print: a contract of their own, apart from the
//! types of the library.

use serde::Serialize;
use spawnhook_model::{AuditHead, Excerpt, HookReport, Leftover, Outcome, Streams, Truncation};

use crate::message::message;

/// One result. Printed whatever happens, so that a caller never parses anything else.
#[derive(Debug, Default, Serialize)]
pub struct ResultObject {
    id: Option<String>,
    ending: &'static str,
    exit_code: Option<i32>,
    is_error: bool,
    output: String,
    truncated: bool,
    full_output_path: Option<String>,
    wall_time_seconds: f64,
    message: String,
    truncation: Option<TruncationObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    streams: Option<StreamsObject>,
    requested: Option<String>,
    command: Option<String>,
    cwd: Option<String>,
    env_removed: Vec<String>,
    hooks: Vec<HookObject>,
    leftovers: Vec<LeftoverObject>,
    audit: Option<AuditObject>,
    notices: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TruncationObject {
    by: &'static str,
    total_lines: u64,
    total_bytes: u64,
    shown_lines: u64,
    shown_bytes: u64,
    first_line: u64,
    last_line_partial: bool,
}

#[derive(Debug, Serialize)]
struct StreamsObject {
    stdout: StreamObject,
    stderr: StreamObject,
}

#[derive(Debug, Serialize)]
struct StreamObject {
    output: String,
    truncation: Option<TruncationObject>,
}

#[derive(Debug, Serialize)]
struct HookObject {
    name: String,
    stage: &'static str,
    micros: u64,
    result: &'static str,
    changed: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureObject>,
}

#[derive(Debug, Serialize)]
struct FailureObject {
    class: &'static str,
    message: String,
}

#[derive(Debug, Serialize)]
struct LeftoverObject {
    pid: u32,
    command: String,
}

#[derive(Debug, Serialize)]
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
            wall_time_seconds: (outcome.took.as_secs_f64() * 10.0).round() / 10.0,
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

impl ResultObject {
    /// A result without an outcome: nothing ran.
    pub fn without_outcome(why: NoOutcome, message: String) -> Self {
        Self {
            ending: match why {
                NoOutcome::Invalid => "invalid",
                NoOutcome::HostFailed => "host-failed",
            },
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
