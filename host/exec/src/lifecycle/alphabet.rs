//! What the state machine reads and writes.

use std::time::Duration;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Code(i32),
    Signal(i32),
}

impl Exit {
    /// One number for it, as shells have it.
    pub(crate) fn code(self) -> i32 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => 128 + signal,
        }
    }
}

/// Why a command is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    TimedOut,
    Cancelled,
}

/// A stop under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) cause: Cause,
    /// How the shell had ended before the stop, if it had.
    pub(crate) shell: Option<Exit>,
}

/// What is to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    Exited(Exit),
    Stopped(Stop),
}

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Spawned,
    Cancel,
    LeaderExited(Exit),
    /// Bytes came.
    Output,
    /// Nobody holds the output any more.
    EndOfFile,
    /// The answer to [`Action::CheckGroup`].
    GroupAlive,
    GroupEmpty,
    Elapsed(Timer),
}

/// What a wait is for. One that is armed again starts anew; one that no phase waits for any more
/// has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timer {
    Deadline,
    Grace,
    Check,
    KillLimit,
    DrainIdle,
    DrainLimit,
}

impl Timer {
    pub(crate) const ALL: [Self; 6] = [
        Self::Deadline,
        Self::Grace,
        Self::Check,
        Self::KillLimit,
        Self::DrainIdle,
        Self::DrainLimit,
    ];
}

/// What is to be done, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// SIGTERM to the group.
    Terminate,
    /// SIGKILL to the group.
    Kill,
    /// Find out whether a process of the group can still run.
    CheckGroup,
    Arm(Timer, Duration),
    /// The kill did not empty the group in time: find out who is left.
    NameSurvivors,
    /// Give the leader's number back. No signal comes after it.
    Reap,
    /// The one and last.
    Report(Report),
}

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) finish: Finish,
    /// Somebody still holds the output.
    pub(crate) held_open: bool,
}

impl Stop {
    /// A cancellation wins over a time limit.
    pub(super) fn cancelled(self) -> Self {
        Self {
            cause: Cause::Cancelled,
            ..self
        }
    }
}
