use std::io;

use nix::libc;

use crate::lifecycle::Exit;

/// What became of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Ended(Exit),
    Stopped,
}

/// Which children are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    Any,
    One(i32),
}

/// A child that has ended, whose number is the system's again. An error without any child.
pub(crate) fn reap(children: Children) -> io::Result<Option<(i32, Change)>> {
    wait(children, libc::WEXITED | libc::WNOHANG)
}

/// As [`reap`], and tells of children that were stopped.
pub(crate) fn reap_or_stopped(children: Children) -> io::Result<Option<(i32, Change)>> {
    wait(children, libc::WEXITED | libc::WSTOPPED | libc::WNOHANG)
}

/// Waits for a child that is ending, and gives its number back to the system. An error if it is
/// no child of this process.
pub(crate) fn reap_ending(pid: i32) -> io::Result<()> {
    wait(Children::One(pid), libc::WEXITED).map(drop)
}

/// As [`reap_ending`], but the child stays a zombie.
pub(crate) fn peek_ending(pid: i32) -> io::Result<()> {
    wait(Children::One(pid), libc::WEXITED | libc::WNOWAIT).map(drop)
}

/// The status is read from the system itself: wrappers know no real-time signals.
fn wait(children: Children, flags: libc::c_int) -> io::Result<Option<(i32, Change)>> {
    let (kind, id) = match children {
        Children::Any => (libc::P_ALL, 0),
        Children::One(pid) => {
            let id = libc::id_t::try_from(pid).expect("invariant: pids are positive");
            (libc::P_PID, id)
        }
    };
    // SAFETY: waitid writes to the local it is given. Its fields are read as those of a child's
    // status, which is what waitid fills in; without one they stay zero.
    unsafe {
        let mut status: libc::siginfo_t = std::mem::zeroed();
        if libc::waitid(kind, id, &raw mut status, flags) == -1 {
            return Err(io::Error::last_os_error());
        }
        if status.si_pid() == 0 {
            return Ok(None);
        }
        let number = status.si_status();
        let change = match status.si_code {
            libc::CLD_EXITED => Change::Ended(Exit::Code(number)),
            libc::CLD_STOPPED => Change::Stopped,
            _ => Change::Ended(Exit::Signal(number)),
        };
        Ok(Some((status.si_pid(), change)))
    }
}
