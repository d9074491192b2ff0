use std::time::Duration;

use spawnhook_exec::{Backend, BoxFuture, Ran, Spawn, SpawnError, Wires};
use spawnhook_model::{Ending, Env, Origin};

use super::*;
use crate::config::{Config, Sources};
use crate::host::Via;

/// Runs until it is cancelled.
struct UntilCancelled;

impl Backend for UntilCancelled {
    fn run<'a>(&'a self, _: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        Box::pin(async move {
            let mut cancel = wires.cancel;
            cancel.cancelled().await;
            Ok(Ran {
                ending: Ending::Cancelled { shell: None },
                leftovers: Vec::new(),
                later: None,
                notices: Vec::new(),
            })
        })
    }
}

/// Calls, and the names of those that have ended.
struct Server {
    calls: Calls<&'static str>,
    ended: Arc<Mutex<Vec<&'static str>>>,
    _folder: tempfile::TempDir,
}

impl Server {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sources = Sources {
            system: None,
            user: None,
            explicit: None,
            state_home: folder.path().join("state"),
            start_directory: folder.path().to_owned(),
            home: None,
            env: Env::default(),
        };
        let config = Config::built_in(&sources);
        let via = Via::Backend(Arc::new(UntilCancelled));
        let host = Host::builder(config, Env::default(), via);
        let host = host.build().unwrap();
        Self {
            calls: Calls::new(host),
            ended: Arc::default(),
            _folder: folder,
        }
    }

    fn start(&self, name: &'static str) -> Result<(), StartError> {
        let ended = self.ended.clone();
        let request = ExecRequest::new("sleep", Origin::Rpc);
        self.calls.start(name, request, |execution| async move {
            execution.outcome().await.unwrap();
            ended.lock().unwrap().push(name);
        })
    }

    fn ended(&self) -> Vec<&'static str> {
        let mut ended = self.ended.lock().unwrap().clone();
        ended.sort_unstable();
        ended
    }

    async fn wait_for(&self, ended: &[&str]) {
        let wait = async {
            while self.ended() != ended {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), wait)
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_cancel_reaches_every_call_of_its_name_and_no_other() {
    let server = Server::new();
    for name in ["a", "b", "a", "c"] {
        server.start(name).unwrap();
    }
    assert_eq!(server.calls.cancel(&"nothing"), 0);
    assert_eq!(server.calls.cancel(&"a"), 2);
    server.wait_for(&["a", "a"]).await;
    assert_eq!(server.calls.cancel_all(), 2);
    server.wait_for(&["a", "a", "b", "c"]).await;
    assert_eq!(server.calls.cancel_all(), 0);
}

#[tokio::test]
async fn the_end_waits_for_every_call_and_starts_none_any_more() {
    let server = Server::new();
    server.start("a").unwrap();
    server.start("b").unwrap();
    server.calls.end().await;
    assert_eq!(server.ended(), ["a", "b"]);
    let refused = server.start("c").unwrap_err();
    assert!(matches!(refused, StartError::Ending));
}

#[tokio::test]
async fn a_request_that_cannot_run_is_no_call() {
    let server = Server::new();
    let request = ExecRequest::new("", Origin::Rpc);
    let refused = server.calls.start("a", request, |_| async {}).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "The command is empty: give the shell text to run"
    );
    assert_eq!(server.calls.cancel_all(), 0);
}
