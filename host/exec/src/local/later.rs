use std::os::fd::{AsFd, OwnedFd};

use crate::OpenFile;
use crate::spawner::wire::Order;
use crate::sys::socket::{self, Wait};

/// What the processes write that a command has left. Until this is dropped or given a file it
/// waits for them in the pipe; without a file it is read and forgotten.
#[derive(Debug)]
pub struct LaterOutput {
    pub(super) control: OwnedFd,
}

impl LaterOutput {
    /// Has it written to a file, which must be at its end, as far as there is room, for as long as
    /// the processes live.
    pub fn keep_in(self, to: &OpenFile) {
        self.record(Some(to));
    }

    fn record(&self, to: Option<&OpenFile>) {
        let room = to.map_or(0, |to| to.room);
        let file: Vec<_> = to.map(|to| to.file.as_fd()).into_iter().collect();
        // A supervisor that has left has nothing to record.
        drop(socket::send(
            self.control.as_fd(),
            &Order::Record { room }.encode(),
            &file,
            Wait::No,
        ));
    }
}

/// The first order is the one that counts.
impl Drop for LaterOutput {
    fn drop(&mut self) {
        self.record(None);
    }
}
