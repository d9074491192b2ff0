use std::io;
use std::os::fd::OwnedFd;

use tokio::io::unix::AsyncFd;

use crate::lifecycle::Exit;
use crate::sys::leader::Leader;
use crate::sys::watch::watch;

/// A running command whose end can be waited for.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) leader: Leader,
    ended: AsyncFd<OwnedFd>,
}

impl Process {
    pub(super) fn new(leader: Leader) -> io::Result<Self> {
        let ended = watch(leader.descriptor()?)?;
        Ok(Self { leader, ended })
    }

    /// Returns how the leader ended, once it has.
    pub(super) async fn exit(&mut self) -> io::Result<Exit> {
        loop {
            let mut ready = self.ended.readable().await?;
            match self.leader.exit()? {
                Some(exit) => return Ok(exit),
                None => ready.clear_ready(),
            }
        }
    }
}
