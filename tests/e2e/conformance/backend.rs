//! T4 and T7: a backend of an embedder, which runs no shell.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use spawnhook::config::{Config, Sources};
use spawnhook::wire::ResultObject;
use spawnhook::{ExecRequest, Host, Via};
use spawnhook_exec::{Backend, BoxFuture, Ran, Spawn, SpawnError, Wires};
use spawnhook_model::{Chunk, Ending, Env, Origin, Stream, Timeout};
use tempfile::TempDir;

use super::row::{Row, row};

pub(super) fn rows() -> Vec<Row> {
    let kept = |status: &str| {
        json!({
            "message~": format!("[Showing lines 1001-3000 of 3000. Full output: FILE]\n\n{status}"),
            "file_first": "1", "file_last": "3000",
        })
    };
    vec![
        row("T4", "3000 lines and a time limit")
            .library(|| {
                let after = Timeout::from_seconds(5.0).unwrap();
                through_library(Ending::TimedOut { after, shell: None })
            })
            .matches(kept("Command timed out after 5 seconds")),
        row("T4", "3000 lines and an abort")
            .library(|| through_library(Ending::Cancelled { shell: None }))
            .matches(kept("Command aborted")),
        row("T7", "no shell is looked for")
            .library(|| through_library(Ending::Exited(0)))
            .matches(json!({"ending": "exited", "runs": 1})),
    ]
}

/// Writes 3000 lines, and ends as it is told.
struct Scripted {
    ending: Ending,
    runs: Arc<AtomicUsize>,
}

impl Backend for Scripted {
    fn run<'a>(&'a self, spawn: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        self.runs.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            assert_eq!(spawn.command, "anything");
            for number in 1..=3000 {
                let line = Chunk::new(Stream::Merged, format!("{number}\n"));
                wires.output.send(line).await.unwrap();
            }
            Ok(Ran {
                ending: self.ending.clone(),
                leftovers: Vec::new(),
                later: None,
                notices: Vec::new(),
            })
        })
    }
}

/// The object of a run in a deployment whose shell is missing.
fn through_library(ending: Ending) -> Value {
    let folder = TempDir::new().unwrap();
    let runs = Arc::new(AtomicUsize::new(0));
    let backend = Scripted {
        ending,
        runs: runs.clone(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
    let outcome = runtime.block_on(async {
        let host = host(&folder, backend);
        let request = ExecRequest::new("anything", Origin::Rpc);
        host.start(request).unwrap().outcome().await.unwrap()
    });
    let path = outcome.output.full_output.clone().unwrap();
    let mut object = serde_json::to_value(ResultObject::from(&outcome)).unwrap();
    let message = object["message"].as_str().unwrap();
    object["message"] = message.replace(path.to_str().unwrap(), "FILE").into();
    let file = fs::read_to_string(path).unwrap();
    object["file_first"] = file.lines().next().into();
    object["file_last"] = file.lines().last().into();
    object["runs"] = runs.load(Ordering::Relaxed).into();
    object
}

fn host(folder: &TempDir, backend: Scripted) -> Host {
    let mut config = Config::built_in(&Sources {
        system: None,
        user: None,
        explicit: None,
        start_directory: folder.path().to_owned(),
        state_home: folder.path().to_owned(),
        home: None,
        env: Env::new(),
    });
    config.shell.path = Some(PathBuf::from("/no/such/shell"));
    config.hooks.clear();
    Host::builder(config, Env::new(), Via::Backend(Arc::new(backend)))
        .temporary_directory(folder.path().to_owned())
        .build()
        .unwrap()
}
