use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use spawnhook_model::{Env, Timeout};

use crate::output::visible_path;
use crate::{Cwd, Invocation};

/// How long a command has between the request to end and the kill, unless its caller says
/// otherwise.
pub const DEFAULT_STOP_GRACE: Duration = Duration::from_millis(250);

/// A command as it is going to be spawned.
#[derive(Debug)]
pub struct Spawn {
    /// Shell source text, at most 1 MiB.
    pub command: String,
    /// How the shell is called for it.
    pub invocation: Invocation,
    /// The directory that it starts in.
    pub cwd: Cwd,
    /// The whole environment.
    pub env: Env,
    /// What it reads.
    pub stdin: Stdin,
    /// What becomes of its two outputs.
    pub streams: Streams,
    /// When it is stopped, counted from its start.
    pub timeout: Option<Timeout>,
    /// The time between SIGTERM and SIGKILL when it is stopped; zero kills at once.
    pub stop_grace: Duration,
    /// What becomes of the processes that it leaves.
    pub leftovers: Leftovers,
    /// What the system lets it have.
    pub rlimits: Rlimits,
}

/// What becomes of the processes that a command has left once it has ended by itself. After a
/// time limit or a cancellation there are none.
///
/// Under `Session` and `Keep` what they write to the command's output goes on being read, so that
/// a server does not die of it: see [`Ran::later`](crate::Ran::later).
///
/// The order is that of what is allowed, the least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leftovers {
    /// They are killed before the command is reported.
    Kill,
    /// They live as long as the backend that started them, and end with its process, however
    /// that ends.
    #[default]
    Session,
    /// They live on.
    Keep,
}

impl fmt::Display for Leftovers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kill => "kill",
            Self::Session => "session",
            Self::Keep => "keep",
        })
    }
}

/// The limits of the system for each process of a command, setrlimit(2); none: those of the
/// host. A limit above the host's own is lowered to that. Core files are never written.
///
/// The first two signals can be seen in how the command ended, if it was the shell itself, or in
/// what the shell exits with; the others are errors that programs report as they see fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rlimits {
    /// Seconds of CPU time. Over it a process gets SIGXCPU, and SIGKILL one second later.
    pub cpu: Option<u64>,
    /// Bytes of address space (RLIMIT_AS). Over it allocations fail.
    pub memory: Option<u64>,
    /// Bytes of a file that is written. Over it a process gets SIGXFSZ.
    pub file_size: Option<u64>,
    /// One more than the highest number of a descriptor. Over it files cannot be opened.
    pub open_files: Option<u64>,
}

/// The standard output and the standard error of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Streams {
    /// One pipe, which keeps their order.
    #[default]
    Merged,
    /// A pipe each. What is written to one of them just after the other may come before it.
    Separate,
    /// Those of this process. Nobody reads along, and nothing is kept.
    Inherit,
}

/// The standard input of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// Nothing: /dev/null.
    Null,
    /// That of this process.
    Inherit,
}

