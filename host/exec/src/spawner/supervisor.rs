//! The process that stands between a command and everything else.
//!
//! It is the one that orphans of the command become children of, so that whatever a descendant
//! does to detach itself, "no child is left" means that the whole tree is gone. It has one thread
//! and waits in one place; between fork and exec its child may run ordinary code.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use spawnhook_model::Leftover;

use super::assignment::{Assignment, tell, tell_failure};
use super::drain::Drain;
use super::tree::Tree;
use super::wire::{Order, Report};
use crate::sys::signals::ChildSignals;
use crate::sys::socket::{self, Wait};
use crate::sys::wait::{self, Change, Children};

/// How often, in milliseconds, the kill is repeated on what it did not end in time.
const REPEAT_INTERVAL: u16 = 250;

/// Runs a command in this process, which has no child yet and adopts orphans.
pub(super) fn supervise(assignment: Assignment, children: ChildSignals) {
    let Assignment { control, start } = assignment;
    match start.fork_shell(&control) {
        Ok(shell) => Supervisor::new(control, children, shell).serve(),
        Err(error) => tell_failure(&control, &error),
    }
}

/// What the supervisor is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    /// The command runs.
    Watch,
    /// It was told to end.
    Terminate,
    /// It is killed, and whatever is left is killed again.
    Kill,
    /// It has ended, and what it has left lives on until the host is gone.
    Session,
    /// It has ended, and what it has left lives on.
    Keep,
}

struct Supervisor {
    /// None once the host is gone, or not of interest any more.
    control: Option<OwnedFd>,
    children: ChildSignals,
    /// The shell, which leads the command's group and session.
    shell: i32,
    /// As long as it is not reaped the number of its group belongs to nobody else.
    shell_lives: bool,
    duty: Duty,
    tree: Tree,
    /// The output of those that the command has left.
    drain: Drain,
}

impl Supervisor {
    fn new(control: OwnedFd, children: ChildSignals, shell: i32) -> Self {
        Self {
            control: Some(control),
            children,
            shell,
            shell_lives: true,
            duty: Duty::Watch,
            tree: Tree::of_this_process(BTreeSet::new()),
            drain: Drain::default(),
        }
    }

    /// Until no process of the command is left.
    fn serve(&mut self) {
        loop {
            let Ok(ready) = self.wait() else {
                self.kill();
                return;
            };
            if ready.output {
                self.drain.read();
            }
            self.children.clear();
            if self.reap() {
                return;
            }
            if ready.control && self.obey() {
                return;
            }
            if self.duty == Duty::Kill {
                // Looked at in the next turn.
                drop(self.tree.kill_once());
            }
        }
    }

    fn wait(&self) -> io::Result<Ready> {
        let mut watched = vec![PollFd::new(self.children.as_fd(), PollFlags::POLLIN)];
        let control = self.control.as_ref();
        watched.extend(control.map(|control| PollFd::new(control.as_fd(), PollFlags::POLLIN)));
        let outputs = self.drain.watched();
        watched.extend(outputs.map(|output| PollFd::new(output, PollFlags::POLLIN)));
        let timeout = match self.duty {
            Duty::Kill => PollTimeout::from(REPEAT_INTERVAL),
            _ => PollTimeout::NONE,
        };
        match poll(&mut watched, timeout) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut ready = watched.iter().map(|one| one.any() == Some(true));
        ready.next();
        Ok(Ready {
            control: control.is_some() && ready.next() == Some(true),
            output: ready.any(|output| output),
        })
    }

    /// Gives the numbers of ended processes back to the system, and tells of the shell's end.
    /// Returns whether nobody is left, which is told as well.
    fn reap(&mut self) -> bool {
        let mut exit = None;
        let is_empty = loop {
            match wait::reap(Children::Any) {
                Ok(Some((pid, Change::Ended(end)))) if pid == self.shell && self.shell_lives => {
                    self.shell_lives = false;
                    exit = Some(end);
                }
                Ok(Some(_)) => {}
                Ok(None) => break false,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // There is no child.
                Err(_) => break true,
            }
        };
        match (exit, is_empty) {
            (Some(exit), true) => self.tell(&Report::ExitedAlone(exit)),
            (Some(exit), false) => self.tell(&Report::Exited(exit)),
            (None, true) => self.tell(&Report::Empty),
            (None, false) => {}
        }
        is_empty
    }

    /// Does what the host wants. Returns whether nothing is left to do.
    fn obey(&mut self) -> bool {
        let message = match &self.control {
            Some(control) => socket::receive(control.as_fd(), Wait::No),
            None => return false,
        };
        match message {
            Ok(Some(message)) => match Order::decode(&message.bytes) {
                Some(Order::Terminate) => self.terminate(),
                Some(Order::Kill) => self.kill_and_tell(),
                Some(Order::Signal(number)) => {
                    if let Ok(signal) = Signal::try_from(number) {
                        self.signal_group(signal);
                    }
                    false
                }
                Some(Order::LeaveForSession) => self.leave(Duty::Session, message.descriptors),
                Some(Order::LeaveForGood) => self.leave(Duty::Keep, message.descriptors),
                Some(Order::Record { room }) => {
                    self.drain
                        .open(message.descriptors.into_iter().next(), room);
                    false
                }
                None => self.host_is_gone(),
            },
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => false,
            Ok(None) | Err(_) => self.host_is_gone(),
        }
    }

    fn host_is_gone(&mut self) -> bool {
        self.control = None;
        self.drain.open(None, 0);
        self.duty != Duty::Keep && self.kill()
    }

    fn terminate(&mut self) -> bool {
        self.signal_group(Signal::SIGTERM);
        self.duty = Duty::Terminate;
        self.reap()
    }

    fn kill_and_tell(&mut self) -> bool {
        let is_empty = self.kill();
        if !is_empty {
            self.tell(&Report::Remaining(self.leftovers()));
        }
        is_empty
    }

    /// The group first, for which nothing has to be looked up, then whoever is left.
    fn kill(&mut self) -> bool {
        self.duty = Duty::Kill;
        if self.shell_lives {
            self.signal_group(Signal::SIGKILL);
        }
        if self.reap() {
            return true;
        }
        let tree = self.tree.clone();
        tree.kill(|longest| {
            self.children.wait(longest);
            self.reap()
        })
    }

    fn leave(&mut self, duty: Duty, output: Vec<OwnedFd>) -> bool {
        self.drain = Drain::of(output);
        self.duty = duty;
        let is_empty = self.reap();
        if !is_empty {
            self.tell(&Report::Left(self.leftovers()));
        }
        is_empty
    }

    /// None if the system does not tell.
    fn leftovers(&self) -> Vec<Leftover> {
        let living = self.tree.living().unwrap_or_default();
        living.iter().map(|process| process.as_leftover()).collect()
    }

    /// Once the group's number may be somebody else's, those descendants that have it.
    fn signal_group(&self, signal: Signal) {
        if self.shell_lives {
            // Whom it does not reach is found among the descendants.
            let _unreached = killpg(Pid::from_raw(self.shell), signal);
        } else {
            self.tree.signal_group(self.shell, signal);
        }
    }

    fn tell(&self, report: &Report) {
        if let Some(control) = &self.control {
            tell(control, report);
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Ready {
    control: bool,
    output: bool,
}
