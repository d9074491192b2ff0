//! Commands on this machine.

mod process;
mod pump;
mod run;
mod timers;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use spawnhook_model::Ending;

use crate::{Backend, BoxFuture, Ran, Spawn, SpawnError, Wires, shell};

/// Runs commands on this machine, each in a session and process group of its own. Its futures need
/// a tokio runtime with I/O and time.
///
/// A stop reaches every process of the group. A process that stays in the background after the
/// command has ended by itself lives on; the reading end of the output is closed by then, so the
/// next thing that it writes to it ends it by SIGPIPE.
#[derive(Clone, Debug)]
pub struct LocalBackend {
    shell: Option<PathBuf>,
    search_path: Option<OsString>,
}

impl LocalBackend {
    /// Commands run in `shell`, or without one in /bin/bash or else the first bash or else the
    /// first sh of `search_path`, which has the form of PATH. The shell is looked for anew at
    /// every command.
    pub fn new(shell: Option<PathBuf>, search_path: Option<OsString>) -> Self {
        Self { shell, search_path }
    }
}

impl Backend for LocalBackend {
    fn run<'a>(&'a self, spawn: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        Box::pin(async move {
            if wires.cancel.is_cancelled() {
                return Ok(Ran {
                    ending: Ending::Cancelled { shell: None },
                    leftovers: Vec::new(),
                    notices: Vec::new(),
                });
            }
            SpawnError::check(&spawn.command, &spawn.env)?;
            let shell = shell::find(
                self.shell.as_deref(),
                Path::new(shell::DEFAULT_SHELL),
                self.search_path.as_deref(),
            )?;
            run::run(shell, spawn, wires).await
        })
    }
}

#[cfg(test)]
mod tests;