/// Why a command could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// The shell that the deployment names does not exist.
    #[error("Custom shell path not found: {}", visible_path(path))]
    CustomShellNotFound {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The shell that the deployment names would start itself for ever.
    #[error(
        "the shell that is configured, {}, is this program itself: give the path of a real shell",
        visible_path(path)
    )]
    ShellIsProgram {
        /// The path as it was given.
        path: PathBuf,
    },
    /// There is neither bash nor sh.
    #[error(
        "no shell found: there is no {}, and neither bash nor sh on the search path {search_path:?}; \
         install bash or set the path of a shell",
        visible_path(default)
    )]
    NoShell {
        /// The shell that is looked for first.
        default: PathBuf,
        /// Where bash and sh were looked for.
        search_path: String,
    },
    /// The shell is a file that must not, or cannot, be executed.
    #[error("the shell {} cannot be executed", visible_path(shell))]
    NotExecutable {
        /// The shell's path.
        shell: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Command and environment are more than the system passes to a program.
    #[error(
        "the system cannot pass on that much: the command has {command_bytes} bytes and the \
         environment {env_bytes}, of which the variable {variable:?} has {variable_bytes}; a \
         variable may have 131071 bytes with its name, everything together a quarter of the limit \
         of the stack (ulimit -s)"
    )]
    TooBig {
        /// Bytes of the command.
        command_bytes: usize,
        /// Bytes of all variables as they are passed, `NAME=value` and NUL.
        env_bytes: usize,
        /// The name of the largest variable.
        variable: String,
        /// Bytes of the largest variable, `NAME=value`.
        variable_bytes: usize,
        /// What the system said.
        source: io::Error,
    },
    /// A NUL byte, which ends a text where the system takes it.
    #[error("{place} contains a NUL byte at offset {offset}; remove it")]
    NulByte {
        /// The command, or the variable by its name.
        place: String,
        /// Where, in bytes.
        offset: usize,
    },
    /// A name that no variable can have.
    #[error("the environment has a variable named {name:?}; a name must not be empty or contain =")]
    VariableName {
        /// The name.
        name: String,
    },
    /// Nobody took the request to start it, or whoever did was killed at it.
    #[error(
        "the process that starts commands could not be reached, or was killed when it was to start \
         this one; try again"
    )]
    SpawnerLost {
        /// What the system said, if it said anything.
        source: Option<io::Error>,
    },
    /// The directory that a backend has for all of its commands could not be handed on.
    #[error("the working directory {} could not be handed on", visible_path(path))]
    FixedCwd {
        /// The directory's path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A backend that is none of this crate could not start it, for a reason of its own.
    #[error("the backend could not start the command")]
    Backend {
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// There is nothing that could run it.
    #[error("no command can be started here, since nothing was set up to run one")]
    NoBackend,
    /// Anything else.
    #[error("the shell {} could not be started", visible_path(shell))]
    Other {
        /// The shell's path.
        shell: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl SpawnError {
    /// Refuses what could not be handed to the system as it is.
    pub(crate) fn check(spawn: &Spawn) -> Result<(), Self> {
        refuse_nul("the command", spawn.command.as_bytes())?;
        let Invocation { options, name, .. } = &spawn.invocation;
        for argument in options.iter().chain(name) {
            refuse_nul("an argument of the shell", argument.as_bytes())?;
        }
        for (name, value) in spawn.env.iter() {
            let shown = name.to_string_lossy();
            if name.is_empty() || name.as_bytes().contains(&b'=') {
                return Err(Self::VariableName {
                    name: shown.into_owned(),
                });
            }
            refuse_nul(
                &format!("the name of the variable {shown:?}"),
                name.as_bytes(),
            )?;
            refuse_nul(&format!("the variable {shown:?}"), value.as_bytes())?;
        }
        Ok(())
    }

    /// What the system's refusal to start this shell means.
    pub(crate) fn from_system(source: io::Error, shell: PathBuf, command: &str, env: &Env) -> Self {
        match source.kind() {
            io::ErrorKind::PermissionDenied => Self::NotExecutable { shell, source },
            io::ErrorKind::ArgumentListTooLong => Self::too_big(source, command, env),
            _ => Self::Other { shell, source },
        }
    }

    fn too_big(source: io::Error, command: &str, env: &Env) -> Self {
        let bytes = |(name, value): (&OsStr, &OsStr)| name.len() + "=".len() + value.len();
        let largest = env.iter().max_by_key(|variable| bytes(*variable));
        Self::TooBig {
            command_bytes: command.len(),
            env_bytes: env.iter().map(|variable| bytes(variable) + 1).sum(),
            variable: largest
                .map_or_else(String::new, |(name, _)| name.to_string_lossy().into_owned()),
            variable_bytes: largest.map_or(0, bytes),
            source,
        }
    }
}

fn refuse_nul(place: &str, bytes: &[u8]) -> Result<(), SpawnError> {
    match memchr::memchr(0, bytes) {
        None => Ok(()),
        Some(offset) => Err(SpawnError::NulByte {
            place: place.to_owned(),
            offset,
        }),
    }
}
