//! The part of a hook that may not fail: it starts the other part, which reads the input, loads and
//! runs hooks, and whatever becomes of that there is an answer in time.

use std::io::{self, Read as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use spawnhook_model::Timeout;

use super::dialect::{Agent, Reply};
use crate::cli::ambient;

/// How many seconds the other part may take if nothing is said. There is to be an answer within 5 s,
/// since agents that wait in vain let the command run; the shortest of them waits for 30 s.
pub(super) const WITHIN: &str = "4";

/// Why the other part has not answered.
#[derive(Debug, thiserror::Error)]
enum Silence {
    #[error("spawnhook could not start itself: {0}")]
    Start(String),
    #[error(
        "spawnhook had no answer within {0} seconds: the agent has not ended its input, or hooks have \
         to be compiled first, which `spawnhook config check` does, or take longer, which --within \
         lets them"
    )]
    Late(Timeout),
    #[error("spawnhook failed before it had an answer")]
    Died,
}

pub(super) fn reply(agent: Agent, within: Timeout) -> Reply {
    match ask(within) {
        Ok(reply) => reply,
        Err(silence) => agent.denial(&format!("Command not run: {silence}")),
    }
}

fn ask(within: Timeout) -> Result<Reply, Silence> {
    let mut worker = start().map_err(|error| Silence::Start(format!("{error:#}")))?;
    let said = match worker.stdout.take() {
        Some(stdout) => listen(stdout, within),
        None => Err(Silence::Died),
    };
    // It has said everything, or says it too late.
    drop(worker.kill());
    drop(worker.wait());
    serde_json::from_slice(&said?).map_err(|_| Silence::Died)
}

fn start() -> anyhow::Result<Child> {
    let worker = Command::new(ambient::program()?)
        .args(std::env::args_os().skip(1))
        .arg("--worker")
        .stdin(Stdio::inherit())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()?;
    Ok(worker)
}

fn listen(mut stdout: ChildStdout, within: Timeout) -> Result<Vec<u8>, Silence> {
    let (sender, said) = mpsc::channel();
    let read = move || {
        let mut bytes = Vec::new();
        let read = stdout.read_to_end(&mut bytes);
        drop(sender.send(read.map(|_| bytes)));
    };
    let reader = thread::Builder::new().name("answer".to_owned()).spawn(read);
    drop(reader.map_err(|error| Silence::Start(error.to_string()))?);
    let said: io::Result<Vec<u8>> =
        said.recv_timeout(within.duration())
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => Silence::Late(within),
                RecvTimeoutError::Disconnected => Silence::Died,
            })?;
    said.map_err(|_| Silence::Died)
}
