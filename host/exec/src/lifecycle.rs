//! The life of one command as a pure state machine: what happens next, without doing it.
//!
//! ```text
//! Spawning ─→ Running ─→ Draining ─→ Leaving ─→ Done
//!    │           │        │    │                 ↑
//!    │           ↓        ↓    ↓                 │
//!    └──────→ Stopping ─→ Killing ─→ Flushing ───┘
//! ```
//!
//! Kill first, report second: after a stop nothing is reported before no process of the command is
//! left, or before it is known that some cannot be ended. What a supervisor that was killed leaves
//! is dead when its end is known, from whatever phase.

mod alphabet;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod trial;

use std::time::Duration;

use crate::Leftovers;

pub(crate) use alphabet::{Action, Cause, Certainty, Exit, Finish, Input, Report, Stop, Timer};

/// Without a byte for this long after the shell's exit, whoever still holds the output is taken
/// to be a background process. The bash tool that this contract comes from waits as long.
pub(crate) const DRAIN_IDLE: Duration = Duration::from_millis(100);
/// The longest wait for output after the shell's exit, however much still comes.
pub(crate) const DRAIN_LIMIT: Duration = Duration::from_secs(2);
/// The longest wait for output after a kill: all that can be left is in the pipe.
pub(crate) const STOPPED_DRAIN_LIMIT: Duration = Duration::from_millis(200);
/// The longest wait for the answer to a kill: the supervisor gives up half a second earlier.
pub(crate) const KILL_LIMIT: Duration = Duration::from_millis(2500);

/// Where a command is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Spawning {
        cancelled: bool,
    },
    Running,
    Stopping(Stop),
    Killing(Finish),
    /// The shell has ended by itself, its output may not have.
    Draining(Exit),
    /// The supervisor is asked what the command has left.
    Leaving(Exit),
    /// Nobody is left, and what was written before is read.
    Flushing(Finish, Certainty),
    Done,
}

/// The machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lifecycle {
    phase: Phase,
    end_of_file: bool,
    tree_is_empty: bool,
    timeout: Option<Duration>,
    grace: Duration,
    leftovers: Leftovers,
}

impl Lifecycle {
    pub(crate) fn new(timeout: Option<Duration>, grace: Duration, leftovers: Leftovers) -> Self {
        Self {
            phase: Phase::Spawning { cancelled: false },
            end_of_file: false,
            tree_is_empty: false,
            timeout,
            grace,
            leftovers,
        }
    }

    /// Takes one input, and returns what is to be done about it.
    pub(crate) fn handle(&mut self, input: Input) -> Vec<Action> {
        self.end_of_file |= input == Input::EndOfFile;
        self.tree_is_empty |= matches!(input, Input::TreeEmpty | Input::LeaderExitedAlone(_));
        let (phase, actions) = self.step(input);
        self.phase = phase;
        actions
    }

    fn step(&self, input: Input) -> (Phase, Vec<Action>) {
        match self.phase {
            Phase::Spawning { cancelled } => self.spawning(cancelled, input),
            Phase::Running => self.running(input),
            Phase::Stopping(stop) => self.stopping(stop, input),
            Phase::Killing(finish) => self.killing(finish, input),
            Phase::Draining(exit) => self.draining(exit, input),
            Phase::Leaving(exit) => self.leaving(exit, input),
            Phase::Flushing(finish, certainty) => self.flushing(finish, certainty, input),
            Phase::Done => (Phase::Done, vec![]),
        }
    }

    fn spawning(&self, cancelled: bool, input: Input) -> (Phase, Vec<Action>) {
        match (input, self.timeout) {
            (Input::Spawned, _) if cancelled => self.stop(Cause::Cancelled, None),
            (Input::Spawned, None) => (Phase::Running, vec![]),
            (Input::Spawned, Some(timeout)) => {
                (Phase::Running, vec![Action::Arm(Timer::Deadline, timeout)])
            }
            (input, _) => {
                let cancelled = cancelled || input == Input::Cancel;
                (Phase::Spawning { cancelled }, vec![])
            }
        }
    }

    fn running(&self, input: Input) -> (Phase, Vec<Action>) {
        match input {
            Input::Cancel => self.stop(Cause::Cancelled, None),
            Input::Elapsed(Timer::Deadline) => self.stop(Cause::TimedOut, None),
            Input::LeaderExited(exit) | Input::LeaderExitedAlone(exit) if self.end_of_file => {
                self.leave(exit)
            }
            Input::LeaderExited(exit) | Input::LeaderExitedAlone(exit) => (
                Phase::Draining(exit),
                vec![
                    Action::Arm(Timer::DrainIdle, DRAIN_IDLE),
                    Action::Arm(Timer::DrainLimit, DRAIN_LIMIT),
                ],
            ),
            Input::Lost => self.flush(Finish::Exited(KILLED), Certainty::Lost),
            _ => (Phase::Running, vec![]),
        }
    }

