mod trial;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use spawnhook_model::{Call, SpawnContext, Stage};
use wasmtime::Engine;
use wasmtime::component::InstancePre;

use crate::answer::Called;
use crate::audit::AtOnce;
use crate::call::{self, CallState, ExitHookIndices, SettingsIndices, SpawnHookIndices, Subject};
use crate::chain::Place;
use crate::engine::Shared;
use crate::failure::of_thread;
use crate::limits::Budget;
use crate::rights::Grants;
use crate::threads::{Needs, ThreadError};
use crate::ticker::Ticking;
use crate::{AuditLog, ExitFacts, HookLimits, OnFailure, When};

pub use self::trial::Trial;

/// Failures in a row from which on a report says so.
const LOUD: u32 = 5;

/// A hook that was admitted. Clones are one hook.
#[derive(Clone)]
pub struct Hook {
    loaded: Arc<Loaded>,
}

/// Everything that the calls of a hook have in common.
pub(crate) struct Loaded {
    pub(crate) shared: Arc<Shared>,
    pub(crate) name: String,
    pub(crate) stage: Stage,
    pub(crate) origin: String,
    pub(crate) sha256: String,
    pub(crate) settings: String,
    pub(crate) on_failure: OnFailure,
    pub(crate) when: When,
    pub(crate) grants: Grants,
    pub(crate) limits: HookLimits,
    pub(crate) component: InstancePre<CallState>,
    pub(crate) needs: Needs,
    pub(crate) exports: Exports,
    /// Whether instances have their settings from the start.
    pub(crate) configured: bool,
    pub(crate) failures: AtomicU32,
}

/// Where a component's exports are.
pub(crate) struct Exports {
    pub(crate) spawn_hook: SpawnHookIndices,
    pub(crate) exit_hook: Option<ExitHookIndices>,
    pub(crate) settings: Option<SettingsIndices>,
}

impl Loaded {
    pub(crate) fn engine(&self) -> &Engine {
        &self.shared.engine
    }

    pub(crate) fn budget(&self) -> Budget {
        Budget {
            cpu: self.limits.cpu,
            wall: self.limits.wall,
        }
    }

    pub(crate) fn ticking(&self) -> Ticking {
        self.shared.ticker.ticking()
    }
}

impl Hook {
    pub(crate) fn new(loaded: Loaded) -> Self {
        Self {
            loaded: Arc::new(loaded),
        }
    }

    /// The name that reports use.
    pub fn name(&self) -> &str {
        &self.loaded.name
    }

    /// Where it stands.
    pub fn stage(&self) -> Stage {
        self.loaded.stage
    }

    /// Where its component comes from.
    pub fn origin(&self) -> &str {
        &self.loaded.origin
    }

    /// The hex SHA-256 of its component.
    pub fn sha256(&self) -> &str {
        &self.loaded.sha256
    }

    /// What happens to a command when a call fails.
    pub fn on_failure(&self) -> OnFailure {
        self.loaded.on_failure
    }

    /// Whether its calls start from a snapshot that has read the settings.
    pub fn starts_configured(&self) -> bool {
        self.loaded.configured
    }

    /// Whether it exports `exit-hook`.
    pub fn wants_exit(&self) -> bool {
        self.loaded.exports.exit_hook.is_some()
    }

    /// Whether it is to be called for a command.
    pub(crate) fn is_called_for(&self, call: &Call, command: &str) -> bool {
        self.loaded.when.holds(call, command)
    }

    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            name: &self.loaded.name,
            stage: self.loaded.stage,
            on_failure: self.loaded.on_failure,
        }
    }

    pub(crate) async fn before_spawn(
        &self,
        call: &Arc<Call>,
        spawn: &Arc<SpawnContext>,
        log: Option<&Arc<dyn AuditLog>>,
    ) -> Called {
        let subject = Subject {
            call: Arc::clone(call),
            spawn: Arc::clone(spawn),
            exit: None,
            log: log.cloned(),
            meter: None,
        };
        match log {
            Some(log) => self.recorded(subject, log, call::before_spawn).await,
            None => {
                let work = move |hook: &Loaded| call::before_spawn(hook, subject);
                self.anywhere(work).await
            }
        }
    }

    pub(crate) async fn after_exit(
        &self,
        call: &Arc<Call>,
        spawn: &Arc<SpawnContext>,
        exit: &Arc<ExitFacts>,
        log: &Arc<dyn AuditLog>,
    ) -> Called {
        let subject = Subject {
            call: Arc::clone(call),
            spawn: Arc::clone(spawn),
            exit: Some(Arc::clone(exit)),
            log: Some(Arc::clone(log)),
            meter: None,
        };
        let exit = Arc::clone(exit);
        let work = move |hook: &Loaded, subject| call::after_exit(hook, subject, &exit);
        self.recorded(subject, log, work).await
    }

    /// Makes a call that appends to a log: in place if the log waits for nobody. A thread that
    /// waits for a disk must be one that can be given up, so that such a call is made on a hook
    /// thread; nothing has come of it until then.
    async fn recorded(
        &self,
        subject: Subject,
        log: &Arc<dyn AuditLog>,
        work: impl FnOnce(&Loaded, Subject) -> Called + Clone + Send + 'static,
    ) -> Called {
        let started = Instant::now();
        if let Some(place) = self.loaded.shared.threads.place(self.loaded.needs) {
            let at_once = Arc::new(AtOnce::new(Arc::clone(log)));
            let subject = Subject {
                log: Some(Arc::clone(&at_once) as Arc<dyn AuditLog>),
                ..subject.clone()
            };
            let work = work.clone();
            let done = place.run(|| work(&self.loaded, subject));
            if !at_once.would_wait() {
                return self.settle(started, done);
            }
        }
        self.on_thread(move |hook| work(hook, subject)).await
    }

    async fn on_thread(&self, work: impl FnOnce(&Loaded) -> Called + Send + 'static) -> Called {
        let started = Instant::now();
        let (threads, wall) = (&self.loaded.shared.threads, self.loaded.limits.wall);
        let hook = Arc::clone(&self.loaded);
        self.settle(started, threads.run(wall, move || work(&hook)).await)
    }

    async fn anywhere(&self, work: impl FnOnce(&Loaded) -> Called + Send + 'static) -> Called {
        let started = Instant::now();
        let (threads, wall) = (&self.loaded.shared.threads, self.loaded.limits.wall);
        let (hook, needs) = (Arc::clone(&self.loaded), self.loaded.needs);
        let done = threads.run_anywhere(needs, wall, move || work(&hook)).await;
        self.settle(started, done)
    }

    /// What came of a call, and whether the operator should know.
    fn settle(&self, started: Instant, done: Result<Called, ThreadError>) -> Called {
        let mut called = done.unwrap_or_else(|error| Called {
            took: started.elapsed(),
            answer: Err(of_thread(error)),
            notices: Vec::new(),
        });
        called.notices.extend(self.count(&called));
        called
    }

    /// Counts failures in a row, and tells when they are too many to be chance.
    fn count(&self, called: &Called) -> Option<String> {
        if called.answer.is_ok() {
            self.loaded.failures.store(0, Ordering::Relaxed);
            return None;
        }
        let failures = self.loaded.failures.fetch_add(1, Ordering::Relaxed) + 1;
        (failures >= LOUD).then(|| format!("it has failed {failures} times in a row"))
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hook")
            .field("name", &self.name())
            .field("stage", &self.stage())
            .field("origin", &self.origin())
            .finish_non_exhaustive()
    }
}
