//! The Model Context Protocol on standard input and output: `bash` and what belongs to it.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context as _, bail};
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use spawnhook::calls::Calls;
use tokio_util::sync::CancellationToken;

use super::args::McpArguments;
use super::exit;
use super::server::{self, End, LAST_ANSWERS};

mod answer;
mod arguments;
mod attendance;
mod backlog;
mod input;
mod job;
mod jobs;
mod question;
mod report;
mod service;
mod tools;

use input::Input;
use service::Service;

pub(crate) fn main(arguments: McpArguments) -> ExitCode {
    match start(arguments) {
        Ok(end) => end.code(),
        Err(error) => exit::report(Err(error)),
    }
}

fn start(arguments: McpArguments) -> anyhow::Result<End> {
    let patience = Duration::try_from_secs_f64(arguments.patience);
    let patience = patience.with_context(|| {
        let given = arguments.patience;
        format!("--patience {given}: expected a number of seconds from 0 on")
    })?;
    let host = server::host(&arguments.host)?;
    let cwd = server::start_cwd(arguments.cwd, &host)?;
    server::run(async move {
        let calls = Calls::new(host);
        serve(calls.clone(), Service::new(calls, cwd, patience)).await
    })
}

async fn serve(calls: Calls<String>, service: Service) -> anyhow::Result<End> {
    let (input, output) = stdio_pipes();
    let input = Input::new(input);
    let input_ended = input.ended();
    let lost = CancellationToken::new();
    let ended = server::ended(&lost);
    tokio::pin!(ended);
    let mut running = tokio::select! {
        end = &mut ended => return end,
        running = service.serve((input, output)) => match running {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(End::Input),
            Err(error) => bail!("the client does not speak the protocol: {error}"),
        },
    };
    let end = tokio::select! {
        end = &mut ended => end?,
        () = input_ended.cancelled() => End::Input,
    };
    server::end(&calls, &lost).await;
    // Every command has ended; what is left is to be written.
    let closed = running.close_with_timeout(LAST_ANSWERS).await;
    closed.context("the server broke down")?;
    Ok(end)
}