    fn stopping(&self, stop: Stop, input: Input) -> (Phase, Vec<Action>) {
        match input {
            Input::Cancel => (Phase::Stopping(stop.cancelled()), vec![]),
            Input::Elapsed(Timer::Grace) => kill(Finish::Stopped(stop)),
            Input::TreeEmpty | Input::LeaderExitedAlone(_) => {
                self.flush(Finish::Stopped(stop), Certainty::Gone)
            }
            Input::Lost => self.flush(Finish::Stopped(stop), Certainty::Lost),
            _ => (Phase::Stopping(stop), vec![]),
        }
    }

    fn killing(&self, finish: Finish, input: Input) -> (Phase, Vec<Action>) {
        match input {
            Input::Cancel => (Phase::Killing(finish.cancelled()), vec![]),
            Input::TreeEmpty | Input::LeaderExitedAlone(_) => self.flush(finish, Certainty::Gone),
            Input::Lost => self.flush(finish, Certainty::Lost),
            Input::TreeRemains => self.done(finish, Certainty::Remaining),
            Input::Elapsed(Timer::KillLimit) => self.done(finish, Certainty::Unknown),
            _ => (Phase::Killing(finish), vec![]),
        }
    }

    fn draining(&self, exit: Exit, input: Input) -> (Phase, Vec<Action>) {
        match input {
            Input::Cancel => self.stop(Cause::Cancelled, Some(exit)),
            Input::Elapsed(Timer::Deadline) => self.stop(Cause::TimedOut, Some(exit)),
            Input::Output => (
                Phase::Draining(exit),
                vec![Action::Arm(Timer::DrainIdle, DRAIN_IDLE)],
            ),
            Input::EndOfFile | Input::Elapsed(Timer::DrainIdle | Timer::DrainLimit) => {
                self.leave(exit)
            }
            Input::Lost => self.flush(Finish::Exited(exit), Certainty::Lost),
            _ => (Phase::Draining(exit), vec![]),
        }
    }

    fn leave(&self, exit: Exit) -> (Phase, Vec<Action>) {
        match self.leftovers {
            _ if self.tree_is_empty => self.done(Finish::Exited(exit), Certainty::Gone),
            Leftovers::Kill => kill(Finish::Exited(exit)),
            Leftovers::Session | Leftovers::Keep => (
                Phase::Leaving(exit),
                vec![Action::Leave, Action::Arm(Timer::KillLimit, KILL_LIMIT)],
            ),
        }
    }

    fn leaving(&self, exit: Exit, input: Input) -> (Phase, Vec<Action>) {
        let finish = Finish::Exited(exit);
        match input {
            Input::Left | Input::TreeEmpty => self.done(finish, Certainty::Gone),
            Input::Lost => self.done(finish, Certainty::Lost),
            Input::Elapsed(Timer::KillLimit) => self.done(finish, Certainty::Unknown),
            _ => (Phase::Leaving(exit), vec![]),
        }
    }

    fn flushing(&self, finish: Finish, certainty: Certainty, input: Input) -> (Phase, Vec<Action>) {
        match input {
            Input::Cancel => (Phase::Flushing(finish.cancelled(), certainty), vec![]),
            Input::EndOfFile | Input::Elapsed(Timer::DrainLimit) => self.done(finish, certainty),
            _ => (Phase::Flushing(finish, certainty), vec![]),
        }
    }

    fn stop(&self, cause: Cause, shell: Option<Exit>) -> (Phase, Vec<Action>) {
        let stop = Stop { cause, shell };
        if self.tree_is_empty {
            return self.flush(Finish::Stopped(stop), Certainty::Gone);
        }
        if self.grace.is_zero() {
            return kill(Finish::Stopped(stop));
        }
        let actions = vec![Action::Terminate, Action::Arm(Timer::Grace, self.grace)];
        (Phase::Stopping(stop), actions)
    }

    fn flush(&self, finish: Finish, certainty: Certainty) -> (Phase, Vec<Action>) {
        if self.end_of_file {
            return self.done(finish, certainty);
        }
        let limit = Action::Arm(Timer::DrainLimit, STOPPED_DRAIN_LIMIT);
        (Phase::Flushing(finish, certainty), vec![limit])
    }

    fn done(&self, finish: Finish, certainty: Certainty) -> (Phase, Vec<Action>) {
        let report = Report {
            finish,
            held_open: !self.end_of_file,
            certainty,
        };
        (Phase::Done, vec![Action::Report(report)])
    }
}

/// How a shell ends whose supervisor was killed.
const KILLED: Exit = Exit::Signal(9);

fn kill(finish: Finish) -> (Phase, Vec<Action>) {
    let limit = Action::Arm(Timer::KillLimit, KILL_LIMIT);
    (Phase::Killing(finish), vec![Action::Kill, limit])
}

#[cfg(test)]
mod tests;
