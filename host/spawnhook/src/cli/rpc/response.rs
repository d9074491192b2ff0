//! What is written. Names and shapes of responses and of updates are those of the original.

use serde::Serialize;
use serde_json::Value;
use spawnhook::message::status;
use spawnhook::wire::ResultObject;
use spawnhook_model::{Ending, Outcome};

/// The answer to a request.
#[derive(Serialize)]
pub(super) struct Response<Data> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    r#type: &'static str,
    /// The type of the request.
    command: String,
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Data>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl<Data> Response<Data> {
    pub(super) fn success(id: Option<Value>, command: impl Into<String>, data: Data) -> Self {
        Self {
            id,
            r#type: "response",
            command: command.into(),
            success: true,
            data: Some(data),
            error: None,
        }
    }

    pub(super) fn failure(id: Option<Value>, command: impl Into<String>, error: String) -> Self {
        Self {
            id,
            r#type: "response",
            command: command.into(),
            success: false,
            data: None,
            error: Some(error),
        }
    }
}

/// What a client is told while a command runs.
#[derive(Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub(super) enum Event<'a> {
    /// Every hook has agreed, and the command is being spawned.
    #[serde(rename = "bash_execution_start")]
    Start {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: &'a Option<Value>,
        /// Names the call in every hook and record.
        call_id: &'a str,
        /// What runs, after the prefix and the hooks.
        command: &'a str,
        cwd: String,
    },
    /// Cleaned text that follows what was told before of the same stream.
    #[serde(rename = "bash_execution_update")]
    Update {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: &'a Option<Value>,
        delta: &'a str,
        stream: &'static str,
    },
    /// A hook failed, so that the command did not run.
    #[serde(rename = "extension_error")]
    ExtensionError {
        extension_path: &'a str,
        event: &'static str,
        error: String,
    },
    /// The command has ended, or was refused.
    #[serde(rename = "bash_execution_end")]
    End {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: &'a Option<Value>,
        call_id: &'a str,
        /// The object of `run --json`.
        result: &'a ResultObject,
    },
}

/// The result of a command that ran.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BashResult {
    output: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    cancelled: bool,
    /// There if its time limit has ended it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    timed_out: bool,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_output_path: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

impl BashResult {
    /// What is told of an outcome, or the error if nothing ran.
    pub(super) fn of(outcome: &Outcome, more_notices: Vec<String>) -> Result<Self, String> {
        if outcome.ending.before_spawn() {
            return Err(status(&outcome.ending).unwrap_or_default());
        }
        let full_output = outcome.output.full_output.as_ref();
        Ok(Self {
            output: outcome.output.text.clone(),
            exit_code: outcome.ending.exit_code(),
            cancelled: matches!(outcome.ending, Ending::Cancelled { .. }),
            timed_out: matches!(outcome.ending, Ending::TimedOut { .. }),
            truncated: outcome.output.truncation.is_some(),
            full_output_path: full_output.map(|path| path.display().to_string()),
            notices: [outcome.notices.clone(), more_notices].concat(),
        })
    }
}
