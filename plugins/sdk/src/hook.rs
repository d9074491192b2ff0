//! What a hook implements.

use crate::{ExitStatus, Refusal, Settings, SpawnContext};

/// A hook for the stages `rewrite` and `guard`, exported by
/// [`export_spawn_hook!`](crate::export_spawn_hook).
pub trait SpawnHook: Default {
    /// Takes the settings of this deployment. `self` is the hook by its `Default`, so that what
    /// the settings don't name keeps its value.
    ///
    /// Ask for every member in any case, and report everything that is wrong: all problems of the
    /// settings are told at once, members that nobody asked for among them.
    fn configure(&mut self, settings: &mut Settings<'_>) {
        let _ = settings;
    }

    /// Receives the command and returns the command that is to run.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] keeps the command from running. Only hooks of the stage `guard` may ask.
    fn before_spawn(&self, spawn: SpawnContext) -> Result<SpawnContext, Refusal>;
}

/// A hook for the stage `audit`, exported by [`export_audit_hook!`](crate::export_audit_hook).
///
/// Both functions append one entry with [`audit_log::append`](crate::audit_log::append).
pub trait AuditHook: Default {
    /// Takes the settings of this deployment, as [`SpawnHook::configure`] does.
    fn configure(&mut self, settings: &mut Settings<'_>) {
        let _ = settings;
    }

    /// Records a command before it is spawned. It can't be changed or refused.
    ///
    /// # Errors
    ///
    /// The text says what went wrong. The hook has failed then, and the deployment decides whether
    /// the command runs.
    fn before_spawn(&self, spawn: &SpawnContext) -> Result<(), String>;

    /// Records how a command ended. One that was refused, or whose hooks failed, comes here alone.
    ///
    /// # Errors
    ///
    /// The text says what went wrong. It becomes a notice in the result.
    fn after_exit(&self, spawn: &SpawnContext, status: &ExitStatus) -> Result<(), String>;
}
