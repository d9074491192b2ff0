use std::io;
use std::os::fd::{AsFd, OwnedFd};

use super::plan::Plan;
use super::wire::Report;
use crate::sys::descriptors;
use crate::sys::execute::{Surroundings, execute};
use crate::sys::fork::fork_to_execute;
use crate::sys::processes::own_pid;
use crate::sys::socket::{self, Wait};

/// What a command that could not be executed exits with in a shell; here nobody sees it.
const NOT_EXECUTED: i32 = 127;

/// What the spawner hands on, all of it from the host.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) control: OwnedFd,
    pub(super) start: Start,
}

/// What a command starts with.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) plan: OwnedFd,
    pub(super) cwd: OwnedFd,
    pub(super) output: OwnedFd,
    pub(super) errors: Option<OwnedFd>,
    pub(super) stdin: Option<OwnedFd>,
}

impl Start {
    /// The numbers of all descriptors.
    pub(super) fn numbers_with(&self, control: &OwnedFd) -> Vec<u32> {
        let Self {
            plan,
            cwd,
            output,
            errors,
            stdin,
        } = self;
        let all = [control, plan, cwd, output].into_iter();
        let all = all.chain(errors).chain(stdin);
        all.map(|one| descriptors::number(one.as_fd())).collect()
    }

    /// Forks the shell, and returns its pid.
    pub(super) fn fork_shell(self, control: &OwnedFd) -> io::Result<i32> {
        let plan = Plan::read(self.plan)?;
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
