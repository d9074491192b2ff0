use std::ffi::OsString;
use std::io::{self, PipeWriter};
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::libc;

use super::leader::Leader;
use crate::{Spawn, Stdin};

/// Linux numbers its signals from 1 to 64, signal(7).
const LAST_SIGNAL: libc::c_int = 64;
/// The size of the kernel's set of as many signals.
const SIGNAL_SET_BYTES: usize = 8;

/// Starts a program in a session of its own. It has the descriptors 0, 1 and 2 and no other, an
/// empty signal mask, every signal at its default, and leaves no core file.
///
/// Needs Linux 5.11 for marking all descriptors at once.
pub(crate) fn launch(
    program: &Path,
    arguments: &[OsString],
    spawn: &Spawn,
    output: PipeWriter,
) -> io::Result<Leader> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(spawn.env.iter())
        .stdin(match spawn.stdin {
            Stdin::Null => Stdio::null(),
            Stdin::Inherit => Stdio::inherit(),
        })
        .stdout(output.try_clone()?)
        .stderr(output);
    let cwd = spawn.cwd.as_fd().as_raw_fd();
    // SAFETY: `prepare` makes system calls and nothing else: no allocation, no lock. The
    // descriptor stays open in the parent until the child has executed the program.
    unsafe { command.pre_exec(move || prepare(cwd)) };
    Ok(Leader::new(&command.spawn()?))
}

/// Runs in the child between fork and exec.
fn prepare(cwd: RawFd) -> io::Result<()> {
    let no_core = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: plain system calls on valid arguments, all of them async-signal-safe.
    unsafe {
        check(libc::setsid())?;
        default_signals()?;
        check(libc::setrlimit(libc::RLIMIT_CORE, &raw const no_core))?;
        // Whatever this process was given without the mark that keeps it out of children. They
        // must stay open until exec: one of them reports its failure.
        let marked = libc::syscall(
            libc::SYS_close_range,
            3,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        );
        check(if marked < 0 { -1 } else { 0 })?;
        check(libc::fchdir(cwd))?;
    }
    Ok(())
}

/// A signal that is ignored stays ignored over exec; one that is blocked stays blocked.
///
/// The kernel is asked directly: the C library refuses to touch the signals that it keeps for
/// itself, but leaves one of them ignored in what it spawns, of which this process may be one.
fn default_signals() -> io::Result<()> {
    // The kernel's struct sigaction, which is no larger on any architecture: SIG_DFL is 0, and so
    // is an empty mask.
    let default = [0_u64; 8];
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: async-signal-safe, and reads no more than the array has. It fails for SIGKILL
        // and SIGSTOP, which have no other disposition.
        unsafe {
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                default.as_ptr(),
                std::ptr::null_mut::<u64>(),
                SIGNAL_SET_BYTES,
            )
        };
    }
    // SAFETY: the set is written by sigemptyset before it is read; both are async-signal-safe.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        check(libc::sigprocmask(
            libc::SIG_SETMASK,
            &raw const none,
            std::ptr::null_mut(),
        ))
    }
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}
