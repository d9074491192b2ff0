use spawnhook_hooks::Trial;
use spawnhook_model::{Failure, HookResult, SpawnContext};

/// What a hook made of one command.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// It let the command run as it was.
    Unchanged,
    /// It let this run instead.
    Changed(SpawnContext),
    /// It refused, for this reason.
    Denied(String),
    /// It wants a person asked, with this question.
    Asked(String),
    /// It failed.
    Failed(Failure),
}

impl Decision {
    /// The decision of a trial.
    pub fn of(trial: &Trial) -> Self {
        match &trial.report.result {
            // A trial calls its hook whatever `when` says.
            HookResult::Unchanged | HookResult::NotCalled => Self::Unchanged,
            HookResult::Changed => Self::Changed(trial.spawn.clone()),
            HookResult::Denied(reason) => Self::Denied(reason.clone()),
            HookResult::Asked(question) => Self::Asked(question.clone()),
            HookResult::Failed(failure) | HookResult::Skipped(failure) => {
                Self::Failed(failure.clone())
            }
        }
    }

    /// One word for it: `unchanged`, `changed`, `denied`, `asked`, `failed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed(_) => "changed",
            Self::Denied(_) => "denied",
            Self::Asked(_) => "asked",
            Self::Failed(_) => "failed",
        }
    }

    /// What there is to say beside the word: a reason, a question, a failure with its class.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Unchanged | Self::Changed(_) => None,
            Self::Denied(text) | Self::Asked(text) => Some(text.clone()),
            Self::Failed(failure) => Some(format!("{}: {failure}", failure.class.name())),
        }
    }
}
