mod bindings;
mod imports;
mod meter;
mod state;

use std::sync::Arc;
use std::time::{Duration, Instant};

use spawnhook_model::{Call, Failure, FailureClass, SpawnContext};
use wasmtime::Store;
use wasmtime::component::Instance;

use self::bindings::exit_status;
use crate::answer::{Answer, Called, Shown, judge};
use crate::failure::{Phase, data_limit, describe};
use crate::hook::Loaded;
use crate::limits::{Budget, HANDLES};
use crate::text::{SHOWN_BYTES, one_line};
use crate::{AuditLog, ExitFacts};

pub(crate) use self::meter::{Measures, Meter};

pub(crate) use self::bindings::{ExitHookIndices, SettingsIndices, SpawnHookIndices};
pub(crate) use self::imports::{offer, offer_audit};
pub(crate) use self::state::CallState;

/// What a call is about.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(crate) call: Arc<Call>,
    pub(crate) spawn: Arc<SpawnContext>,
    pub(crate) exit: Option<Arc<ExitFacts>>,
    pub(crate) log: Option<Arc<dyn AuditLog>>,
    /// Where it is noted what the call cost, if somebody asks.
    pub(crate) meter: Option<Arc<Meter>>,
}

/// Calls `before-spawn` on a fresh instance. Runs on a hook thread.
pub(crate) fn before_spawn(hook: &Loaded, subject: Subject) -> Called {
    let phase = Phase::BeforeSpawn;
    let meter = subject.meter.clone();
    in_time(hook, subject, phase, |visit, spawn, shown| {
        let returned = visit.run(phase, |store, instance| {
            let export = hook.exports.spawn_hook.load(&mut *store, instance)?;
            export.call_before_spawn(store, bindings::context(shown))
        })?;
        let returned = returned.map(bindings::returned).map_err(bindings::refusal);
        if let (Some(meter), Err(refusal)) = (&meter, &returned) {
            meter.hear(refusal);
        }
        let answer = judge(hook.stage, &hook.grants, spawn, shown, returned);
        let answer = answer.map_err(|failure| phase.blame(failure))?;
        visit.check_recorded(phase)?;
        Ok(answer)
    })
}

/// Calls `after-exit` on a fresh instance, if the hook exports it. Runs on a hook thread.
pub(crate) fn after_exit(hook: &Loaded, subject: Subject, facts: &ExitFacts) -> Called {
    let phase = Phase::AfterExit;
    let status = exit_status(&facts.ending);
    in_time(hook, subject, phase, |visit, _, shown| {
        let Some(exit_hook) = &hook.exports.exit_hook else {
            return Ok(Answer::Unchanged);
        };
        let returned = visit.run(phase, |store, instance| {
            let export = exit_hook.load(&mut *store, instance)?;
            export.call_after_exit(store, bindings::context(shown), status)
        })?;
        returned.map_err(|error| visit.errored(phase, &error))?;
        visit.check_recorded(phase)?;
        Ok(Answer::Unchanged)
    })
}

/// Instantiates a hook and hands it its settings, as every call does first.
///
/// # Errors
///
/// The failure, or the problems that the hook has with its settings.
pub(crate) fn start<'a>(
    hook: &'a Loaded,
    call: Arc<Call>,
    budget: Budget,
) -> Result<Visit<'a>, SettingsError> {
    let subject = Subject {
        call,
        spawn: Arc::new(SpawnContext {
            command: String::new(),
            cwd: "/".into(),
            env: spawnhook_model::Env::new(),
        }),
        exit: None,
        log: None,
        meter: None,
    };
    Visit::start(hook, subject, budget)
}

/// Why a fresh instance cannot be called.
pub(crate) enum SettingsError {
    /// It failed before it had its settings.
    Start(Failure),
    /// It failed with its settings.
    Configure(Failure),
    /// It found problems in its settings.
    Problems(Vec<String>),
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        match error {
            SettingsError::Start(failure) | SettingsError::Configure(failure) => failure,
            SettingsError::Problems(problems) => Self {
                class: FailureClass::Settings,
                message: one_line(
                    &format!(
                        "configure found problems that it had not found at load: {}",
                        problems.join("; ")
                    ),
                    SHOWN_BYTES,
                ),
            },
        }
    }
}

