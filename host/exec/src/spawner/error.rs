use std::io;
use std::path::PathBuf;

use crate::output::visible_path;

/// Why there is no spawner.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnerError {
    /// A process with several threads was to be forked.
    #[error(
        "the spawner must be forked before there are threads, and this process has {threads}; \
         fork it earlier, or launch it as a program of its own"
    )]
    Threads {
        /// How many there are.
        threads: usize,
    },
    /// The system refused something.
    #[error("the spawner could not be forked")]
    Fork {
        /// What the system said.
        source: io::Error,
    },
    /// The program could not be executed.
    #[error("the spawner could not be launched from {}", visible_path(program))]
    Launch {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
