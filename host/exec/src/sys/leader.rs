use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::process::Child;

use nix::errno::Errno;
use nix::libc;
pub(crate) use nix::sys::signal::Signal;
use nix::sys::signal::killpg;
use nix::unistd::Pid;

use super::members::{self, Member};
use crate::lifecycle::Exit;
use spawnhook_model::Leftover;

/// The first process of a command, and leader of its group.
///
/// As long as it is not reaped its number, which is that of the group, belongs to nobody else, so
/// signals hit the right processes. Dropping it before that kills the group.
#[derive(Debug)]
pub(crate) struct Leader {
    pid: Pid,
    reaped: bool,
}

impl Leader {
    /// Takes over a child that leads its own group and that nobody else waits for.
    pub(super) fn new(child: &Child) -> Self {
        let pid = i32::try_from(child.id()).expect("invariant: the system's pids are positive i32");
        assert!(pid > 1, "invariant: no child of this process is pid {pid}");
        Self {
            pid: Pid::from_raw(pid),
            reaped: false,
        }
    }

    /// A descriptor that is readable once the leader has ended.
    pub(crate) fn descriptor(&self) -> io::Result<OwnedFd> {
        // SAFETY: the system call takes two integers, and returns a descriptor that nobody else
        // has, close-on-exec.
        unsafe {
            let descriptor = libc::syscall(libc::SYS_pidfd_open, self.pid.as_raw(), 0);
            if descriptor < 0 {
                return Err(io::Error::last_os_error());
            }
            let descriptor =
                RawFd::try_from(descriptor).expect("invariant: descriptors are of type c_int");
            Ok(OwnedFd::from_raw_fd(descriptor))
        }
    }

    /// Signals every process of the group. Does nothing once the leader is reaped.
    pub(crate) fn signal(&self, signal: Signal) {
        if self.reaped {
            return;
        }
        match killpg(self.pid, signal) {
            // EPERM: none of the members may be signalled by this user; whoever asked finds them
            // among the members later.
            Ok(()) | Err(Errno::ESRCH | Errno::EPERM) => {}
            Err(error) => unreachable!("invariant: {signal} is a signal, yet kill says {error}"),
        }
    }

    /// How the leader ended, if it has; it stays unreaped.
    ///
    /// An error says that somebody else has reaped it, so that nothing is signalled any more.
    pub(crate) fn exit(&mut self) -> io::Result<Option<Exit>> {
        let exit = self.wait(libc::WNOWAIT | libc::WNOHANG);
        self.reaped = exit.is_err();
        exit
    }

    /// Gives the number back to the system, if the leader has ended.
    pub(crate) fn reap(&mut self) {
        self.reaped = self.reaped || !matches!(self.wait(libc::WNOHANG), Ok(None));
    }

    /// The processes of the group that can still run.
    pub(crate) fn members(&self) -> io::Result<Vec<Member>> {
        if self.reaped {
            return Ok(Vec::new());
        }
        members::of_group(self.pid.as_raw())
    }

    /// What the leader, once it is reaped, has left in its session. Without `certain` it is looked
    /// for only if the group still has members: the number cannot be anybody else's then.
    pub(crate) fn leftovers(&self, certain: bool) -> Vec<Leftover> {
        if certain || killpg(self.pid, None).is_ok() {
            members::of_session(self.pid.as_raw())
        } else {
            Vec::new()
        }
    }

    fn wait(&self, flags: libc::c_int) -> io::Result<Option<Exit>> {
        loop {
            match wait_once(self.pid, flags) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        self.signal(Signal::SIGKILL);
        self.reap();
        if self.reaped {
            return;
        }
        self.reaped = true;
        let pid = self.pid;
        let reaper = std::thread::Builder::new().name("reaper".to_owned());
        // Without a thread the zombie stays until this process ends, which harms nobody.
        let _reaper = reaper.spawn(move || wait_once(pid, 0));
    }
}

/// The status is read from the system itself: wrappers know no real-time signals.
fn wait_once(pid: Pid, flags: libc::c_int) -> io::Result<Option<Exit>> {
    let id = libc::id_t::try_from(pid.as_raw()).expect("invariant: pids are positive");
    // SAFETY: waitid writes to the local it is given. Its fields are read as those of a child's
    // status, which is what waitid fills in; without one they stay zero.
    unsafe {
        let mut status: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | flags;
        if libc::waitid(libc::P_PID, id, &raw mut status, flags) == -1 {
            return Err(io::Error::last_os_error());
        }
        if status.si_pid() == 0 {
            return Ok(None);
        }
        let number = status.si_status();
        Ok(Some(if status.si_code == libc::CLD_EXITED {
            Exit::Code(number)
        } else {
            Exit::Signal(number)
        }))
    }
}
