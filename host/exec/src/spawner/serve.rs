//! The process that forks supervisors: tiny, with one thread, so that a fork costs little however
//! large the host is.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, chdir, setsid};

use super::standby::Standby;
use super::tree::Tree;
use crate::lifecycle::Exit;
use crate::sys::descriptors;
use crate::sys::signals::{ChildSignals, ignore_strays};
use crate::sys::socket::{self, Wait};
use crate::sys::wait::{self, Change, Children};

/// What a host is going to want of its spawner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commands {
    /// One command: whoever stands by for a second one does so when there is one.
    One,
    /// Many commands, none of which is to wait for a fork.
    Many,
}

/// Serves a host over `requests` until it is gone and every supervisor has ended.
///
/// The process leaves the host's session, so that nothing that is done to the host's group reaches
/// it, and keeps nothing that is the host's.
pub(super) fn serve(requests: OwnedFd, commands: Commands) -> io::Result<()> {
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
        standby: None,
        commands,
        is_wanted: true,
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
    /// The one that takes the next request, so that no request waits for a fork. None if there
    /// could be none: then the next request is the occasion to try again.
    standby: Option<Standby>,
    commands: Commands,
    /// Whether somebody is to stand by.
    is_wanted: bool,
    /// By pid, each with a copy of its end of the connection to the host: the host takes the end
    /// of that for the end of the command's last process, so it must not come before the orphans
    /// of a supervisor that was killed are dead.
    supervisors: BTreeMap<i32, OwnedFd>,
}

/// What there is to do.
struct Ready {
    standby: bool,
    requests: bool,
    host_is_gone: bool,
}

impl Spawner {
    fn step(&mut self) -> io::Result<()> {
        if self.standby.is_none()
            && self.is_wanted
            && let Some(requests) = &self.requests
        {
            self.standby = Standby::fork(requests).ok();
        }
        let ready = self.wait()?;
        self.children.clear();
        self.look_after_children();
        if ready.standby {
            self.greet();
        }
        if ready.host_is_gone {
            self.requests = None;
            self.standby = None;
        } else if ready.requests {
            self.look_after_requests();
        }
        Ok(())
    }

    /// As long as somebody stands by only the end of the requests is waited for.
    fn wait(&self) -> io::Result<Ready> {
        let mut watched = vec![PollFd::new(self.children.as_fd(), PollFlags::POLLIN)];
        let standby = self.standby.as_ref();
        watched.extend(standby.map(|one| PollFd::new(one.channel.as_fd(), PollFlags::POLLIN)));
        let wanted = match standby {
            Some(_) => PollFlags::empty(),
            None => PollFlags::POLLIN,
        };
        let requests = self.requests.as_ref();
        watched.extend(requests.map(|requests| PollFd::new(requests.as_fd(), wanted)));
        match poll(&mut watched, PollTimeout::NONE) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        let host = requests.and_then(|_| watched.last()?.revents());
        let host = host.unwrap_or(PollFlags::empty());
        Ok(Ready {
            standby: standby.is_some() && watched[1].any() == Some(true),
            requests: host.contains(PollFlags::POLLIN),
            host_is_gone: host.intersects(PollFlags::POLLHUP | PollFlags::POLLERR),
        })
    }

    /// The one that stood by has taken a request, or has ended.
    fn greet(&mut self) {
        if let Some(standby) = self.standby.take()
            && let Some(control) = standby.assigned()
        {
            self.is_wanted = self.commands == Commands::Many;
            self.supervisors.insert(standby.pid, control);
        }
    }

    /// The host wants a command, and nobody stands by. If nobody could, the request is dropped with
    /// its descriptors, which tells it.
    fn look_after_requests(&mut self) {
        if !std::mem::replace(&mut self.is_wanted, true) {
            return;
        }
        if let Some(requests) = &self.requests {
            drop(socket::receive(requests.as_fd(), Wait::No));
        }
    }

    /// A supervisor that was killed has left orphans. They are dead before its end is shown.
    fn look_after_children(&mut self) {
        let mut ended = Vec::new();
        while self.reap_children(&mut ended) {
            self.sweep();
        }
    }

    /// Returns whether there are orphans. A supervisor that is stopped goes on at once: only a
    /// command can have done that.
    fn reap_children(&mut self, ended: &mut Vec<OwnedFd>) -> bool {
        let mut has_orphans = false;
        while let Ok(Some((pid, change))) = wait::reap_or_stopped(Children::Any) {
            let stood_by = self.stands_by(pid);
            match change {
                Change::Stopped if stood_by || self.supervisors.contains_key(&pid) => {
                    let _gone = kill(Pid::from_raw(pid), Signal::SIGCONT);
                }
                Change::Stopped => {}
                Change::Ended(exit) => {
                    if stood_by {
                        self.greet();
                    }
                    if let Some(control) = self.supervisors.remove(&pid) {
                        has_orphans |= exit != Exit::Code(0);
                        ended.push(control);
                    }
                }
            }
        }
        has_orphans
    }

    fn stands_by(&self, pid: i32) -> bool {
        let standby = self.standby.as_ref();
        standby.is_some_and(|standby| standby.pid == pid)
    }

    /// Kills every descendant that has no supervisor.
    fn sweep(&self) {
        let standby = self.standby.as_ref().map(|standby| standby.pid);
        let spared = self.supervisors.keys().copied().chain(standby);
        let tree = Tree::of_this_process(spared.collect());
        tree.kill(|longest| {
            self.children.wait(longest);
            tree.living().is_ok_and(|living| living.is_empty())
        });
    }
}
