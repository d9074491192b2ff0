//! The life of one command as a pure state machine: what happens next, without doing it.
//!
//! ```text
//! Spawning ─→ Running ─→ Draining ─→ Done
//!    │           │        │    ↑
//!    │           ↓        ↓    │
//!    └──────→ Stopping ─→ Killing
//! ```
//!
//! Kill first, report second: after a stop nothing is reported before the group is empty, or
//! before [`KILL_LIMIT`] has shown that it cannot be emptied.

mod alphabet;

use std::time::Duration;

pub(crate) use alphabet::{Action, Cause, Exit, Finish, Input, Report, Stop, Timer};

/// Without a byte for this long after the shell's exit, whoever still holds the output is taken
/// to be a background process. The bash tool that this contract comes from waits as long.
pub(crate) const DRAIN_IDLE: Duration = Duration::from_millis(100);
/// The longest wait for output after the shell's exit, however much still comes.
pub(crate) const DRAIN_LIMIT: Duration = Duration::from_secs(2);
/// The longest wait for output after a kill: all that can be left is in the pipe.
pub(crate) const STOPPED_DRAIN_LIMIT: Duration = Duration::from_millis(200);
/// After this long a process that SIGKILL did not end is in uninterruptible sleep or another
/// user's.
pub(crate) const KILL_LIMIT: Duration = Duration::from_secs(2);
/// The time between two looks at a group that ought to be empty soon.
pub(crate) const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// Where a command is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Spawning { cancelled: bool },
    Running,
    Stopping(Stop),
    Killing(Stop),
    Draining(Finish),
    Done,
}

/// The machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lifecycle {
    phase: Phase,
    end_of_file: bool,
    timeout: Option<Duration>,
    grace: Duration,
}

impl Lifecycle {
    pub(crate) fn new(timeout: Option<Duration>, grace: Duration) -> Self {
        Self {
            phase: Phase::Spawning { cancelled: false },
            end_of_file: false,
            timeout,
            grace,
        }
    }

    /// Takes one input, and returns what is to be done about it.
    pub(crate) fn handle(&mut self, input: Input) -> Vec<Action> {
        self.end_of_file |= input == Input::EndOfFile;
        let (phase, actions) = self.step(input);
        self.phase = phase;
        actions
    }

    fn step(&self, input: Input) -> (Phase, Vec<Action>) {
        match self.phase {
            Phase::Spawning { cancelled } => self.spawning(cancelled, input),
            Phase::Running => self.running(input),
            Phase::Stopping(stop) => Self::stopping(stop, input),
            Phase::Killing(stop) => self.killing(stop, input),
            Phase::Draining(Finish::Exited(exit)) => self.draining(exit, input),
            Phase::Draining(Finish::Stopped(stop)) => self.draining_stopped(stop, input),
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
            Input::LeaderExited(exit) => self.drain(
                Finish::Exited(exit),
                vec![
                    Action::Arm(Timer::DrainIdle, DRAIN_IDLE),
                    Action::Arm(Timer::DrainLimit, DRAIN_LIMIT),
                ],
            ),
            _ => (Phase::Running, vec![]),
        }
    }

    fn stopping(stop: Stop, input: Input) -> (Phase, Vec<Action>) {
        match input {
            Input::Cancel => (Phase::Stopping(stop.cancelled()), vec![]),
            // A look at a group that can still fork may miss a member; after a kill none can.
            Input::Elapsed(Timer::Grace) | Input::GroupEmpty => kill(stop),
            Input::LeaderExited(_) | Input::Elapsed(Timer::Check) => {
                (Phase::Stopping(stop), vec![Action::CheckGroup])
            }
            Input::GroupAlive => (Phase::Stopping(stop), vec![CHECK_LATER]),
            _ => (Phase::Stopping(stop), vec![]),
        }
    }

    fn killing(&self, stop: Stop, input: Input) -> (Phase, Vec<Action>) {
        match input {
            Input::Cancel => (Phase::Killing(stop.cancelled()), vec![]),
            Input::LeaderExited(_) => (Phase::Killing(stop), vec![Action::CheckGroup]),
            Input::Elapsed(Timer::Check) => {
                (Phase::Killing(stop), vec![Action::Kill, Action::CheckGroup])
            }
            Input::GroupAlive => (Phase::Killing(stop), vec![CHECK_LATER]),
            Input::GroupEmpty => self.drain_stopped(stop),
            Input::Elapsed(Timer::KillLimit) => {
                let (phase, mut actions) = self.done(Finish::Stopped(stop));
                actions.insert(0, Action::NameSurvivors);
                (phase, actions)
            }
            _ => (Phase::Killing(stop), vec![]),
        }
    }

    fn draining(&self, exit: Exit, input: Input) -> (Phase, Vec<Action>) {
        let finish = Finish::Exited(exit);
        match input {
            Input::Cancel => self.stop(Cause::Cancelled, Some(exit)),
            Input::Elapsed(Timer::Deadline) => self.stop(Cause::TimedOut, Some(exit)),
            Input::Output => (
                Phase::Draining(finish),
                vec![Action::Arm(Timer::DrainIdle, DRAIN_IDLE)],
            ),
            Input::EndOfFile | Input::Elapsed(Timer::DrainIdle | Timer::DrainLimit) => {
                self.done(finish)
            }
            _ => (Phase::Draining(finish), vec![]),
        }
    }

    fn draining_stopped(&self, stop: Stop, input: Input) -> (Phase, Vec<Action>) {
        match input {
            Input::Cancel => (Phase::Draining(Finish::Stopped(stop.cancelled())), vec![]),
            Input::EndOfFile | Input::Elapsed(Timer::DrainLimit) => {
                self.done(Finish::Stopped(stop))
            }
            _ => (Phase::Draining(Finish::Stopped(stop)), vec![]),
        }
    }

    fn stop(&self, cause: Cause, shell: Option<Exit>) -> (Phase, Vec<Action>) {
        let stop = Stop { cause, shell };
        if self.grace.is_zero() {
            return kill(stop);
        }
        let mut actions = vec![Action::Terminate, Action::Arm(Timer::Grace, self.grace)];
        // Nothing else would tell that the rest of the group is gone.
        actions.extend(shell.map(|_| CHECK_LATER));
        (Phase::Stopping(stop), actions)
    }

    fn drain_stopped(&self, stop: Stop) -> (Phase, Vec<Action>) {
        let limit = Action::Arm(Timer::DrainLimit, STOPPED_DRAIN_LIMIT);
        self.drain(Finish::Stopped(stop), vec![limit])
    }

    fn drain(&self, finish: Finish, actions: Vec<Action>) -> (Phase, Vec<Action>) {
        if self.end_of_file {
            self.done(finish)
        } else {
            (Phase::Draining(finish), actions)
        }
    }

    fn done(&self, finish: Finish) -> (Phase, Vec<Action>) {
        let report = Report {
            finish,
            held_open: !self.end_of_file,
        };
        (Phase::Done, vec![Action::Reap, Action::Report(report)])
    }
}

const CHECK_LATER: Action = Action::Arm(Timer::Check, CHECK_INTERVAL);

fn kill(stop: Stop) -> (Phase, Vec<Action>) {
    let actions = vec![
        Action::Kill,
        Action::Arm(Timer::KillLimit, KILL_LIMIT),
        Action::CheckGroup,
    ];
    (Phase::Killing(stop), actions)
}

#[cfg(test)]
mod tests;
