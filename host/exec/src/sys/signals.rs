use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigHandler, SigSet, SigmaskHow, Signal, signal, sigprocmask};
use nix::sys::signalfd::{SfdFlags, SignalFd};

/// What a terminal, its end, a shell or a careless kill sends to whole groups and sessions; and
/// SIGPIPE and SIGXFSZ, which say less than the error of the write.
const IGNORED: [Signal; 10] = [
    Signal::SIGHUP,
    Signal::SIGINT,
    Signal::SIGQUIT,
    Signal::SIGTERM,
    Signal::SIGPIPE,
    Signal::SIGTSTP,
    Signal::SIGTTIN,
    Signal::SIGTTOU,
    Signal::SIGALRM,
    Signal::SIGXFSZ,
];

/// Linux numbers its signals from 1 to 64, signal(7).
const LAST_SIGNAL: libc::c_int = 64;
/// The size of the kernel's set of as many signals.
const SIGNAL_SET_BYTES: usize = 8;

/// Has this process live through what is not meant for it. Every other signal is at its default.
pub(crate) fn ignore_strays() -> io::Result<()> {
    default_all();
    for stray in IGNORED {
        // SAFETY: ignoring a signal runs no code when it comes.
        unsafe { signal(stray, SigHandler::SigIgn) }?;
    }
    Ok(())
}

/// After [`ignore_strays`], for what is to be another program: no signal is ignored, and none
/// blocked. A signal that is ignored stays ignored over exec; one that is blocked stays blocked.
pub(crate) fn heed_strays() -> io::Result<()> {
    for stray in IGNORED {
        // SAFETY: the default disposition runs no code of this program.
        unsafe { signal(stray, SigHandler::SigDfl) }?;
    }
    sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)?;
    Ok(())
}

/// Sets every signal to its default.
///
/// The kernel is asked directly: the C library refuses to touch the signals that it keeps for
/// itself, but leaves one of them ignored in what it spawns, of which this process may be one.
pub(crate) fn default_all() {
    // The kernel's struct sigaction, which is no larger on any architecture: SIG_DFL is 0, and so
    // is an empty mask.
    let default = [0_u64; 8];
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: reads no more than the array has. It fails for SIGKILL and SIGSTOP, which have
        // no other disposition.
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
}

/// Ends this process by a signal, so that whoever started it sees what it would have seen of the
/// command, which ended so. No core file is written. Returns if that is no way to end: the signal
/// is unknown, or ends nobody.
pub fn end_by_signal(signal: i32) {
    let core = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    default_all();
    let unblocked = sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None);
    if core.and(unblocked).is_ok() {
        // SAFETY: it takes a number, and no handler is left that could run.
        unsafe { libc::raise(signal) };
    }
}

/// Has a write beyond the limit of a file's size fail instead of ending this process: the limit is
/// for commands, and a log or a file of output that cannot grow is reported.
pub(crate) fn survive_file_size_limit() -> io::Result<()> {
    // SAFETY: ignoring a signal runs no code when it comes.
    unsafe { signal(Signal::SIGXFSZ, SigHandler::SigIgn) }?;
    Ok(())
}

/// Tells when children have ended or stopped.
#[derive(Debug)]
pub(crate) struct ChildSignals(SignalFd);

impl ChildSignals {
    /// From now on, for this process.
    pub(crate) fn new() -> io::Result<Self> {
        let mut mask = SigSet::empty();
        mask.add(Signal::SIGCHLD);
        sigprocmask(SigmaskHow::SIG_SETMASK, Some(&mask), None)?;
        let flags = SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK;
        Ok(Self(SignalFd::with_flags(&mask, flags)?))
    }

    /// Forgets what was told so far; children are to be looked at afterwards.
    pub(crate) fn clear(&self) {
        while let Ok(Some(_)) = self.0.read_signal() {}
    }

    /// Waits until something is told, but no longer than `longest`, and forgets it. However the
    /// wait ends, children are to be looked at afterwards.
    pub(crate) fn wait(&self, longest: Duration) {
        let mut watched = [PollFd::new(self.0.as_fd(), PollFlags::POLLIN)];
        let longest = PollTimeout::try_from(longest).unwrap_or(PollTimeout::ZERO);
        let _ready = poll(&mut watched, longest);
        self.clear();
    }
}

impl AsFd for ChildSignals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
