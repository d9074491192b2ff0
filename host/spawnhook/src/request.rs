//! What a front end asks for, and what of it is accepted.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use spawnhook_exec::{CwdError, Invocation, Leftovers, Stdin, Streams, Text};
use spawnhook_model::{InvalidTimeout, Origin, Session};

use crate::ask::Ask;
use crate::ticket::{Settled, TicketError};
use crate::wrapping::Agent;

/// The most bytes of a command: what hooks may be handed, far above what anyone types.
pub const MAX_COMMAND_BYTES: usize = 1024 * 1024;

/// What a front end asks for, as it came.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExecRequest {
    /// Shell source text.
    pub command: String,
    /// How the shell is called for it.
    pub invocation: Invocation,
    /// The agents that may have put something around it, if it comes from such: what rewrites and
    /// judges it then gets what is inside.
    pub wrapped_by: Vec<Agent>,
    /// The working directory; a relative one is taken from the workspace's root, which is also
    /// the default.
    pub cwd: Option<PathBuf>,
    /// Variables on top of what the deployment lets through; none removes one.
    pub env: BTreeMap<OsString, Option<OsString>>,
    /// The time limit in seconds; the deployment's default if there is none.
    pub timeout: Option<f64>,
    /// Where the command reads from.
    pub stdin: Stdin,
    /// What becomes of the processes that it leaves; without one they are kept for the command
    /// line, as a shell would, and end with the session for servers.
    pub leftovers: Option<Leftovers>,
    /// Whether its two outputs are kept apart.
    pub streams: Streams,
    /// What becomes of the characters of its output in the outcome.
    pub text: Text,
    /// What becomes of its output.
    pub keep: Keep,
    /// The front end.
    pub origin: Origin,
    /// What is known of the agent's session.
    pub session: Session,
    /// Who answers the questions of guards about this command; without one, who answers those of
    /// the host.
    pub ask: Option<Arc<dyn Ask>>,
    /// What a ticket says that another process has settled about it: the rewrite stage is done, and
    /// the command and its directory and environment are those of the ticket. A ticket that is no
    /// good is a denial.
    pub ticket: Option<Result<Box<Settled>, TicketError>>,
}

/// What becomes of a command's output besides the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The tail goes into the outcome, and all of it into a file if it is cut.
    #[default]
    TailAndFile,
    /// The tail goes into the outcome; for front ends that pass everything on themselves.
    Tail,
}

impl ExecRequest {
    /// A request for `command` with the deployment's defaults.
    pub fn new(command: impl Into<String>, origin: Origin) -> Self {
        Self {
            command: command.into(),
            invocation: Invocation::default(),
            wrapped_by: Vec::new(),
            cwd: None,
            env: BTreeMap::new(),
            timeout: None,
            stdin: Stdin::Null,
            leftovers: None,
            streams: Streams::default(),
            text: Text::default(),
            keep: Keep::default(),
            origin,
            session: Session::default(),
            ask: None,
            ticket: None,
        }
    }
}

/// Why a request was not accepted. Nothing ran, no hook saw it, and nothing was recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// No command.
    #[error("The command is empty: give the shell text to run")]
    EmptyCommand,
    /// More than [`MAX_COMMAND_BYTES`].
    #[error(
        "The command is too long: {bytes} bytes, at most {MAX_COMMAND_BYTES} are accepted; \
         write it to a file and run that"
    )]
    CommandTooLong {
        /// Its size.
        bytes: usize,
    },
    /// No command line can hold one.
    #[error("The command holds a NUL character at byte {at}, which no command line can")]
    NulInCommand {
        /// Where, counted from 0.
        at: usize,
    },
    /// Empty, or with `=` or NUL.
    #[error(
        "Invalid variable name {name:?}: a name is not empty and has neither `=` nor NUL in it"
    )]
    InvalidName {
        /// The name.
        name: OsString,
    },
    /// No environment can hold one.
    #[error("Invalid value of the variable {name:?}: it holds a NUL character")]
    NulInValue {
        /// The name.
        name: OsString,
    },
    /// No time limit.
    #[error(transparent)]
    Timeout(#[from] InvalidTimeout),
    /// The deployment allows no other directory.
    #[error(
        "The working directory is fixed to {}: this deployment takes none from a request, \
         but {} was asked for", root.display(), asked.display()
    )]
    CwdFixed {
        /// The workspace's root.
        root: PathBuf,
        /// What was asked for.
        asked: PathBuf,
    },
    /// No directory that a command can run in.
    #[error(transparent)]
    Cwd(#[from] CwdError),
}

/// Checks the text of a command.
pub(crate) fn check_command(command: &str) -> Result<(), RequestError> {
    if command.trim().is_empty() {
        return Err(RequestError::EmptyCommand);
    }
    if command.len() > MAX_COMMAND_BYTES {
        return Err(RequestError::CommandTooLong {
            bytes: command.len(),
        });
    }
    match command.find('\0') {
        Some(at) => Err(RequestError::NulInCommand { at }),
        None => Ok(()),
    }
}

/// Checks the variables of a request.
pub(crate) fn check_env(env: &BTreeMap<OsString, Option<OsString>>) -> Result<(), RequestError> {
    let has = |text: &OsStr, byte: u8| text.as_bytes().contains(&byte);
    for (name, value) in env {
        if name.is_empty() || has(name, b'=') || has(name, 0) {
            return Err(RequestError::InvalidName { name: name.clone() });
        }
        if value.as_deref().is_some_and(|value| has(value, 0)) {
            return Err(RequestError::NulInValue { name: name.clone() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_text_that_a_shell_can_be_given() {
        for command in ["true", " ls \n", "\\", "!", "🦀"] {
            check_command(command).unwrap();
        }
        let error = |command: &str| check_command(command).unwrap_err().to_string();
        assert_eq!(
            error(" \r\n"),
            "The command is empty: give the shell text to run"
        );
        assert_eq!(
            error("echo \0"),
            "The command holds a NUL character at byte 5, which no command line can"
        );
        assert!(error(&"x".repeat(MAX_COMMAND_BYTES + 1)).contains("1048577 bytes"));
        check_command(&"x".repeat(MAX_COMMAND_BYTES)).unwrap();
    }

    #[test]
    fn a_variable_has_a_name_and_no_nul() {
        let error = |name: &str, value: &str| {
            check_env(&[(name.into(), Some(value.into()))].into()).unwrap_err()
        };
        assert!(matches!(error("", "x"), RequestError::InvalidName { .. }));
        assert!(matches!(
            error("A=B", "x"),
            RequestError::InvalidName { .. }
        ));
        assert!(matches!(error("A", "x\0"), RequestError::NulInValue { .. }));
        check_env(&[("odd-name".into(), None)].into()).unwrap();
    }
}
