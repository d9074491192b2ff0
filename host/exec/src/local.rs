//! Commands on this machine.

mod buffers;
mod connection;
mod later;
mod notices;
mod outputs;
mod pump;
mod run;
mod sessions;
mod timers;

use std::ffi::OsString;
use std::path::PathBuf;

use spawnhook_model::Ending;

use crate::{Backend, BoxFuture, Ran, ShellSearch, Spawn, SpawnError, Spawner, Wires};
use buffers::Spares;
pub use later::LaterOutput;
use sessions::Sessions;

/// Runs commands on this machine, each in a session of its own under a supervisor of its own. Its
/// futures need a tokio runtime with I/O and time.
///
/// A stop ends every process that the command has started, however they have detached themselves:
/// [`Spawner`] says how. What a command has left when it ends by itself is treated as
/// [`Leftovers`](crate::Leftovers) says; dropping the backend and all its clones ends those of the
/// session.
#[derive(Clone, Debug)]
pub struct LocalBackend {
    spawner: Spawner,
    shells: ShellSearch,
    sessions: Sessions,
    spares: Spares,
}

impl LocalBackend {
    /// Commands run in `shell`, or without one in what [`ShellSearch`] finds in its usual place or
    /// on `search_path`, which has the form of PATH, and which is not the spawner's program. The
    /// shell is looked for anew at every command.
    pub fn new(spawner: Spawner, shell: Option<PathBuf>, search_path: Option<OsString>) -> Self {
        Self {
            shells: ShellSearch::new(shell, search_path, spawner.program()),
            spawner,
            sessions: Sessions::default(),
            spares: Spares::default(),
        }
    }
}

impl Backend for LocalBackend {
    fn run<'a>(&'a self, spawn: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        Box::pin(async move {
            if wires.cancel.is_cancelled() {
                return Ok(Ran {
                    ending: Ending::Cancelled { shell: None },
                    leftovers: Vec::new(),
                    later: None,
                    notices: Vec::new(),
                });
            }
            SpawnError::check(&spawn)?;
            let shell = self.shells.find(spawn.invocation.shell)?;
            run::run(self, shell, spawn, wires).await
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
