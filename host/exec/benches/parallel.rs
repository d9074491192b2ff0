//! What it costs to run `bash -c true` 200 times, 64 at once, through the backend, against
//! `xargs -P 64` with the same shell, turn by turn in one run.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nothing::{Failure, run_nothing};
use spawnhook_exec::{LocalBackend, Spawner};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

#[path = "common/nothing.rs"]
mod nothing;

const COMMANDS: usize = 200;
const AT_ONCE: usize = 64;
const ROUNDS: usize = 20;

#[expect(clippy::print_stdout, reason = "this is what a benchmark is for")]
fn main() -> Result<(), Failure> {
    Spawner::serve_if_asked(std::env::args_os());
    let spawner = Spawner::fork(std::env::current_exe()?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let backend = LocalBackend::new(spawner, None, None);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        theirs.push(through_xargs()?);
        ours.push(runtime.block_on(through_backend(&backend))?);
    }
    ours.sort_unstable();
    theirs.sort_unstable();
    for percent in [50, 95] {
        let at = ROUNDS * percent / 100;
        let ratio = ours[at].as_secs_f64() / theirs[at].as_secs_f64();
        println!(
            "{COMMANDS} commands, {AT_ONCE} at once, p{percent}: {:.1?} against {:.1?}, ratio \
             {ratio:.2}",
            ours[at], theirs[at]
        );
    }
    Ok(())
}

fn through_xargs() -> Result<Duration, Failure> {
    let started = Instant::now();
    let mut xargs = Command::new("xargs")
        .args(["-P", &AT_ONCE.to_string(), "-n", "1"])
        .args(["/bin/bash", "-c", "true"])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let mut names = xargs.stdin.take().ok_or("no stdin")?;
    names.write_all("x\n".repeat(COMMANDS).as_bytes())?;
    drop(names);
    match xargs.wait()?.success() {
        true => Ok(started.elapsed()),
        false => Err("xargs has failed".into()),
    }
}

async fn through_backend(backend: &LocalBackend) -> Result<Duration, Failure> {
    let started = Instant::now();
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut running = JoinSet::new();
    for _ in 0..COMMANDS {
        let place = places.clone().acquire_owned().await?;
        let backend = backend.clone();
        running.spawn(async move {
            let ended = run_nothing(&backend).await;
            drop(place);
            ended
        });
    }
    while let Some(ended) = running.join_next().await {
        ended??;
    }
    Ok(started.elapsed())
}
