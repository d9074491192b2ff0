use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
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

/// Has this process live through what is not meant for it.
pub(crate) fn ignore_strays() -> io::Result<()> {
    for stray in IGNORED {
        // SAFETY: ignoring a signal runs no code when it comes.
        unsafe { signal(stray, SigHandler::SigIgn) }?;
    }
    // If it were ignored, children would be reaped by the system.
    // SAFETY: the default disposition runs no code either.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl) }?;
    Ok(())
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
