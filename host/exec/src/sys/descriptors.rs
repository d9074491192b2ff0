use std::fs::OpenOptions;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use nix::libc;
use nix::unistd::{dup2_stderr, dup2_stdin, dup2_stdout};

/// The first descriptor that is none of the three that every program has.
const FIRST: u32 = 3;

/// Puts /dev/null in the place of the standard input and both outputs.
pub(crate) fn silence() -> io::Result<()> {
    let null = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    dup2_stderr(&null)?;
    Ok(())
}

/// A copy that is none of the three standard descriptors and stays out of programs.
pub(crate) fn duplicate(descriptor: impl AsFd) -> io::Result<OwnedFd> {
    descriptor.as_fd().try_clone_to_owned()
}

/// A number of a descriptor.
pub(crate) fn number(descriptor: BorrowedFd<'_>) -> u32 {
    u32::try_from(descriptor.as_raw_fd()).expect("invariant: open descriptors are not negative")
}

/// Closes everything but the standard descriptors and those in `kept`.
///
/// Only for a process that was just forked, or has just started, to do nothing but its own work:
/// whatever owned the rest is never used nor dropped in it.
pub(crate) fn close_all_but(mut kept: Vec<u32>) -> io::Result<()> {
    kept.sort_unstable();
    let mut first = FIRST;
    for number in kept {
        if number > first {
            close_range(first, number - 1, 0)?;
        }
        first = first.max(number + 1);
    }
    close_range(first, u32::MAX, 0)
}

/// Keeps everything but the standard descriptors out of the program that is executed next.
pub(crate) fn keep_from_programs() -> io::Result<()> {
    close_range(FIRST, u32::MAX, libc::CLOSE_RANGE_CLOEXEC)
}

/// Needs Linux 5.9, and 5.11 for the flag.
fn close_range(first: u32, last: u32, flags: libc::c_uint) -> io::Result<()> {
    // SAFETY: the system call takes three integers. That nobody uses what it closes is the duty
    // of `close_all_but`'s callers.
    let result = unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) };
    if result == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}
