//! How long a command with 1 GiB of output takes, full-output file on, against the same generator
//! into `cat > file`, turn by turn in one run. Prints the least of each, which other work on the
//! machine disturbs least, their ratio, and by how much this process has grown meanwhile.

#![expect(
    clippy::print_stdout,
    reason = "what a benchmark finds out goes to its standard output"
)]

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use spawnhook_exec::{
    Backend, Canceller, Collector, Cwd, DEFAULT_STOP_GRACE, Invocation, Leftovers, LocalBackend,
    Rlimits, Spawn, Spawner, SpillOptions, Stdin, Streams, Wires,
};
use spawnhook_model::{Chunk, Ending, Env, OutputLimits};
use tokio::sync::mpsc;

type Failure = Box<dyn std::error::Error + Send + Sync>;

const BYTES: u64 = 1 << 30;
const BLOCK: usize = 80 * 1024;
const ROUNDS: usize = 5;
const GENERATE: &str = "generate";

fn main() -> Result<(), Failure> {
    Spawner::serve_if_asked(std::env::args_os());
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1..) {
        Some([generate, shape]) if generate == GENERATE => generate_all(shape),
        _ => compare_all(),
    }
}

/// The generator: whole lines of 80 bytes, or one line.
fn generate_all(shape: &str) -> Result<(), Failure> {
    let mut block = vec![b'y'; BLOCK];
    if shape == "lines" {
        block
            .iter_mut()
            .skip(79)
            .step_by(80)
            .for_each(|byte| *byte = b'\n');
    }
    let mut left = usize::try_from(BYTES)?;
    // The lock of the standard library's would look for newlines.
    let mut out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    while left > 0 {
        let next = left.min(BLOCK);
        out.write_all(&block[..next])?;
        left -= next;
    }
    Ok(())
}

fn compare_all() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let spawner = Spawner::fork(std::env::current_exe()?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    for shape in ["lines", "line"] {
        let program = std::env::current_exe()?;
        let generator = format!("'{}' {GENERATE} {shape}", program.display());
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        fs::write("/proc/self/clear_refs", "5")?;
        let before = peak_kib()?;
        for _ in 0..ROUNDS {
            theirs.push(through_cat(&generator, folder.path())?);
            // On a worker, which then waits for the pipe itself, as in the host.
            let run = through_backend(spawner.clone(), generator.clone(), folder.path().to_owned());
            ours.push(runtime.block_on(runtime.spawn(run))??);
        }
        let grown = peak_kib()?.saturating_sub(before) / 1024;
        let least = |times: Vec<Duration>| times.into_iter().min().unwrap_or_default();
        let (ours, theirs) = (least(ours), least(theirs));
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        println!(
            "{shape}: {ours:.2?} against {theirs:.2?}, ratio {ratio:.2}, grown by {grown} MiB"
        );
    }
    Ok(())
}

fn peak_kib() -> Result<u64, Failure> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("no VmHWM in /proc/self/status")?.parse()?)
}

fn through_cat(generator: &str, folder: &Path) -> Result<Duration, Failure> {
    let path = folder.join("cat");
    let started = Instant::now();
    let status = Command::new("/bin/bash")
        .args(["-c", &format!("{generator} | cat > '{}'", path.display())])
        .stdin(Stdio::null())
        .status()?;
    let took = started.elapsed();
    if !status.success() || path.metadata()?.len() != BYTES {
        return Err("the generator has failed".into());
    }
    fs::remove_file(path)?;
    Ok(took)
}

async fn through_backend(
    spawner: Spawner,
    generator: String,
    folder: PathBuf,
) -> Result<Duration, Failure> {
    let spawn = Spawn {
        command: generator,
        invocation: Invocation::default(),
        cwd: Cwd::open(&folder, None)?,
        env: Env::from_iter([("PATH", "/usr/bin:/bin")]),
        stdin: Stdin::Null,
        streams: Streams::Merged,
        timeout: None,
        stop_grace: DEFAULT_STOP_GRACE,
        leftovers: Leftovers::default(),
        rlimits: Rlimits::default(),
    };
    let started = Instant::now();
    let (_canceller, cancel) = Canceller::new();
    let (output, mut chunks) = mpsc::channel::<Chunk>(8);
    let spill = SpillOptions {
        directory: folder,
        quota_bytes: 2 * BYTES,
    };
    let mut collector = Collector::new(OutputLimits::default(), Some(spill));
    let collect = async {
        while let Some(chunk) = chunks.recv().await {
            collector.write(chunk.stream(), &chunk);
        }
    };
    let backend = LocalBackend::new(spawner, None, None);
    let (ran, ()) = tokio::join!(backend.run(spawn, Wires { output, cancel }), collect);
    let (ran, output) = (ran?, collector.finish().0);
    let took = started.elapsed();
    let path = output.full_output.ok_or("there is no file")?;
    if ran.ending != Ending::Exited(0) || path.metadata()?.len() != BYTES {
        return Err("the command has failed, or its file lacks something".into());
    }
    fs::remove_file(path)?;
    Ok(took)
}
