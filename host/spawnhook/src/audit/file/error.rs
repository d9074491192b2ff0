use std::io;
use std::path::PathBuf;

/// Why a record was not appended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The folder of the log could not be made.
    #[error("cannot create the folder of the audit log {}", path.display())]
    Folder {
        /// The log.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The log could not be opened or locked.
    #[error("cannot open the audit log {}", path.display())]
    Open {
        /// The log.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The log is due to be put aside, and could not be.
    #[error("cannot put the audit log {} aside", path.display())]
    Rotate {
        /// The log.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The record could not be read back to or written.
    #[error("cannot append to the audit log {}", path.display())]
    Append {
        /// The log.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}
