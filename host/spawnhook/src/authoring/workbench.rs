use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use spawnhook_hooks::{AuditLog, ExitFacts, Hook, HookEngine, HookLoadError, Trial};
use spawnhook_model::{Ending, Stage};
use tokio::runtime::Runtime;

use super::{Decision, Input, Setup};
use crate::builtin::Builtins;
use crate::deployment::BuildError;

/// One hook, loaded, that can be called alone.
#[derive(Clone, Debug)]
pub struct Workbench {
    hook: Hook,
    runtime: Arc<Runtime>,
}

/// Why a hook cannot be called alone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkbenchError {
    /// The component cannot be read.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The hook cannot be loaded.
    #[error(transparent)]
    Load(#[from] HookLoadError),
    /// The system has no means to wait.
    #[error("cannot wait for calls of a hook")]
    Runtime(#[source] std::io::Error),
}

/// What came of calling a hook once.
#[derive(Clone, Debug)]
pub struct Observation {
    /// What it made of the command.
    pub decision: Decision,
    /// What the call was like.
    pub trial: Trial,
    /// The entries that it appended to the audit log, as it wrote them.
    pub entries: Vec<String>,
}

impl Workbench {
    /// Loads a hook.
    ///
    /// # Errors
    ///
    /// If it cannot be read or loaded.
    pub fn new(
        engine: &HookEngine,
        setup: &Setup,
        builtins: &Builtins,
    ) -> Result<Self, WorkbenchError> {
        let hook = engine.load(setup.spec(builtins)?)?;
        Self::of(hook)
    }

    /// The same hook for calls on another thread, side by side with those of this one.
    ///
    /// # Errors
    ///
    /// If the system has no means to wait for them.
    pub fn beside(&self) -> Result<Self, WorkbenchError> {
        Self::of(self.hook.clone())
    }

    fn of(hook: Hook) -> Result<Self, WorkbenchError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(WorkbenchError::Runtime)?;
        Ok(Self {
            hook,
            runtime: Arc::new(runtime),
        })
    }

    /// The same hook with other settings, and with limits of time that are `times` as long.
    ///
    /// # Errors
    ///
    /// If the hook does not accept them.
    pub fn with_settings(&self, settings: &Value, times: u32) -> Result<Self, HookLoadError> {
        Ok(Self {
            hook: self.hook.with_settings(settings.to_string(), times)?,
            runtime: Arc::clone(&self.runtime),
        })
    }

    /// The stage that the hook stands in.
    pub fn stage(&self) -> Stage {
        self.hook.stage()
    }

    /// Calls the hook before a command is spawned. In stage audit, it is called after the command
    /// has ended as well, if it wants to be; what fails first is told.
    ///
    /// Blocks until the calls are over, which their limits see to.
    pub fn call(&self, input: &Input) -> Observation {
        let entries = Arc::new(Entries::default());
        let log: Arc<dyn AuditLog> = entries.clone();
        let is_audit = self.stage() == Stage::Audit;
        let mut trial = self.runtime.block_on(self.hook.try_before_spawn(
            &input.call,
            &input.spawn,
            is_audit.then_some(&log),
        ));
        let recorded = !matches!(Decision::of(&trial), Decision::Failed(_));
        if is_audit && recorded && self.hook.wants_exit() {
            let exit = Arc::new(exit());
            let after = self.runtime.block_on(self.hook.try_after_exit(
                &input.call,
                &input.spawn,
                &exit,
                &log,
            ));
            trial = Trial {
                log: trial.log + &after.log,
                ..after
            };
        }
        Observation {
            decision: Decision::of(&trial),
            trial,
            entries: entries.take(),
        }
    }
}

/// How a command that was not run is said to have ended.
fn exit() -> ExitFacts {
    ExitFacts {
        ending: Ending::Exited(0),
        duration: Duration::from_millis(42),
        output_bytes: Some(6),
        output_lines: Some(1),
        truncated: false,
        leftover_processes: 0,
    }
}

/// An audit log in memory.
#[derive(Debug, Default)]
struct Entries(Mutex<Vec<String>>);

impl Entries {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl AuditLog for Entries {
    fn append(&self, _hook: &str, entry: &str) -> Result<(), String> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry.to_owned());
        Ok(())
    }
}
