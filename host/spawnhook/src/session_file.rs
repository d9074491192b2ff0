//! What a user ran by hand in an agent's session: kept in a file of JSON Lines, in the form that
//! the agent's conversations have it, and told to its model from there.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use spawnhook_model::{Ending, Outcome};

mod context;

pub use context::{ContextError, Conversation, text_for_model};

/// One command that a user ran, as a message of the conversation. Field names are those of the
/// original.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BashExecution {
    role: Role,
    /// The command as it was asked for.
    pub command: String,
    /// What it wrote, within the limits.
    pub output: String,
    /// None unless it ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// The time limit in seconds, if it ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timed_out_after: Option<f64>,
    /// Whether [`Self::output`] is the end of more.
    pub truncated: bool,
    /// The file with all of it, if one was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_output_path: Option<String>,
    /// When it ended: milliseconds of Unix time.
    pub timestamp: u64,
    /// Whether no model is told of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exclude_from_context: bool,
}

/// The one role of a [`BashExecution`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Role {
    #[serde(rename = "bashExecution")]
    BashExecution,
}

impl BashExecution {
    /// What is kept of an outcome; none if nothing ran.
    pub fn of(outcome: &Outcome, exclude_from_context: bool) -> Option<Self> {
        if outcome.ending.before_spawn() {
            return None;
        }
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        let full_output = outcome.output.full_output.as_ref();
        Some(Self {
            role: Role::BashExecution,
            command: outcome.call.requested.clone(),
            output: outcome.output.text.clone(),
            exit_code: outcome.ending.exit_code(),
            cancelled: matches!(outcome.ending, Ending::Cancelled { .. }),
            timed_out_after: match &outcome.ending {
                Ending::TimedOut { after, .. } => Some(after.seconds()),
                _ => None,
            },
            truncated: outcome.output.truncation.is_some(),
            full_output_path: full_output.map(|path| path.display().to_string()),
            timestamp: since_1970.map_or(0, |since| {
                u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
            }),
            exclude_from_context,
        })
    }
}

/// A file that executions are appended to.
#[derive(Debug)]
pub struct SessionFile {
    path: PathBuf,
    file: Mutex<File>,
}

/// Why an execution cannot be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SessionFileError {
    /// The file cannot be made or opened.
    #[error("cannot open the session file {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file does not take it.
    #[error("cannot write to the session file {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl SessionFile {
    /// Opens a file, which is made with mode 0600 if it is missing.
    ///
    /// # Errors
    ///
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, SessionFileError> {
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).mode(0o600).open(path);
        let file = file.map_err(|source| SessionFileError::Open {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
        })
    }

    /// Appends an execution. Blocks while the disk does.
    ///
    /// # Errors
    ///
    /// If the file does not take it.
    pub fn append(&self, execution: &BashExecution) -> Result<(), SessionFileError> {
        let mut line = serde_json::to_vec(execution).expect("invariant: it is plain data");
        line.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line)
            .map_err(|source| SessionFileError::Write {
                path: self.path.clone(),
                source,
            })
    }
}

#[cfg(test)]
mod tests;
