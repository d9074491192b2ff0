use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::GOOD_FOR;

/// Why a ticket could not be issued, or is no good.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TicketError {
    /// The system refused a file or a directory.
    #[error("cannot use {} for a ticket", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// It is not there.
    #[error(
        "there is no ticket {}: it was used before, has expired, or was never issued; \
         ask for the command anew", path.display()
    )]
    Missing {
        /// Its path.
        path: PathBuf,
    },
    /// Somebody else could have written it.
    #[error(
        "the ticket {} is not private: {} {what}, and only its owner may be able to use it",
        ticket.display(), path.display()
    )]
    NotPrivate {
        /// The path of the ticket.
        ticket: PathBuf,
        /// The file or directory at fault.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// It is not what was issued under its name.
    #[error("the ticket {} was altered after it was issued; ask for the command anew", path.display())]
    Altered {
        /// Its path.
        path: PathBuf,
    },
    /// It is too old.
    #[error(
        "the ticket is good for {} seconds and has expired; ask for the command anew",
        GOOD_FOR.as_secs()
    )]
    Expired,
    /// It is for another command.
    #[error("the ticket is for another command than {given:?}; run what was agreed to, unchanged")]
    OtherCommand {
        /// The beginning of the command that was given.
        given: String,
    },
    /// It is for a command in another directory.
    #[error("the ticket is for a command in {}, and not in {}", expected.display(), given.display())]
    OtherCwd {
        /// The directory that it is for.
        expected: PathBuf,
        /// The directory of this process.
        given: PathBuf,
    },
}

impl TicketError {
    pub(super) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io {
            path,
            source: Arc::new(source),
        }
    }
}
