use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use nix::libc;
use nix::sys::signal::Signal;

/// A process that is meant whatever becomes of its number.
#[derive(Debug)]
pub(crate) struct PidFd(OwnedFd);

impl PidFd {
    /// Needs Linux 5.3.
    pub(crate) fn open(pid: i32) -> io::Result<Self> {
        // SAFETY: the system call takes two integers, and returns a descriptor that nobody else
        // has, close-on-exec.
        unsafe {
            let descriptor = libc::syscall(libc::SYS_pidfd_open, pid, 0);
            if descriptor < 0 {
                return Err(io::Error::last_os_error());
            }
            let descriptor =
                RawFd::try_from(descriptor).expect("invariant: descriptors are of type c_int");
            Ok(Self(OwnedFd::from_raw_fd(descriptor)))
        }
    }

    /// It is readable once the process has ended.
    pub(crate) fn into_descriptor(self) -> OwnedFd {
        self.0
    }

    pub(crate) fn signal(&self, signal: Signal) -> io::Result<()> {
        let no_details = std::ptr::null::<libc::siginfo_t>();
        // SAFETY: the descriptor is open, and without details the kernel reads no memory.
        let result = unsafe {
            libc::syscall(
                libc::SYS_pidfd_send_signal,
                self.0.as_raw_fd(),
                signal as libc::c_int,
                no_details,
                0,
            )
        };
        if result == -1 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }
}
