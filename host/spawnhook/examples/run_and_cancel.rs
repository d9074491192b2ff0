//! Runs one command to its end, follows another, and cancels it with everything that it started.

#![expect(clippy::print_stdout, reason = "an example tells what it does")]

use std::error::Error;

use spawnhook::config::{Config, Sources};
use spawnhook::exec::Spawner;
use spawnhook::model::{Ending, Env, Event, Origin};
use spawnhook::{ExecRequest, Host, Via, message};

fn main() -> Result<(), Box<dyn Error>> {
    // Should its spawner die, this program is executed anew to be one. That comes first.
    Spawner::serve_if_asked(std::env::args_os());
    // Before there are threads: a small process forks faster than a large one.
    let spawner = Spawner::fork(std::env::current_exe()?)?;

    // A deployment without a config file. Its audit log is not to outlive the example.
    let folder = tempfile::tempdir()?;
    let sources = Sources::none(folder.path(), folder.path().join("state"));
    let environment = Env::from_iter([("PATH", "/usr/bin:/bin")]);
    let config = Config::built_in(&sources);
    let host = Host::builder(config, environment, Via::Shell(spawner)).build()?;

    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        run(&host).await?;
        cancel(&host).await
    })
}

/// What a command did is its outcome, never an error.
async fn run(host: &Host) -> Result<(), Box<dyn Error>> {
    let mut request = ExecRequest::new("echo \"in $PWD\" >&2; exit 3", Origin::Rpc);
    request.timeout = Some(60.0);
    let outcome = host.start(request)?.outcome().await?;
    println!("{}", message::message(&outcome));
    assert_eq!(outcome.ending, Ending::Exited(3));
    assert!(outcome.output.text.starts_with("in /"));
    Ok(())
}

/// The events of a command, until it is cancelled from somewhere else.
async fn cancel(host: &Host) -> Result<(), Box<dyn Error>> {
    let command = "(setsid sleep 1000 &); echo started; sleep 1000";
    let mut execution = host.start(ExecRequest::new(command, Origin::Rpc))?;
    let canceller = execution.canceller();
    while let Some(event) = execution.next_event().await {
        match event {
            Event::Started { spawn, .. } => println!("runs: {}", spawn.command),
            Event::Output(chunk) => {
                println!("wrote: {}", String::from_utf8_lossy(&chunk).trim_end());
                canceller.cancel();
            }
            // Both processes that slept are gone.
            Event::Finished(outcome) => {
                println!("{}", message::message(&outcome));
                assert_eq!(outcome.ending, Ending::Cancelled { shell: None });
                assert_eq!(outcome.output.text, "started\n");
            }
            _ => {}
        }
    }
    Ok(())
}