/// One fresh instance of a hook, configured.
pub(crate) struct Visit<'a> {
    hook: &'a Loaded,
    pub(crate) store: Store<CallState>,
    pub(crate) instance: Instance,
    /// How long it took to read the settings.
    pub(crate) configuring: Duration,
}

impl<'a> Visit<'a> {
    fn start(hook: &'a Loaded, subject: Subject, budget: Budget) -> Result<Self, SettingsError> {
        let mut store = Store::new(hook.engine(), CallState::new(hook, subject));
        store.limiter(CallState::limiter);
        store.set_hostcall_fuel(usize::try_from(hook.limits.data_bytes).unwrap_or(usize::MAX));
        store.set_max_component_handles(HANDLES);
        budget.arm(&mut store);
        meter::fill(hook, &mut store).map_err(SettingsError::Start)?;
        let instance = hook.component.instantiate(&mut store).map_err(|error| {
            SettingsError::Start(describe(&error, Phase::Start, store.data(), &hook.limits))
        })?;
        let mut visit = Self {
            hook,
            store,
            instance,
            configuring: Duration::ZERO,
        };
        let started = Instant::now();
        visit.configure()?;
        visit.configuring = started.elapsed();
        Ok(visit)
    }

    /// Whether the instance follows from its component and its settings alone.
    pub(crate) fn is_untouched(&self) -> bool {
        self.store.data().is_untouched()
    }

    fn configure(&mut self) -> Result<(), SettingsError> {
        let hook = self.hook;
        let settings = match &hook.exports.settings {
            Some(settings) if !hook.configured => settings,
            _ => return Ok(()),
        };
        self.run(Phase::Configure, |store, instance| {
            let export = settings.load(&mut *store, instance)?;
            export.call_configure(store, &hook.settings)
        })
        .map_err(SettingsError::Configure)?
        .map_err(|problems| {
            let shown = problems.iter().take(100);
            SettingsError::Problems(shown.map(|text| one_line(text, SHOWN_BYTES)).collect())
        })
    }

    /// Calls an export; a failure is told apart by its type.
    fn run<T>(
        &mut self,
        phase: Phase,
        call: impl FnOnce(&mut Store<CallState>, &Instance) -> wasmtime::Result<T>,
    ) -> Result<T, Failure> {
        call(&mut self.store, &self.instance)
            .map_err(|error| describe(&error, phase, self.store.data(), &self.hook.limits))
    }

    fn check_recorded(&self, phase: Phase) -> Result<(), Failure> {
        let recorded = self.store.data().check_recorded();
        recorded.map_err(|failure| phase.blame(failure))
    }

    fn errored(&self, phase: Phase, error: &str) -> Failure {
        let explanation = self.store.data().log().explanation();
        phase.blame(Failure {
            class: FailureClass::Errored,
            message: format!("returned an error: {error}{explanation}"),
        })
    }
}

/// Makes one call and tells how long it took and what the operator should know of it.
fn in_time(
    hook: &Loaded,
    subject: Subject,
    phase: Phase,
    call: impl FnOnce(&mut Visit<'_>, &SpawnContext, &Shown<'_>) -> Result<Answer, Failure>,
) -> Called {
    let started = Instant::now();
    let spawn = Arc::clone(&subject.spawn);
    let mut notices = Vec::new();
    let _ticking = hook.ticking();
    let answer = shown(hook, &spawn, phase).and_then(|shown| {
        let meter = subject.meter.clone();
        let mut visit = Visit::start(hook, subject, hook.budget())?;
        let instantiated = started.elapsed();
        let answer = call(&mut visit, &spawn, &shown);
        notices.extend(visit.store.data().notices());
        if let Some(meter) = meter {
            meter.note(&visit.store, instantiated, started.elapsed());
        }
        answer
    });
    Called {
        took: started.elapsed(),
        answer,
        notices,
    }
}

/// What a hook is shown of a context, if the interface has a form for it within the limit.
fn shown<'a>(hook: &Loaded, spawn: &'a SpawnContext, phase: Phase) -> Result<Shown<'a>, Failure> {
    let shown = Shown::new(spawn, &hook.grants)?;
    data_limit(shown.bytes(), hook.limits.data_bytes).map_err(|failure| phase.blame(failure))?;
    Ok(shown)
}
