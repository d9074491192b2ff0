use crate::{Failure, Timeout};

/// How an accepted request ended. Every accepted request has exactly one.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The shell exited with this code.
    Exited(i32),
    /// The shell was killed by this signal number.
    Signaled(i32),
    /// The time limit was reached.
    TimedOut {
        /// The limit.
        after: Timeout,
        /// The shell's exit code (128 + signal for a signal), if it had ended by then and only
        /// its descendants kept the call open.
        shell: Option<i32>,
    },
    /// The caller cancelled.
    Cancelled {
        /// As for [`Self::TimedOut`].
        shell: Option<i32>,
    },
    /// A hook, or the person it asked, refused. Nothing was spawned.
    Denied {
        /// The name of the hook.
        hook: String,
        /// Its reason.
        reason: String,
    },
    /// A hook failed, and its deployment says that this stops the command. Nothing was spawned.
    HookFailed {
        /// The name of the hook.
        hook: String,
        /// How it failed.
        failure: Failure,
    },
    /// The command could not be started, for this reason.
    SpawnFailed(String),
}

impl Ending {
    /// The name that results, events and audit records use: `exited`, `signaled`, `timed-out`,
    /// `cancelled`, `denied`, `hook-failed`, `spawn-failed`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exited(_) => "exited",
            Self::Signaled(_) => "signaled",
            Self::TimedOut { .. } => "timed-out",
            Self::Cancelled { .. } => "cancelled",
            Self::Denied { .. } => "denied",
            Self::HookFailed { .. } => "hook-failed",
            Self::SpawnFailed(_) => "spawn-failed",
        }
    }

    /// The exit code, if the command itself ended: 128 + N for signal N, as shells have it.
    pub fn exit_code(&self) -> Option<i32> {
        match self {
            Self::Exited(code) => Some(*code),
            Self::Signaled(signal) => Some(128 + signal),
            _ => None,
        }
    }

    /// Whether this is anything but an exit with code 0.
    pub fn is_error(&self) -> bool {
        *self != Self::Exited(0)
    }

    /// Whether the command never ran: refused, or not started.
    pub fn before_spawn(&self) -> bool {
        matches!(
            self,
            Self::Denied { .. } | Self::HookFailed { .. } | Self::SpawnFailed(_)
        )
    }
}
