use std::error::Error;
use std::path::Path;

use spawnhook_exec::{
    Backend, Canceller, Cwd, DEFAULT_STOP_GRACE, Invocation, Leftovers, LocalBackend, Rlimits,
    Spawn, Stdin, Streams, Wires,
};
use spawnhook_model::{Ending, Env};
use tokio::sync::mpsc;

pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// Runs `bash -c true` through the backend.
pub(crate) async fn run_nothing(backend: &LocalBackend) -> Result<(), Failure> {
    let spawn = Spawn {
        command: "true".to_owned(),
        invocation: Invocation::default(),
        cwd: Cwd::open(Path::new("/"), None)?,
        env: Env::new(),
        stdin: Stdin::Null,
        streams: Streams::Merged,
        timeout: None,
        stop_grace: DEFAULT_STOP_GRACE,
        leftovers: Leftovers::Session,
        rlimits: Rlimits::default(),
    };
    let (_canceller, cancel) = Canceller::new();
    let (output, mut chunks) = mpsc::channel(16);
    let (ran, chunk) = tokio::join!(backend.run(spawn, Wires { output, cancel }), chunks.recv());
    match (ran?.ending, chunk) {
        (Ending::Exited(0), None) => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}
