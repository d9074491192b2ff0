use std::io::{self, PipeReader};
use std::os::fd::{AsRawFd, OwnedFd};

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A descriptor that stays the same and stays open for as long as its owner lives.
pub(crate) trait Owner: AsRawFd {}

impl Owner for OwnedFd {}
impl Owner for PipeReader {}

/// Has the runtime tell when a descriptor is readable. Called within a runtime.
pub(crate) fn watch<T: Owner>(owner: T) -> io::Result<AsyncFd<T>> {
    // SAFETY: the owners are types of the standard library that own one descriptor, hand out
    // that same one each time and close it when they are dropped, which is after the runtime has
    // forgotten it.
    let watched = unsafe { AsyncFd::register_with_interest(owner, Interest::READABLE) };
    watched.map_err(io::Error::from)
}
