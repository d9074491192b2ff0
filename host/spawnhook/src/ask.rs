use spawnhook_exec::BoxFuture;
use spawnhook_model::{Call, SpawnContext};

use crate::difference::difference_without_values;

/// Who answers when a guard wants a person to agree.
///
/// Without one, every question is a denial.
pub trait Ask: Send + Sync + 'static {
    /// Puts a question to a person: true if the command may run.
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, bool>;
}

/// What a guard wants a person to agree to.
///
/// The command and the reason come from strangers. Whoever shows them makes control characters
/// visible first (`spawnhook_exec::visible`).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Question<'a> {
    /// The call.
    pub call: &'a Call,
    /// What was asked for, before any hook.
    pub requested: &'a SpawnContext,
    /// What would run.
    pub spawn: &'a SpawnContext,
    /// The guard.
    pub hook: &'a str,
    /// Why it asks.
    pub reason: &'a str,
}

impl Question<'_> {
    /// What hooks changed, for people, with control characters made visible and without the values
    /// of variables; empty if it is nothing.
    #[must_use]
    pub fn changes(&self) -> String {
        difference_without_values(self.requested, self.spawn)
    }
}
