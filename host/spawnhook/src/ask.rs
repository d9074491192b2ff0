use std::fmt::Debug;

use spawnhook_exec::BoxFuture;
use spawnhook_model::{Call, SpawnContext};

use crate::difference::difference_without_values;

/// Who answers when a guard wants a person to agree.
///
/// Without one, every question is a denial.
pub trait Ask: Debug + Send + Sync + 'static {
    /// Puts a question to a person.
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, Answer>;
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The command may run.
    Yes,
    /// It may not.
    No,
    /// Nobody answered, and why: a fragment of a sentence. The command does not run.
    Nobody(String),
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
