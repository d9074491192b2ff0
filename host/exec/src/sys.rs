//! Everything that talks to the system below the standard library.

#[expect(
    unsafe_code,
    reason = "closing a range of descriptors has no wrapper that knows who owns them"
)]
pub(crate) mod descriptors;
pub(crate) mod directory;
pub(crate) mod execute;
#[expect(
    unsafe_code,
    reason = "what a fork may do depends on the threads there are"
)]
pub(crate) mod fork;
#[expect(unsafe_code, reason = "pidfds have no wrapper")]
pub(crate) mod pidfd;
pub(crate) mod pipe;
pub(crate) mod processes;
pub(crate) mod random;
pub(crate) mod signal_name;
#[expect(
    unsafe_code,
    reason = "dispositions of signals are the whole process's"
)]
pub(crate) mod signals;
#[expect(unsafe_code, reason = "received descriptors come as numbers")]
pub(crate) mod socket;
#[expect(
    unsafe_code,
    reason = "waitid has no wrapper that knows real-time signals"
)]
pub(crate) mod wait;
#[expect(
    unsafe_code,
    reason = "the runtime relies on the descriptors that it watches, and cannot see who owns them"
)]
pub(crate) mod watch;
