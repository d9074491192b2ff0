use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::Spawner;
use super::plan::Packed;
use super::serve::{self, Commands};
use crate::sys::fork;
use crate::sys::socket::{self, Wait};

/// The connection to the spawner that there is now.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) socket: Arc<OwnedFd>,
    pub(super) pid: i32,
}

/// What a command is started with. Dropping it closes this process's copies.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) control: OwnedFd,
    pub(crate) plan: Packed,
    pub(crate) cwd: OwnedFd,
    pub(crate) output: OwnedFd,
    /// The standard error, if it is not the output's.
    pub(crate) errors: Option<OwnedFd>,
    /// The standard input, if it is not the spawner's.
    pub(crate) stdin: Option<OwnedFd>,
}

impl Link {
    pub(super) fn fork(commands: Commands) -> io::Result<Self> {
        let (ours, theirs) = socket::pair()?;
        let pid = fork::fork(|| exit_code(serve::serve(theirs, commands)))?;
        Ok(Self {
            socket: Arc::new(ours),
            pid,
        })
    }

    /// The connection is the program's standard input.
    pub(super) fn launch(program: &Path) -> io::Result<Self> {
        let (ours, theirs) = socket::pair()?;
        let child = Command::new(program)
            .arg0("spawnhook")
            .arg(Spawner::ARGUMENT)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self {
            socket: Arc::new(ours),
            pid: i32::try_from(child.id()).map_err(io::Error::other)?,
        })
    }

    /// As long as nobody has reaped it, its number is its own.
    pub(super) fn wake(&self) {
        let _gone = kill(Pid::from_raw(self.pid), Signal::SIGCONT);
    }
}

impl Request {
    pub(super) fn send(&self, link: &Link, wait: Wait) -> io::Result<()> {
        link.wake();
        let (bytes, file) = match &self.plan {
            Packed::Bytes(bytes) => (&**bytes, None),
            Packed::File(file) => (&[][..], Some(file)),
        };
        let optional = [file, self.errors.as_ref(), self.stdin.as_ref()];
        let given = optional.map(|one| u8::from(one.is_some()));
        let always = [&self.control, &self.cwd, &self.output];
        let all = always.into_iter().chain(optional.into_iter().flatten());
        let descriptors: Vec<BorrowedFd<'_>> = all.map(AsFd::as_fd).collect();
        let message = [&given, bytes].concat();
        socket::send(link.socket.as_fd(), &message, &descriptors, wait)
    }
}

/// Whether the other end is not there any more.
pub(super) fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset
    )
}

/// The exit code of a process of ours.
pub(super) fn exit_code(result: io::Result<()>) -> i32 {
    i32::from(result.is_err())
}
