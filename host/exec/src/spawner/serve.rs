//! The process that forks supervisors: tiny, with one thread, so that a fork costs little however
//! large the host is.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, chdir, setsid};

use super::assignment::{Assignment, Start};
use super::supervisor::supervise;
use super::tree::Tree;
use crate::lifecycle::Exit;
use crate::sys::descriptors;
use crate::sys::fork::fork;
use crate::sys::signals::{ChildSignals, ignore_strays};
use crate::sys::socket::{self, Message, Wait};
use crate::sys::wait::{self, Change, Children};

/// Serves a host over `requests` until it is gone and every supervisor has ended.
///
/// The process leaves the host's session, so that nothing that is done to the host's group reaches
/// it, and keeps nothing that is the host's.
pub(super) fn serve(requests: OwnedFd) -> io::Result<()> {
    let requests = descriptors::duplicate(requests)?;
    descriptors::silence()?;
    descriptors::close_all_but(vec![descriptors::number(requests.as_fd())])?;
    setsid()?;
    ignore_strays()?;
    prctl::set_child_subreaper(true)?;
    prctl::set_name(c"spawner")?;
    // No directory of the host's is held either.
    chdir("/")?;
    let mut spawner = Spawner {
        requests: Some(requests),
        children: ChildSignals::new()?,
        supervisors: BTreeMap::new(),
    };
    while spawner.requests.is_some() || !spawner.supervisors.is_empty() {
        spawner.step()?;
    }
    Ok(())
}

struct Spawner {
    /// None once the host is gone.
    requests: Option<OwnedFd>,
    children: ChildSignals,
    /// By pid, each with a copy of its end of the connection to the host: the host takes the end
    /// of that for the end of the command's last process, so it must not come before the orphans
    /// of a supervisor that was killed are dead.
    supervisors: BTreeMap<i32, OwnedFd>,
}

impl Spawner {
    fn step(&mut self) -> io::Result<()> {
        let asked = self.wait()?;
        self.children.clear();
        self.look_after_children();
        if asked {
            self.serve_request();
        }
        Ok(())
    }

    /// Returns whether there is a request, or the end of them.
    fn wait(&self) -> io::Result<bool> {
        let mut watched = vec![PollFd::new(self.children.as_fd(), PollFlags::POLLIN)];
        let requests = self.requests.as_ref();
        watched.extend(requests.map(|requests| PollFd::new(requests.as_fd(), PollFlags::POLLIN)));
        match poll(&mut watched, PollTimeout::NONE) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(watched.get(1).is_some_and(|one| one.any() == Some(true)))
    }

    fn serve_request(&mut self) {
        let Some(requests) = &self.requests else {
            return;
        };
        match socket::receive(requests.as_fd(), Wait::No) {
            Ok(Some(message)) => self.start(message),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(None) | Err(_) => self.requests = None,
        }
    }

    /// A request that cannot be served is dropped with its descriptors, which tells the host.
    fn start(&mut self, message: Message) {
        let Some(assignment) = assignment(message) else {
            return;
        };
        let Ok(control) = descriptors::duplicate(&assignment.control) else {
            return;
        };
        if let Ok(pid) = fork(|| supervise(assignment)) {
            self.supervisors.insert(pid, control);
        }
    }

    /// A supervisor that was killed has left orphans. They are dead before its end is shown.
    fn look_after_children(&mut self) {
        let mut ended = Vec::new();
        while self.reap_children(&mut ended) {
            self.sweep();
        }
    }

    /// Returns whether there are orphans. A supervisor that is stopped goes on at once: only its
    /// command can have done that.
    fn reap_children(&mut self, ended: &mut Vec<OwnedFd>) -> bool {
        let mut has_orphans = false;
        while let Ok(Some((pid, change))) = wait::reap_or_stopped(Children::Any) {
            match change {
                Change::Stopped if self.supervisors.contains_key(&pid) => {
                    let _gone = kill(Pid::from_raw(pid), Signal::SIGCONT);
                }
                Change::Stopped => {}
                Change::Ended(exit) => {
                    if let Some(control) = self.supervisors.remove(&pid) {
                        has_orphans |= exit != Exit::Code(0);
                        ended.push(control);
                    }
                }
            }
        }
        has_orphans
    }

    /// Kills every descendant that has no supervisor.
    fn sweep(&self) {
        let tree = Tree::of_this_process(self.supervisors.keys().copied().collect());
        tree.kill(|longest| {
            self.children.wait(longest);
            tree.living().is_ok_and(|living| living.is_empty())
        });
    }
}

/// The order is that of `Request::send`; the bytes say which of those that may be missing are
/// there.
fn assignment(message: Message) -> Option<Assignment> {
    let mut descriptors = message.descriptors.into_iter();
    let [errors, stdin] = *message.bytes.as_array()?;
    Some(Assignment {
        control: descriptors.next()?,
        start: Start {
            plan: descriptors.next()?,
            cwd: descriptors.next()?,
            output: descriptors.next()?,
            errors: (errors == 1).then(|| descriptors.next()).flatten(),
            stdin: (stdin == 1).then(|| descriptors.next()).flatten(),
        },
    })
}
