use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use nix::libc;
use nix::unistd::{ForkResult, fork as fork_process};

/// The exit code of a process of ours that panicked: the one that Rust programs have.
const PANICKED: i32 = 101;

/// How many threads this process has.
pub(crate) fn threads() -> io::Result<usize> {
    Ok(fs::read_dir("/proc/self/task")?.count())
}

/// Forks a process that does `child`, exits with the code that it returns, and never comes back
/// here; returns the child's pid.
///
/// Only for a process with one thread. Its child may then run any code, take locks and allocate:
/// nobody can have held a lock at the moment of the fork.
pub(crate) fn fork(child: impl FnOnce() -> i32) -> io::Result<i32> {
    // SAFETY: the process has one thread, so the child is no different from its parent.
    match unsafe { fork_process() }? {
        ForkResult::Parent { child } => Ok(child.as_raw()),
        ForkResult::Child => exit(catch_unwind(AssertUnwindSafe(child)).unwrap_or(PANICKED)),
    }
}

/// Ends this process without what its parent had put off until its own end: buffers to be
/// written, handlers to be called.
pub(crate) fn exit(code: i32) -> ! {
    // SAFETY: takes an integer and does not return.
    unsafe { libc::_exit(code) }
}
