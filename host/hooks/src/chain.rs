mod progress;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use spawnhook_model::{Call, Failure, HookReport, SpawnContext, Stage};

use self::progress::Progress;

pub(crate) use self::progress::{Place, report};
use crate::{AuditLog, ExitFacts, Hook, NativeHook};

/// The hooks of a deployment, in the order in which they are called.
#[derive(Debug)]
pub struct Chain {
    hooks: Vec<Hook>,
    native: Vec<NativeHook>,
}

/// Why hooks make no chain.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChainError {
    /// Two hooks have one name, so that reports could not tell them apart.
    #[error("two hooks are named `{0}`: give one of them another name")]
    DuplicateName(String),
}

/// What rewrite and guard hooks made of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The command as far as it got: after the last hook that returned one.
    pub spawn: SpawnContext,
    /// Whether it may run.
    pub verdict: Verdict,
    /// What each hook did, in the order of the calls.
    pub reports: Vec<HookReport>,
}

/// Whether a command may run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// No hook refused and none failed that must not.
    Proceed,
    /// A hook refused.
    Denied {
        /// The name of the hook.
        hook: String,
        /// Its reason, in one line without control characters.
        reason: String,
    },
    /// Guards want a person asked, and no guard denied: the names of the hooks and their
    /// questions, in the order of the calls.
    Ask(Vec<(String, String)>),
    /// A hook failed whose failures stop the command.
    Failed {
        /// The name of the hook.
        hook: String,
        /// How it failed.
        failure: Failure,
    },
}

/// What audit hooks made of a command that is about to be spawned.
#[derive(Clone, Debug, PartialEq)]
pub enum Recorded {
    /// Every hook recorded it, or may fail to.
    Proceed {
        /// What each hook did.
        reports: Vec<HookReport>,
    },
    /// A hook failed whose failures stop the command.
    Failed {
        /// The name of the hook.
        hook: String,
        /// How it failed.
        failure: Failure,
        /// What each hook did, the one that failed last.
        reports: Vec<HookReport>,
    },
}

impl Chain {
    /// Puts hooks in the order of their stages; within a stage their order stays.
    ///
    /// # Errors
    ///
    /// If two hooks have the same name.
    pub fn new(mut hooks: Vec<Hook>) -> Result<Self, ChainError> {
        let mut names = BTreeSet::new();
        for hook in &hooks {
            if !names.insert(hook.name()) {
                return Err(ChainError::DuplicateName(hook.name().to_owned()));
            }
        }
        hooks.sort_by_key(Hook::stage);
        Ok(Self {
            hooks,
            native: Vec::new(),
        })
    }

    /// With a hook in Rust behind every other of its stage.
    ///
    /// # Errors
    ///
    /// If another hook has its name.
    pub fn and(mut self, hook: NativeHook) -> Result<Self, ChainError> {
        let native = self.native.iter().map(NativeHook::name);
        let mut names = self.hooks.iter().map(Hook::name).chain(native);
        if names.any(|name| name == hook.name()) {
            return Err(ChainError::DuplicateName(hook.name().to_owned()));
        }
        self.native.push(hook);
        Ok(self)
    }

    /// The components in the order of the calls.
    pub fn hooks(&self) -> &[Hook] {
        &self.hooks
    }

    /// Calls the rewrite hooks and then the guards.
    ///
    /// A denial or a failure that stops the command ends the chain there. A question does not: the
    /// guards behind it are heard too, and a denial wins.
    ///
    /// Needs a tokio runtime with timers, as the other calls do.
    pub async fn decide(&self, call: &Arc<Call>, spawn: SpawnContext) -> Decision {
        self.pass(&[Stage::Rewrite, Stage::Guard], call, spawn)
            .await
    }

    /// Calls the guards alone, for a command whose rewrite stage is done.
    ///
    /// Ends as [`Self::decide`] does.
    pub async fn guard(&self, call: &Arc<Call>, spawn: SpawnContext) -> Decision {
        self.pass(&[Stage::Guard], call, spawn).await
    }

    async fn pass(&self, stages: &[Stage], call: &Arc<Call>, spawn: SpawnContext) -> Decision {
        let mut progress = Progress::new(Arc::new(spawn));
        for stage in stages {
            if let ControlFlow::Break(verdict) = self.call(*stage, call, &mut progress).await {
                return progress.decide(verdict);
            }
        }
        progress.finish()
    }

    /// Calls the hooks of one stage; breaks with the verdict that ends the chain.
    async fn call(
        &self,
        stage: Stage,
        call: &Arc<Call>,
        progress: &mut Progress,
    ) -> ControlFlow<Verdict> {
        for hook in self.hooks.iter().filter(|hook| hook.stage() == stage) {
            if !hook.is_called_for(call, &progress.spawn().command) {
                progress.pass_over(hook.place());
                continue;
            }
            let called = hook.before_spawn(call, progress.spawn(), None).await;
            progress.take(hook.place(), called)?;
        }
        for hook in self.native.iter().filter(|hook| hook.stage() == stage) {
            let called = hook.before_spawn(call, progress.spawn()).await;
            progress.take(hook.place(), called)?;
        }
        ControlFlow::Continue(())
    }

    /// Lets the audit hooks record a command that is about to be spawned.
    pub async fn record_spawn(
        &self,
        call: &Arc<Call>,
        spawn: &Arc<SpawnContext>,
        log: &Arc<dyn AuditLog>,
    ) -> Recorded {
        let mut progress = Progress::new(Arc::clone(spawn));
        for hook in self.auditors() {
            if !hook.is_called_for(call, &spawn.command) {
                progress.pass_over(hook.place());
                continue;
            }
            let called = hook.before_spawn(call, spawn, Some(log)).await;
            if let ControlFlow::Break(verdict) = progress.take(hook.place(), called) {
                return progress.recorded(verdict);
            }
        }
        progress.recorded(Verdict::Proceed)
    }

    /// Lets the audit hooks that export `exit-hook` record how a command ended, or that it was
    /// refused. Nothing that they do changes the ending.
    pub async fn record_exit(
        &self,
        call: &Arc<Call>,
        spawn: &Arc<SpawnContext>,
        exit: &ExitFacts,
        log: &Arc<dyn AuditLog>,
    ) -> Vec<HookReport> {
        let exit = Arc::new(exit.clone());
        let mut reports = Vec::new();
        let called = |hook: &&Hook| hook.wants_exit() && hook.is_called_for(call, &spawn.command);
        for hook in self.auditors().filter(called) {
            let called = hook.after_exit(call, spawn, &exit, log).await;
            reports.push(progress::report(hook.place(), called));
        }
        reports
    }

    fn auditors(&self) -> impl Iterator<Item = &Hook> {
        self.hooks
            .iter()
            .filter(|hook| hook.stage() == Stage::Audit)
    }
}
