//! A supervisor that waits for its command. It is forked before there is a request, so that a
//! request has to wait for no fork but that of the shell.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::unistd::setsid;

use super::assignment::Assignment;
use super::link::exit_code;
use super::supervisor::supervise;
use crate::sys::descriptors;
use crate::sys::fork::fork;
use crate::sys::signals::ChildSignals;
use crate::sys::socket::{self, Wait};

/// The spawner's side of it. The process ends when this is dropped before it has a command.
#[derive(Debug)]
pub(super) struct Standby {
    pub(super) pid: i32,
    /// Over which it hands a copy of its connection to the host, once it has a command.
    pub(super) channel: OwnedFd,
}

impl Standby {
    /// Forks one that takes a request from `requests`.
    pub(super) fn fork(requests: &OwnedFd) -> io::Result<Self> {
        let requests = descriptors::duplicate(requests)?;
        let (channel, theirs) = socket::pair()?;
        let pid = fork(move || exit_code(stand_by(requests, theirs)))?;
        Ok(Self { pid, channel })
    }

    /// The copy of its connection to the host, if it has a command.
    pub(super) fn assigned(&self) -> Option<OwnedFd> {
        let message = socket::receive(self.channel.as_fd(), Wait::No).ok()??;
        message.descriptors.into_iter().next()
    }
}

/// In the process: becomes the supervisor of the next command.
fn stand_by(requests: OwnedFd, channel: OwnedFd) -> io::Result<()> {
    let kept = [&requests, &channel].map(|one| descriptors::number(one.as_fd()));
    descriptors::close_all_but(kept.to_vec())?;
    setsid()?;
    prctl::set_child_subreaper(true)?;
    prctl::set_name(c"supervisor")?;
    let children = ChildSignals::new()?;
    let Some(assignment) = next(&requests, &channel)? else {
        return Ok(());
    };
    // Before anything is run: whoever comes after this process looks for its orphans.
    let control = [assignment.control.as_fd()];
    socket::send(channel.as_fd(), b"taken", &control, Wait::Yes)?;
    drop((channel, requests));
    supervise(assignment, children);
    Ok(())
}

/// None if the host or the spawner is gone. A message that is no request is dropped.
fn next(requests: &OwnedFd, channel: &OwnedFd) -> io::Result<Option<Assignment>> {
    loop {
        let mut watched =
            [channel, requests].map(|one| PollFd::new(one.as_fd(), PollFlags::POLLIN));
        match poll(&mut watched, PollTimeout::NONE) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [spawner_is_gone, asked] = watched.map(|one| one.any() == Some(true));
        if spawner_is_gone {
            return Ok(None);
        }
        if !asked {
            continue;
        }
        match socket::receive(requests.as_fd(), Wait::No) {
            Ok(Some(message)) => {
                if let Some(assignment) = Assignment::from_message(message) {
                    return Ok(Some(assignment));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Ok(None) | Err(_) => return Ok(None),
        }
    }
}
