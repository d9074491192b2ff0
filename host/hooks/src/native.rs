#[cfg(test)]
mod tests;

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use spawnhook_model::{Call, Env, Failure, FailureClass, Refusal, SpawnContext, Stage, valid_name};

use crate::answer::{Answer, Called, fields_changed, judge_refusal, overstepped};
use crate::chain::Place;
use crate::check::SpawnLimits;
use crate::engine::Shared;
use crate::failure::{Phase, of_thread};
use crate::text::{SHOWN_BYTES, one_line};
use crate::{HookEngine, HookLimits, OnFailure};

/// A hook in Rust, of whoever embeds the host. It is the function that a component exports, and
/// trusted: it sees every variable, and needs no right but those of its stage.
///
/// A function `Fn(&Call, SpawnContext) -> Result<SpawnContext, Refusal>` is one.
pub trait SpawnHook: Send + Sync + 'static {
    /// Returns the command as it is to go on.
    ///
    /// Called on a thread that may block, but for no longer than a component may take by default:
    /// a call that takes more is given up, and the command does not run.
    ///
    /// # Errors
    ///
    /// Why it must not run. Nothing was spawned.
    fn before_spawn(&self, call: &Call, spawn: SpawnContext) -> Result<SpawnContext, Refusal>;
}

impl<F> SpawnHook for F
where
    F: Fn(&Call, SpawnContext) -> Result<SpawnContext, Refusal> + Send + Sync + 'static,
{
    fn before_spawn(&self, call: &Call, spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
        self(call, spawn)
    }
}

/// A [`SpawnHook`] with a name and a place in a chain.
#[derive(Clone)]
pub struct NativeHook {
    shared: Arc<Shared>,
    name: String,
    stage: Stage,
    hook: Arc<dyn SpawnHook>,
}

impl HookEngine {
    /// A hook in Rust for stage `rewrite`: it may change the command and deny it.
    pub fn rewrite(&self, name: impl Into<String>, hook: impl SpawnHook) -> NativeHook {
        self.native(name.into(), Stage::Rewrite, Arc::new(hook))
    }

    /// A hook in Rust for stage `guard`: it sees the final command, and may deny it or have a
    /// person asked.
    pub fn guard(&self, name: impl Into<String>, hook: impl SpawnHook) -> NativeHook {
        self.native(name.into(), Stage::Guard, Arc::new(hook))
    }

    fn native(&self, name: String, stage: Stage, hook: Arc<dyn SpawnHook>) -> NativeHook {
        NativeHook {
            shared: Arc::clone(self.shared()),
            name,
            stage,
            hook,
        }
    }
}

impl NativeHook {
    /// The name that reports use.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it stands.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            name: &self.name,
            stage: self.stage,
            on_failure: OnFailure::Deny,
        }
    }

    pub(crate) async fn before_spawn(&self, call: &Arc<Call>, spawn: &Arc<SpawnContext>) -> Called {
        let started = Instant::now();
        let (hook, stage) = (Arc::clone(&self.hook), self.stage);
        let (call, spawn) = (Arc::clone(call), Arc::clone(spawn));
        let work = move || {
            let context = SpawnContext::clone(&spawn);
            // What a panic leaves half done is the hook's own.
            let returned = catch_unwind(AssertUnwindSafe(|| hook.before_spawn(&call, context)));
            judge(stage, &spawn, returned.map_err(|panic| panicked(&*panic))?)
        };
        let wall = HookLimits::default().wall;
        let done = self.shared.threads.run(wall, work).await;
        let answer = done.unwrap_or_else(|error| Err(of_thread(error)));
        Called {
            took: started.elapsed(),
            answer: answer.map_err(|failure| Phase::BeforeSpawn.blame(failure)),
            notices: Vec::new(),
        }
    }
}

impl fmt::Debug for NativeHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NativeHook")
            .field("name", &self.name)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}

fn judge(
    stage: Stage,
    before: &SpawnContext,
    returned: Result<SpawnContext, Refusal>,
) -> Result<Answer, Failure> {
    let after = match returned {
        Ok(after) => after,
        Err(refusal) => return judge_refusal(stage, refusal).map(Answer::Refused),
    };
    let fields = fields_changed(before, &after);
    let Some(field) = fields.first() else {
        return Ok(Answer::Unchanged);
    };
    if stage != Stage::Rewrite {
        return Err(overstepped(format!(
            "changed {}, but a hook of stage {stage} changes nothing; put it in stage rewrite",
            field.name()
        )));
    }
    let limits = SpawnLimits::default();
    limits.command(&after.command)?;
    limits.cwd(&after.cwd.to_string_lossy())?;
    check_names(&before.env, &after.env)?;
    limits.env(&before.env, &after.env, &after.command)?;
    Ok(Answer::Changed(Arc::new(after), fields))
}

/// Names that were there before may be odd; a hook sets none that are.
fn check_names(before: &Env, after: &Env) -> Result<(), Failure> {
    let odd = after
        .iter()
        .filter(|(name, value)| before.get(name) != Some(value))
        .find(|(name, _)| !name.to_str().is_some_and(valid_name));
    let Some((name, _)) = odd else {
        return Ok(());
    };
    Err(Failure {
        class: FailureClass::BadResult,
        message: format!(
            "set a variable named \"{}\": a name is letters, digits and _, and starts with no \
             digit",
            one_line(&name.to_string_lossy(), 100)
        ),
    })
}

fn panicked(panic: &(dyn Any + Send)) -> Failure {
    let said = panic.downcast_ref::<String>().map(String::as_str);
    let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
    let message = format!("panicked: {}", said.unwrap_or("with no message"));
    Failure {
        class: FailureClass::Panicked,
        message: one_line(&message, SHOWN_BYTES),
    }
}
