//! What the front ends that serve many commands have in common: how they are set up, and when
//! they end.

use std::future::Future;
use std::io::stdout;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use spawnhook::Host;
use spawnhook::calls::Calls;
use spawnhook_exec::Spawner;
use spawnhook_hooks::{Allocation, EngineOptions, Snapshots};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::args::HostArguments;
use super::{ambient, host};

/// How long a server that ends waits for a client that takes nothing off its hands. What runs is
/// stopped before; this is about the last answers.
pub(crate) const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Why a server ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The client has closed the server's input.
    Input,
    /// Nobody reads the server's output any more.
    Output,
    /// The server was told to.
    Signal(i32),
}

impl End {
    /// 128 + N for a signal, as of any program that it ends.
    pub(crate) fn code(self) -> ExitCode {
        match self {
            Self::Input | Self::Output => ExitCode::SUCCESS,
            Self::Signal(signal) => ExitCode::from(u8::try_from(128 + signal).unwrap_or(u8::MAX)),
        }
    }
}

/// The host of a process of many calls. To be called before the first thread.
pub(crate) fn host(arguments: &HostArguments) -> anyhow::Result<Host> {
    let engine = EngineOptions {
        allocation: Allocation::Pooling,
        ..ambient::engine(Snapshots::Take)?
    };
    Ok(host::builder(arguments, engine, Spawner::fork)?.build()?)
}

/// Runs a server to its end. Threads that wait for a client keep no one from leaving.
pub(crate) fn run<T>(server: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let served = runtime.block_on(server);
    runtime.shutdown_background();
    served
}

/// The directory that a server starts in: the one that was named, else the current one where the
/// deployment lets it.
pub(crate) fn start_cwd(named: Option<PathBuf>, host: &Host) -> anyhow::Result<PathBuf> {
    match host::cwd(named, host)? {
        Some(cwd) => Ok(host.check_cwd(&cwd)?),
        None => Ok(host.config().workspace.root.clone()),
    }
}

/// Returns once a signal says that the server is to end, or nobody reads its output any more.
/// `lost_output` tells of a write that failed.
pub(crate) async fn ended(lost_output: &CancellationToken) -> anyhow::Result<End> {
    let (sender, mut signals) = tokio::sync::mpsc::channel(1);
    let ignored = ambient::Ignored::now();
    for kind in [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ] {
        let number = kind.as_raw_value();
        if ignored.has(number) {
            continue;
        }
        let mut arrivals = signal(kind).context("cannot listen for signals")?;
        let sender = sender.clone();
        drop(tokio::spawn(async move {
            if arrivals.recv().await.is_some() {
                // The first one is enough.
                sender.send(number).await.ok();
            }
        }));
    }
    watch_reader(lost_output.clone())?;
    tokio::select! {
        Some(number) = signals.recv() => Ok(End::Signal(number)),
        () = lost_output.cancelled() => Ok(End::Output),
    }
}

/// Stops every command and waits for the last answers.
pub(crate) async fn end<Name: Clone + PartialEq + Send + 'static>(
    calls: &Calls<Name>,
    lost_output: &CancellationToken,
) {
    let grace = calls.host().config().limits.stop_grace;
    let ended = calls.end();
    tokio::pin!(ended);
    if tokio::time::timeout(grace + LAST_ANSWERS, &mut ended)
        .await
        .is_err()
    {
        // Whoever waits for room to answer gives up, so that every record is written.
        lost_output.cancel();
        drop(tokio::time::timeout(4 * LAST_ANSWERS, ended).await);
    }
}

/// A pipe or socket without a reader says so although nothing is written. The thread that waits
/// for that ends with the process.
fn watch_reader(lost: CancellationToken) -> anyhow::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let watch = move || {
        let stdout = stdout();
        loop {
            let mut descriptors = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut descriptors, None) {
                Err(rustix::io::Errno::INTR) => {}
                Ok(_) | Err(_) => break lost.cancel(),
            }
        }
    };
    let thread = std::thread::Builder::new().name("output-reader".to_owned());
    drop(thread.spawn(watch).context("cannot start a thread")?);
    Ok(())
}
