//! JSON Lines on standard input and output. `bash`, `abort_bash` and `bash_execution_update` are
//! those of the original; everything else is added.

use std::io::{BufReader, stdin};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use serde_json::Value;
use spawnhook::calls::Calls;
use spawnhook::request::ExecRequest;
use spawnhook::session_file::SessionFile;
use spawnhook_model::Origin;
use tokio::sync::mpsc;

use super::args::RpcArguments;
use super::lines::{Line, MOST_LINE_BYTES, next_line};
use super::server::{self, End};
use super::{exit, stream};

mod call;
mod output;
mod request;
mod response;

use call::Caller;
use output::Output;
use request::{Bash, Request};
use response::Response;

/// Requests that may wait to be looked at.
const REQUESTS_IN_FLIGHT: usize = 16;

pub(crate) fn main(arguments: RpcArguments) -> ExitCode {
    match start(arguments) {
        Ok(end) => end.code(),
        Err(error) => exit::report(Err(error)),
    }
}

fn start(arguments: RpcArguments) -> anyhow::Result<End> {
    let host = server::host(&arguments.host)?;
    let session = arguments.session.map(|path| Session::open(&path));
    let session = session.transpose()?;
    let cwd = server::start_cwd(arguments.cwd, &host)?;
    server::run(async move {
        let (output, written) = Output::start()?;
        let calls = Calls::new(host);
        let lost = output.lost().clone();
        let mut server = Server {
            calls: calls.clone(),
            output,
            session,
            cwd,
        };
        let mut requests = requests()?;
        let end = tokio::select! {
            end = server::ended(&lost) => end?,
            () = server.serve(&mut requests) => End::Input,
        };
        server::end(&calls, &lost).await;
        drop(server);
        written.wait().await;
        Ok(end)
    })
}

/// Where executions are kept.
struct Session {
    /// An absolute path, as commands are told of it.
    path: String,
    file: Arc<SessionFile>,
}

impl Session {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let file = SessionFile::open(path)?;
        let path = path
            .canonicalize()
            .context("cannot find the session file")?;
        Ok(Self {
            path: path.display().to_string(),
            file: Arc::new(file),
        })
    }
}

/// The lines of standard input, read by a thread of their own, which nobody has to wait for.
fn requests() -> anyhow::Result<mpsc::Receiver<Line>> {
    let (sender, lines) = mpsc::channel(REQUESTS_IN_FLIGHT);
    let read = move || {
        let mut input = BufReader::new(stdin());
        loop {
            let line = match next_line(&mut input, MOST_LINE_BYTES) {
                Ok(Some(line)) => line,
                Ok(None) => break,
                Err(error) => break stream::say(&format!("cannot read requests: {error}")),
            };
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    };
    let thread = std::thread::Builder::new().name("requests".to_owned());
    drop(thread.spawn(read).context("cannot start a thread")?);
    Ok(lines)
}

struct Server {
    calls: Calls<Option<Value>>,
    output: Output,
    session: Option<Session>,
    /// What relative directories are taken from.
    cwd: PathBuf,
}

impl Server {
    /// Until the end of the input. Nothing here waits for a command, nor for the client to read:
    /// an abort always gets through.
    async fn serve(&mut self, requests: &mut mpsc::Receiver<Line>) {
        while let Some(line) = requests.recv().await {
            let (id, request) = request::parse(line);
            let command = request
                .as_ref()
                .map_or_else(|refused| refused.command.clone(), Request::name);
            let done = match request {
                Ok(request) => self.handle(id.clone(), request),
                Err(refused) => Err(refused.error),
            };
            match done {
                Ok(None) => {}
                Ok(Some(data)) => self.output.answer(&Response::success(id, command, data)),
                Err(error) => self
                    .output
                    .answer(&Response::<()>::failure(id, command, error)),
            }
        }
    }

    /// What is answered at once: none if an answer comes later.
    fn handle(&mut self, id: Option<Value>, request: Request) -> Result<Option<Value>, String> {
        match request {
            Request::Bash(bash) => self.start(id, bash).map(|()| None),
            Request::Abort { bash_id: None } => {
                let aborted = self.calls.cancel_all();
                Ok(Some(serde_json::json!({ "aborted": aborted })))
            }
            Request::Abort { bash_id } => match self.calls.cancel(&bash_id) {
                0 => Err(format!(
                    "no command with the id {} is running",
                    bash_id.unwrap_or_default()
                )),
                aborted => Ok(Some(serde_json::json!({ "aborted": aborted }))),
            },
            Request::SetCwd { cwd } => {
                let cwd = self.calls.host().check_cwd(&self.cwd.join(cwd));
                let cwd = cwd.map_err(|error| error.to_string())?;
                // So that `..` after `..` makes no path longer and longer.
                self.cwd = cwd.canonicalize().map_err(|error| error.to_string())?;
                Ok(Some(
                    serde_json::json!({ "cwd": self.cwd.display().to_string() }),
                ))
            }
        }
    }

    fn start(&self, id: Option<Value>, bash: Bash) -> Result<(), String> {
        let mut request = ExecRequest::new(bash.command, Origin::Rpc);
        request.cwd = Some(match bash.cwd {
            Some(cwd) => self.cwd.join(cwd),
            None => self.cwd.clone(),
        });
        request.env = bash.env;
        request.timeout = bash.timeout;
        request.streams = bash.streams;
        let session = self.session.as_ref();
        request.session.file = session.map(|session| session.path.clone());
        let caller = Caller {
            id: id.clone(),
            exclude_from_context: bash.exclude_from_context,
            output: self.output.clone(),
            session: session.map(|session| session.file.clone()),
        };
        let started = self
            .calls
            .start(id, request, |execution| caller.follow(execution));
        started.map_err(|error| error.to_string())
    }
}
