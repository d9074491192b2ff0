use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::{dup2_stderr, dup2_stdin, dup2_stdout, execve, fchdir, setsid};

use super::descriptors::keep_from_programs;
use super::signals::heed_strays;
use crate::Rlimits;

/// What a program starts with.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// Without one it reads what this process reads.
    pub(crate) stdin: Option<OwnedFd>,
    pub(crate) output: OwnedFd,
    /// Without one, errors go where the output goes.
    pub(crate) errors: Option<OwnedFd>,
    pub(crate) cwd: OwnedFd,
    pub(crate) rlimits: Rlimits,
}

/// Makes this process a program in a session of its own. It has the descriptors 0, 1 and 2 and no
/// other, an empty signal mask, every signal at its default, and leaves no core file. Returns only
/// if that fails.
///
/// The process must be one that has ignored strays, or the child of one.
pub(crate) fn execute(
    program: &CStr,
    arguments: &[&CStr],
    env: &[&CStr],
    surroundings: &Surroundings,
) -> io::Error {
    if let Err(error) = prepare(surroundings) {
        return error;
    }
    let Err(error) = execve(program, arguments, env);
    error.into()
}

fn prepare(surroundings: &Surroundings) -> io::Result<()> {
    setsid()?;
    heed_strays()?;
    if let Some(stdin) = &surroundings.stdin {
        dup2_stdin(stdin.as_fd())?;
    }
    dup2_stdout(surroundings.output.as_fd())?;
    let errors = surroundings.errors.as_ref();
    dup2_stderr(errors.unwrap_or(&surroundings.output).as_fd())?;
    fchdir(surroundings.cwd.as_fd())?;
    keep_from_programs()?;
    limit(surroundings.rlimits)
}

fn limit(rlimits: Rlimits) -> io::Result<()> {
    lower(Resource::RLIMIT_CORE, Some(0), 0)?;
    // The signal comes at the limit, and the kill, for whoever catches it, a second later.
    lower(Resource::RLIMIT_CPU, rlimits.cpu, 1)?;
    lower(Resource::RLIMIT_AS, rlimits.memory, 0)?;
    lower(Resource::RLIMIT_FSIZE, rlimits.file_size, 0)?;
    lower(Resource::RLIMIT_NOFILE, rlimits.open_files, 0)
}

/// Never above the limit that this process has itself.
fn lower(resource: Resource, limit: Option<u64>, room: u64) -> io::Result<()> {
    let Some(limit) = limit else {
        return Ok(());
    };
    let (_, most) = getrlimit(resource)?;
    setrlimit(
        resource,
        limit.min(most),
        limit.saturating_add(room).min(most),
    )?;
    Ok(())
}
