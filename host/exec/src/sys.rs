//! Everything that talks to the system below the standard library.

pub(crate) mod directory;
#[expect(
    unsafe_code,
    reason = "a child is prepared between fork and exec, where only system calls are safe"
)]
pub(crate) mod launch;
#[expect(
    unsafe_code,
    reason = "waitid and pidfd_open have no wrapper that knows real-time signals and old glibc"
)]
pub(crate) mod leader;
pub(crate) mod members;
pub(crate) mod pipe;
pub(crate) mod signal_name;
#[expect(
    unsafe_code,
    reason = "the runtime relies on the descriptors that it watches, and cannot see who owns them"
)]
pub(crate) mod watch;
