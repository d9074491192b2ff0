//! What it costs to run `bash -c true` through the backend, against a plain spawn of the same shell
//! by the standard library, which is `posix_spawn`. Both in turn, in one run, with a host that has
//! little memory and one that has much.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nothing::{Failure, run_nothing};
use spawnhook_exec::{LocalBackend, Spawner};

#[path = "common/nothing.rs"]
mod nothing;

const ROUNDS: usize = 1000;
/// How many of a kind follow each other, so that what one leaves to be done afterwards falls to
/// its own kind.
const TURN: usize = 20;
const HOSTS_MB: [usize; 2] = [20, 500];

fn main() -> Result<(), Failure> {
    Spawner::serve_if_asked(std::env::args_os());
    let spawner = Spawner::fork(std::env::current_exe()?)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let backend = LocalBackend::new(spawner, None, None);
    for megabytes in HOSTS_MB {
        let memory = black_box(vec![1_u8; megabytes << 20]);
        let mut plain = Vec::new();
        let mut ours = Vec::new();
        for _ in 0..ROUNDS / TURN {
            for _ in 0..TURN {
                plain.push(timed(spawn_plainly)?);
            }
            for _ in 0..TURN {
                ours.push(timed(|| runtime.block_on(run_nothing(&backend)))?);
            }
        }
        print(megabytes, &mut plain, &mut ours);
        drop(black_box(memory));
    }
    Ok(())
}

fn timed(run: impl FnOnce() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed())
}

fn spawn_plainly() -> Result<(), Failure> {
    let mut command = Command::new("/bin/bash");
    command
        .args(["-c", "true"])
        .env_clear()
        .stdin(Stdio::null());
    let output = command.output()?;
    assert!(output.status.success());
    Ok(())
}

#[expect(clippy::print_stdout, reason = "this is what a benchmark is for")]
fn print(megabytes: usize, plain: &mut [Duration], ours: &mut [Duration]) {
    plain.sort_unstable();
    ours.sort_unstable();
    for percent in [50, 99] {
        let at = ROUNDS * percent / 100;
        let ratio = ours[at].as_secs_f64() / plain[at].as_secs_f64();
        println!(
            "host of {megabytes} MB, p{percent}: {:?} against {:?}, ratio {ratio:.2}",
            ours[at], plain[at]
        );
    }
}
