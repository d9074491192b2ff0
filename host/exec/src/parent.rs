use nix::unistd::getppid;

use crate::sys::pidfd::PidFd;
use crate::sys::watch::watch;

/// The process that has started this one, whatever becomes of its number.
#[derive(Debug)]
pub struct Parent(PidFd);

impl Parent {
    /// None if there is none any more, or it is not to be seen from here.
    pub fn now() -> Option<Self> {
        let parent = getppid();
        let process = PidFd::open(parent.as_raw()).ok()?;
        // Whoever has taken its place may have its number.
        (getppid() == parent).then_some(Self(process))
    }

    /// Returns once it has ended, however; needs a tokio runtime with I/O. If that cannot watch it,
    /// nothing is known of it, which is taken for the worst.
    pub async fn ended(self) {
        if let Ok(process) = watch(self.0.into_descriptor()) {
            let _ended = process.readable().await;
        }
    }
}
