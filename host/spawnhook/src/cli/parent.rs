//! The process that has started this one.

use std::os::fd::OwnedFd;

use anyhow::Context as _;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{PidfdFlags, getppid, pidfd_open};

/// A process that is meant whatever becomes of its number.
pub(crate) struct Parent(OwnedFd);

impl Parent {
    /// None if there is none: it has ended already, or cannot be seen from here.
    pub(crate) fn now() -> Option<Self> {
        let parent = getppid()?;
        let process = pidfd_open(parent, PidfdFlags::empty()).ok()?;
        // Its number may have been another's by then.
        (getppid() == Some(parent)).then_some(Self(process))
    }

    /// Does `work` once it has ended, on a thread that ends with this process.
    pub(crate) fn on_end(self, work: impl FnOnce() + Send + 'static) -> anyhow::Result<()> {
        let wait = move || {
            let mut watched = [PollFd::new(&self.0, PollFlags::IN)];
            while poll(&mut watched, None).is_err() {}
            work();
        };
        let thread = std::thread::Builder::new().name("parent".to_owned());
        drop(thread.spawn(wait).context("cannot start a thread")?);
        Ok(())
    }
}
