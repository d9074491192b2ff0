use std::sync::Mutex;

use spawnhook_hooks::AuditLog;
use spawnhook_model::{AuditHead, Ending, HookReport, HookResult};

use super::file::{AppendError, Appended, AuditFile};
use super::record::{ChangedBy, Record, SkippedHook};
use crate::causes::one_line;

/// What the records of one phase of a call have in common.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    pub(crate) call: String,
    pub(crate) event: &'static str,
    pub(crate) ending: Option<&'static str>,
    pub(crate) command_sha256: String,
    pub(crate) skipped: Vec<SkippedHook>,
    pub(crate) changed: Vec<ChangedBy>,
    pub(crate) refused_by: Option<String>,
}

impl Phase {
    /// The records before the spawn.
    pub(crate) fn spawn(call: String, command_sha256: String, hooks: &[HookReport]) -> Self {
        Self {
            call,
            event: "spawn",
            ending: None,
            command_sha256,
            skipped: skipped(hooks),
            changed: changed(hooks),
            refused_by: None,
        }
    }

    /// The records of a command that an agent runs itself.
    pub(crate) fn handed_over(call: String, command_sha256: String, hooks: &[HookReport]) -> Self {
        Self {
            event: "handed-over",
            ..Self::spawn(call, command_sha256, hooks)
        }
    }

    /// The records after the command ended or was refused.
    pub(crate) fn exit(
        call: String,
        command_sha256: String,
        hooks: &[HookReport],
        ending: &Ending,
    ) -> Self {
        let refused = ending.before_spawn();
        Self {
            event: if refused { "refused" } else { "exit" },
            ending: Some(ending.name()),
            // The record before the spawn has it, where there is one.
            changed: if refused { changed(hooks) } else { Vec::new() },
            refused_by: refused_by(ending),
            ..Self::spawn(call, command_sha256, hooks)
        }
    }

    fn record(&self, hook: &str, entry: Option<serde_json::Value>) -> Record {
        Record {
            call: self.call.clone(),
            event: self.event,
            ending: self.ending,
            command_sha256: self.command_sha256.clone(),
            hook: hook.to_owned(),
            skipped: self.skipped.clone(),
            changed: self.changed.clone(),
            refused_by: self.refused_by.clone(),
            entry,
        }
    }
}

/// What an audit record says of hooks that were left out.
fn skipped(hooks: &[HookReport]) -> Vec<SkippedHook> {
    let skipped = hooks.iter().filter_map(|report| match &report.result {
        HookResult::Skipped(failure) => Some(SkippedHook {
            hook: report.name.clone(),
            class: failure.class.name().into(),
            failure: failure.message.clone(),
        }),
        _ => None,
    });
    skipped.collect()
}

/// What it says of hooks that changed something.
fn changed(hooks: &[HookReport]) -> Vec<ChangedBy> {
    let changing = hooks
        .iter()
        .filter(|report| report.result == HookResult::Changed);
    let changed = changing.map(|report| ChangedBy {
        hook: report.name.clone(),
        fields: report
            .changed
            .iter()
            .map(|field| field.name().into())
            .collect(),
    });
    changed.collect()
}

fn refused_by(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Denied { hook, .. } | Ending::HookFailed { hook, .. } => Some(hook.clone()),
        _ => None,
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
    notices: Vec<String>,
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

    /// What the operator should know, which cost no record.
    pub(crate) fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut self.state().notices)
    }

    fn write(&self, hook: &str, entry: Option<serde_json::Value>) -> Result<(), String> {
        let record = self.phase.record(hook, entry);
        match &self.file {
            Some(file) => self.note(hook, file, file.append(&record)),
            None => self.note_unwritten(hook),
        }
    }

    /// Keeps what came of appending.
    fn note(
        &self,
        hook: &str,
        file: &AuditFile,
        appended: Result<Appended, AppendError>,
    ) -> Result<(), String> {
        let appended = appended.map_err(|error| one_line(&error))?;
        let passed_on = file.pass_on(&appended.line);
        let mut state = self.state();
        state.head = Some(appended.head);
        state.recorded.push(hook.to_owned());
        if let Err(error) = passed_on {
            state.notices.push(one_line(&error));
        }
        Ok(())
    }

    /// Where no log is kept, nobody owes anything.
    fn note_unwritten(&self, hook: &str) -> Result<(), String> {
        self.state().recorded.push(hook.to_owned());
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
            Ok(entry) => self.phase.record(hook, Some(entry)),
            Err(problem) => return Some(Err(problem)),
        };
        Some(match &self.file {
            Some(file) => self.note(hook, file, file.append_at_once(&record)?),
            None => self.note_unwritten(hook),
        })
    }
}

fn object(entry: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(entry).map_err(|error| format!("the entry is not a JSON object: {error}"))
}
