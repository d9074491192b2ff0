use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use nix::libc;
use nix::unistd::{ForkResult, fork as fork_process};

/// The exit code of a process of ours that panicked: the one that Rust programs have.
const PANICKED: i32 = 101;

/// The child makes system calls and two small lists.
const STACK_BYTES: usize = 64 * 1024;

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

/// As [`fork`], but the child works in this process's memory, and this process waits until the
/// child has executed a program or has ended. That spares copying what is thrown away at once,
/// which is what most of a fork costs.
///
/// What `child` does to memory stays; descriptors, directory, signals and limits are its own.
pub(crate) fn fork_to_execute<F: FnOnce() -> i32>(child: F) -> io::Result<i32> {
    let mut child = Some(child);
    let mut stack = Vec::<u128>::with_capacity(STACK_BYTES / size_of::<u128>());
    // Stacks grow downwards, and are aligned to as many bytes as the elements have.
    let top = stack.spare_capacity_mut().as_mut_ptr_range().end;
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the process has one thread, which stands still as long as the child uses the memory;
    // so the stack, and the closure that the argument points to, live until then and are nobody
    // else's.
    let pid = unsafe { libc::clone(run::<F>, top.cast(), flags, (&raw mut child).cast()) };
    if pid == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(pid)
}

/// On the child's stack; it exits with what this returns.
extern "C" fn run<F: FnOnce() -> i32>(argument: *mut libc::c_void) -> libc::c_int {
    // SAFETY: the argument is that of `fork_to_execute`, which waits.
    let child = unsafe { &mut *argument.cast::<Option<F>>() }.take();
    child.map_or(PANICKED, |child| {
        catch_unwind(AssertUnwindSafe(child)).unwrap_or(PANICKED)
    })
}

/// Ends this process without what its parent had put off until its own end: buffers to be
/// written, handlers to be called.
pub(crate) fn exit(code: i32) -> ! {
    // SAFETY: takes an integer and does not return.
    unsafe { libc::_exit(code) }
}
