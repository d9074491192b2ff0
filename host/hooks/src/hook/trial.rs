use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use spawnhook_model::{Call, HookReport, SpawnContext};

use super::{Exports, Hook, Loaded};
use crate::answer::{Answer, Called};
use crate::call::{self, Measures, Meter, Subject};
use crate::{AuditLog, ExitFacts, HookLoadError, admission, chain};

/// One call of a hook by itself, looked at more closely than a deployment does: for authors.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What a deployment would report of it.
    pub report: HookReport,
    /// The command as the hook left it; as it was before unless the report says `changed`.
    pub spawn: SpawnContext,
    /// From taking the call to having an instance with its settings; zero if it did not come to
    /// one.
    pub instantiate: Duration,
    /// From having the instance to having its checked answer.
    pub call: Duration,
    /// The most that all its memories held together, in bytes.
    pub memory_bytes: u64,
    /// The instructions that the guest ran, of an engine that counts them.
    pub instructions: Option<u64>,
    /// The text of a refusal as the hook gave it, before it was made fit to be shown.
    pub said: Option<String>,
    /// What was kept of the hook's log, with its line ends.
    pub log: String,
}

impl Hook {
    /// Calls `before-spawn` of this hook alone, within its limits and rights.
    ///
    /// Needs a tokio runtime with timers.
    pub async fn try_before_spawn(
        &self,
        call: &Arc<Call>,
        spawn: &Arc<SpawnContext>,
        log: Option<&Arc<dyn AuditLog>>,
    ) -> Trial {
        let meter = Arc::new(Meter::default());
        let subject = Subject {
            call: Arc::clone(call),
            spawn: Arc::clone(spawn),
            exit: None,
            log: log.cloned(),
            meter: Some(Arc::clone(&meter)),
        };
        let called = self.on_thread(move |hook| call::before_spawn(hook, subject));
        self.trial(spawn, called.await, &meter)
    }

    /// Calls `after-exit` of this hook alone.
    ///
    /// Needs a tokio runtime with timers.
    pub async fn try_after_exit(
        &self,
        call: &Arc<Call>,
        spawn: &Arc<SpawnContext>,
        exit: &Arc<ExitFacts>,
        log: &Arc<dyn AuditLog>,
    ) -> Trial {
        let meter = Arc::new(Meter::default());
        let subject = Subject {
            call: Arc::clone(call),
            spawn: Arc::clone(spawn),
            exit: Some(Arc::clone(exit)),
            log: Some(Arc::clone(log)),
            meter: Some(Arc::clone(&meter)),
        };
        let exit = Arc::clone(exit);
        let called = self.on_thread(move |hook| call::after_exit(hook, subject, &exit));
        self.trial(spawn, called.await, &meter)
    }

    /// The same hook with other settings, and with limits of CPU and wall time that are `times`
    /// as long. The component is not compiled again, so the hook must be from an engine that takes
    /// no snapshots: one that has read its settings would read others on top of them.
    ///
    /// # Errors
    ///
    /// If the hook does not accept the settings.
    ///
    /// # Panics
    ///
    /// If the hook [starts configured](Self::starts_configured).
    pub fn with_settings(&self, settings: String, times: u32) -> Result<Self, HookLoadError> {
        let loaded = &self.loaded;
        assert!(!loaded.configured, "the hook has read its settings already");
        let mut limits = loaded.limits.clone();
        limits.cpu *= times;
        limits.wall *= times;
        admission::readmit(Loaded {
            shared: Arc::clone(&loaded.shared),
            name: loaded.name.clone(),
            stage: loaded.stage,
            origin: loaded.origin.clone(),
            sha256: loaded.sha256.clone(),
            settings,
            on_failure: loaded.on_failure,
            when: loaded.when.clone(),
            grants: loaded.grants.clone(),
            limits,
            component: loaded.component.clone(),
            needs: loaded.needs,
            exports: Exports {
                spawn_hook: loaded.exports.spawn_hook.clone(),
                exit_hook: loaded.exports.exit_hook.clone(),
                settings: loaded.exports.settings.clone(),
            },
            configured: false,
            failures: AtomicU32::new(0),
        })
    }

    fn trial(&self, spawn: &SpawnContext, called: Called, meter: &Meter) -> Trial {
        let after = match &called.answer {
            Ok(Answer::Changed(after, _)) => after.as_ref().clone(),
            _ => spawn.clone(),
        };
        let Measures {
            instantiate,
            call,
            memory_bytes,
            instructions,
            log,
        } = meter.measures().unwrap_or_default();
        Trial {
            report: chain::report(self.place(), called),
            spawn: after,
            instantiate,
            call,
            memory_bytes,
            instructions,
            said: meter.said(),
            log,
        }
    }
}
