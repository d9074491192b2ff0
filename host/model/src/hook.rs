use std::fmt;
use std::time::Duration;

/// Why a command must not run as it stands; the answer of a hook, not a failure of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It must not run, for this reason.
    Deny(String),
    /// A person must agree first, to this question.
    Ask(String),
}

/// Where in a deployment's chain a hook stands. The order is that of the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// May change what its rights grant, and may deny.
    Rewrite,
    /// May deny and ask, sees the final text, changes nothing.
    Guard,
    /// Records, before the spawn and after the exit; neither changes nor refuses.
    Audit,
}

impl Stage {
    /// Every stage, in the order of the calls.
    pub const ALL: [Self; 3] = [Self::Rewrite, Self::Guard, Self::Audit];

    /// The name that a deployment's config uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rewrite => "rewrite",
            Self::Guard => "guard",
            Self::Audit => "audit",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What one hook did to one call.
#[derive(Clone, Debug, PartialEq)]
pub struct HookReport {
    /// The hook's name in the deployment.
    pub name: String,
    /// The stage that it was called in.
    pub stage: Stage,
    /// The time of the call, from taking it to having its checked answer.
    pub took: Duration,
    /// What came of it.
    pub result: HookResult,
    /// The fields that it changed, in the order of [`Field`]; empty unless the result is
    /// [`HookResult::Changed`].
    pub changed: Vec<Field>,
    /// What the operator should know besides: a log that was cut, a right that was never needed.
    pub notices: Vec<String>,
}

/// What came of one call of a hook.
#[derive(Clone, Debug, PartialEq)]
pub enum HookResult {
    /// The deployment has the hook called for other commands than this.
    NotCalled,
    /// The context came back as it was.
    Unchanged,
    /// The context came back changed, within the hook's rights.
    Changed,
    /// The hook refused, for this reason.
    Denied(String),
    /// The hook wants a person asked, with this question.
    Asked(String),
    /// The call failed and stopped the command.
    Failed(Failure),
    /// The call failed, and the deployment goes on without this hook.
    Skipped(Failure),
}

impl HookResult {
    /// One word for it: `not-called`, `unchanged`, `changed`, `denied`, `asked`, `failed`, `skipped`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotCalled => "not-called",
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::Denied(_) => "denied",
            Self::Asked(_) => "asked",
            Self::Failed(_) => "failed",
            Self::Skipped(_) => "skipped",
        }
    }
}

/// A field of the spawn context that a hook can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The shell source text.
    Command,
    /// The working directory.
    Cwd,
    /// The variables.
    Env,
}

impl Field {
    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Cwd => "cwd",
            Self::Env => "env",
        }
    }
}

/// How a call of a hook failed. Displays the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure it is, told apart by type and never by text.
    pub class: FailureClass,
    /// What happened, with the value and the limit, in one line without control characters.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The kinds of failure of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureClass {
    /// Used more CPU time than its limit.
    CpuLimit,
    /// Did not return within its limit of wall time.
    WallLimit,
    /// Asked for more memory or tables than its limit.
    MemoryLimit,
    /// Recursed deeper than the stack holds.
    StackOverflow,
    /// Reached an `unreachable` instruction, which is how a panic ends.
    Panicked,
    /// Trapped otherwise.
    Trapped,
    /// Called `exit` instead of returning.
    Exited,
    /// Received or returned more data than its limit.
    DataLimit,
    /// Returned something that is no value of the interface, or one that no command can have.
    BadResult,
    /// Changed what its stage or its rights do not let it change.
    Overstepped,
    /// Refused although its stage may not.
    Refused,
    /// Stands in stage `audit` and appended nothing.
    NotRecorded,
    /// Returned an error.
    Errored,
    /// Did not accept its settings, although it had at load.
    Settings,
    /// The host could not make the call.
    Host,
}

impl FailureClass {
    /// Every class.
    pub const ALL: [Self; 15] = [
        Self::CpuLimit,
        Self::WallLimit,
        Self::MemoryLimit,
        Self::StackOverflow,
        Self::Panicked,
        Self::Trapped,
        Self::Exited,
        Self::DataLimit,
        Self::BadResult,
        Self::Overstepped,
        Self::Refused,
        Self::NotRecorded,
        Self::Errored,
        Self::Settings,
        Self::Host,
    ];

    /// The name that reports and tests use.
    pub fn name(self) -> &'static str {
        match self {
            Self::CpuLimit => "cpu-limit",
            Self::WallLimit => "wall-limit",
            Self::MemoryLimit => "memory-limit",
            Self::StackOverflow => "stack-overflow",
            Self::Panicked => "panicked",
            Self::Trapped => "trapped",
            Self::Exited => "exited",
            Self::DataLimit => "data-limit",
            Self::BadResult => "bad-result",
            Self::Overstepped => "overstepped",
            Self::Refused => "refused",
            Self::NotRecorded => "not-recorded",
            Self::Errored => "errored",
            Self::Settings => "settings",
            Self::Host => "host",
        }
    }
}
