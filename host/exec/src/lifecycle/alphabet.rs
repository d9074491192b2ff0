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
    /// The same, and no process of the command is left.
    LeaderExitedAlone(Exit),
    /// Bytes came.
    Output,
    /// Nobody holds the output any more.
    EndOfFile,
    /// No process of the command is left.
    TreeEmpty,
    /// The answer to [`Action::Kill`] if some could not be ended in time.
    TreeRemains,
    /// The answer to [`Action::Leave`].
    Left,
    /// The supervisor was killed; so, by now, are the processes of the command.
    Lost,
    Elapsed(Timer),
}

/// What a wait is for. One that is armed again starts anew; one that no phase waits for any more
/// has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timer {
    Deadline,
    Grace,
    /// The supervisor has a limit of its own, after which it answers; this one is for a
    /// supervisor that does not.
    KillLimit,
    DrainIdle,
    DrainLimit,
}

impl Timer {
    pub(crate) const ALL: [Self; 5] = [
        Self::Deadline,
        Self::Grace,
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
    /// SIGKILL to every process of the command, until there is none.
    Kill,
    /// Leave alone what the command has left.
    Leave,
    Arm(Timer, Duration),
    /// The one and last.
    Report(Report),
}

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) finish: Finish,
    /// Somebody still holds the output.
    pub(crate) held_open: bool,
    /// How sure it is that nobody of those who should be dead lives.
    pub(crate) certainty: Certainty,
}

/// What is known about the processes that should be dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// None is left, or none was to be killed.
    Gone,
    /// Some are left although they were killed.
    Remaining,
    /// Nobody answered.
    Unknown,
    /// They were killed because their supervisor was.
    Lost,
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

impl Finish {
    /// What ended by itself, and is cancelled while its leftovers are killed, was cancelled too.
    pub(super) fn cancelled(self) -> Self {
        Self::Stopped(match self {
            Self::Stopped(stop) => stop.cancelled(),
            Self::Exited(exit) => Stop {
                cause: Cause::Cancelled,
                shell: Some(exit),
            },
        })
    }
}
