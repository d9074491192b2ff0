use std::sync::Mutex;

use spawnhook_hooks::AuditLog;
use spawnhook_model::{AuditHead, Ending};

use super::file::{AppendError, AuditFile};
use super::record::{Record, SkippedHook};
use crate::causes::one_line;

/// What the records of one phase of a call have in common.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) call: String,
    pub(crate) event: &'static str,
    pub(crate) ending: Option<&'static str>,
    pub(crate) command_sha256: String,
    pub(crate) skipped: Vec<SkippedHook>,
}

impl Phase {
    /// The records before the spawn.
    pub(crate) fn spawn(call: String, command_sha256: String, skipped: Vec<SkippedHook>) -> Self {
        Self {
            call,
            event: "spawn",
            ending: None,
            command_sha256,
            skipped,
        }
    }

    /// The records after the command ended or was refused.
    pub(crate) fn exit(
        call: String,
        command_sha256: String,
        skipped: Vec<SkippedHook>,
        ending: &Ending,
    ) -> Self {
        Self {
            call,
            event: if ending.before_spawn() {
                "refused"
            } else {
                "exit"
            },
            ending: Some(ending.name()),
            command_sha256,
            skipped,
        }
    }
}

/// The audit log as the hooks of one phase of a call see it.
pub(crate) struct CallAudit {
    file: Option<AuditFile>,
    phase: Phase,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    head: Option<AuditHead>,
    recorded: Vec<String>,
}

impl CallAudit {
    pub(crate) fn new(file: Option<AuditFile>, phase: Phase) -> Self {
        Self {
            file,
            phase,
            state: Mutex::default(),
        }
    }

    /// Writes the record that `hook` owes and did not write.
    pub(crate) fn record_in_place_of(&self, hook: &str) -> Result<(), String> {
        self.write(hook, None)
    }

    /// Whether `hook` has written its record.
    pub(crate) fn has_recorded(&self, hook: &str) -> bool {
        self.state().recorded.iter().any(|name| name == hook)
    }

    /// The last record that was written.
    pub(crate) fn head(&self) -> Option<AuditHead> {
        self.state().head.clone()
    }

    fn write(&self, hook: &str, entry: Option<serde_json::Value>) -> Result<(), String> {
        let record = self.record(hook, entry);
        let appended = self.file.as_ref().map(|file| file.append(&record));
        self.note(hook, appended)
    }

    fn record(&self, hook: &str, entry: Option<serde_json::Value>) -> Record {
        Record {
            call: self.phase.call.clone(),
            event: self.phase.event,
            ending: self.phase.ending,
            command_sha256: self.phase.command_sha256.clone(),
            hook: hook.to_owned(),
            skipped: self.phase.skipped.clone(),
            entry,
        }
    }

    /// Keeps what came of appending; none where no log is kept.
    fn note(
        &self,
        hook: &str,
        appended: Option<Result<AuditHead, AppendError>>,
    ) -> Result<(), String> {
        let head = appended.transpose().map_err(|error| one_line(&error))?;
        let mut state = self.state();
        state.head = head.or(state.head.take());
        state.recorded.push(hook.to_owned());
        Ok(())
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no holder of the state of a call's audit panics")
    }
}

impl AuditLog for CallAudit {
    fn append(&self, hook: &str, entry: &str) -> Result<(), String> {
        self.write(hook, Some(object(entry)?))
    }

    fn append_at_once(&self, hook: &str, entry: &str) -> Option<Result<(), String>> {
        let record = match object(entry) {
            Ok(entry) => self.record(hook, Some(entry)),
            Err(problem) => return Some(Err(problem)),
        };
        let appended = match &self.file {
            Some(file) => Some(file.append_at_once(&record)?),
            None => None,
        };
        Some(self.note(hook, appended))
    }
}

fn object(entry: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(entry).map_err(|error| format!("the entry is not a JSON object: {error}"))
}
