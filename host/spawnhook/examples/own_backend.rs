//! A backend of one's own: commands go through the hooks and into the audit log, and are then told
//! instead of run. One that runs them in a container has the same shape.

#![expect(clippy::print_stdout, reason = "an example tells what it does")]

use std::error::Error;
use std::sync::Arc;

use spawnhook::config::{Config, Sources};
use spawnhook::exec::{Backend, BoxFuture, Ran, Spawn, SpawnError, Wires};
use spawnhook::model::{Chunk, Ending, Env, Origin, Stream};
use spawnhook::{ExecRequest, Host, Via};

/// Says what it would run, and where.
struct DryRun;

impl Backend for DryRun {
    fn run<'a>(&'a self, spawn: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        Box::pin(async move {
            let Wires { output, mut cancel } = wires;
            let text = format!("in {}: {}\n", spawn.cwd.path().display(), spawn.command);
            let ending = tokio::select! {
                // A reader that is gone keeps no command from running.
                _ = output.send(Chunk::new(Stream::Merged, text)) => Ending::Exited(0),
                () = cancel.cancelled() => Ending::Cancelled { shell: None },
            };
            Ok(Ran {
                ending,
                leftovers: Vec::new(),
                later: None,
                notices: vec!["nothing was run".to_owned()],
            })
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let config = Config::built_in(&Sources::none(folder.path(), folder.path().join("state")));
    let log = config.audit.path.clone();
    let via = Via::Backend(Arc::new(DryRun));
    let host = Host::builder(config, Env::new(), via).build()?;

    let runtime = tokio::runtime::Runtime::new()?;
    let outcome = runtime.block_on(async {
        let execution = host.start(ExecRequest::new("rm -rf build", Origin::Rpc))?;
        Ok::<_, Box<dyn Error>>(execution.outcome().await?)
    })?;
    print!("{}", outcome.output.text);
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert!(outcome.output.text.ends_with(": rm -rf build\n"));
    assert_eq!(outcome.notices, ["nothing was run"]);
    let records = std::fs::read_to_string(&log)?;
    assert_eq!(records.lines().count(), 2);
    Ok(())
}
