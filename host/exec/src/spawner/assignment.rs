use std::io;
use std::os::fd::{AsFd, OwnedFd};

use super::plan::{Packed, Plan};
use super::wire::Report;
use crate::sys::execute::{Surroundings, execute};
use crate::sys::fork::fork_to_execute;
use crate::sys::processes::own_pid;
use crate::sys::socket::{self, Message, Wait};

/// What a command that could not be executed exits with in a shell; here nobody sees it.
const NOT_EXECUTED: i32 = 127;

/// What the host wants of a supervisor.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) control: OwnedFd,
    pub(super) start: Start,
}

impl Assignment {
    /// The order is that of `Request::send`; the first bytes say which of those that may be
    /// missing are there. None for what no host sends.
    pub(super) fn from_message(message: Message) -> Option<Self> {
        let mut descriptors = message.descriptors.into_iter();
        let (given, bytes) = message.bytes.split_first_chunk()?;
        let (control, cwd, output) = (
            descriptors.next()?,
            descriptors.next()?,
            descriptors.next()?,
        );
        let [file, errors, stdin] = given.map(|given| match given {
            0 => None,
            _ => descriptors.next(),
        });
        let plan = file.map_or_else(|| Packed::Bytes(bytes.to_vec()), Packed::File);
        let start = Start {
            plan,
            cwd,
            output,
            errors,
            stdin,
        };
        Some(Self { control, start })
    }
}

/// What a command starts with.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) plan: Packed,
    pub(super) cwd: OwnedFd,
    pub(super) output: OwnedFd,
    pub(super) errors: Option<OwnedFd>,
    pub(super) stdin: Option<OwnedFd>,
}

impl Start {
    /// Forks the shell, and returns its pid.
    pub(super) fn fork_shell(self, control: &OwnedFd) -> io::Result<i32> {
        let plan = Plan::unpack(self.plan)?;
        let surroundings = Surroundings {
            stdin: self.stdin,
            output: self.output,
            errors: self.errors,
            cwd: self.cwd,
            rlimits: plan.rlimits,
        };
        let supervisor = own_pid();
        // Before the fork: a host that was not told knows that nothing was run.
        tell(control, &Report::Started { supervisor });
        fork_to_execute(|| {
            tell_failure(control, &run(&plan, &surroundings));
            NOT_EXECUTED
        })
    }
}

/// In the child: becomes the shell, or says why not.
fn run(plan: &Plan, surroundings: &Surroundings) -> io::Error {
    match plan.parts() {
        Ok((program, arguments, env)) => execute(program, &arguments, &env, surroundings),
        Err(error) => error,
    }
}

/// Nothing comes after it.
pub(super) fn tell_failure(control: &OwnedFd, error: &io::Error) {
    let errno = error.raw_os_error().unwrap_or_default();
    tell(control, &Report::Failed { errno });
}

/// A host that does not listen any more has left, which is noticed elsewhere.
pub(super) fn tell(control: &OwnedFd, report: &Report) {
    drop(socket::send(
        control.as_fd(),
        &report.encode(),
        &[],
        Wait::Yes,
    ));
}
