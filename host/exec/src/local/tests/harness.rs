use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use spawnhook_model::{Chunk, Ending, Env, OutputLimits, Timeout};
use tokio::sync::mpsc;

use crate::{
    Backend, Cancel, Canceller, Collector, Cwd, DEFAULT_STOP_GRACE, Invocation, Leftovers,
    LocalBackend, Ran, Rlimits, Spawn, SpawnError, Spawner, Stdin, Streams, Wires,
};

/// Longer than anything a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a condition is looked at: who waits must not starve those waited for.
const GLANCE: Duration = Duration::from_millis(1);

/// What a busy machine may add to a bound.
pub(super) const SLACK: Duration = Duration::from_secs(3);

pub(super) fn spawn(command: &str) -> Spawn {
    Spawn {
        command: command.to_owned(),
        invocation: Invocation::default(),
        cwd: Cwd::open(Path::new("/"), None).unwrap(),
        env: Env::from_iter([("PATH", "/usr/local/bin:/usr/bin:/bin"), ("LC_ALL", "C")]),
        stdin: Stdin::Null,
        streams: Streams::Merged,
        timeout: None,
        stop_grace: DEFAULT_STOP_GRACE,
        leftovers: Leftovers::Session,
        rlimits: Rlimits::default(),
    }
}

pub(super) fn spawn_in(directory: &Path, command: &str) -> Spawn {
    let cwd = Cwd::open(directory, None).unwrap();
    Spawn {
        cwd,
        ..spawn(command)
    }
}

pub(super) fn timeout(seconds: f64) -> Option<Timeout> {
    Some(Timeout::from_seconds(seconds).unwrap())
}

/// The one of all tests.
pub(crate) fn spawner() -> Spawner {
    static SPAWNER: LazyLock<Spawner> =
        LazyLock::new(|| Spawner::launch(std::env::current_exe().unwrap()).unwrap());
    SPAWNER.clone()
}

/// The one of all tests that need none of their own.
pub(super) fn backend() -> LocalBackend {
    static BACKEND: LazyLock<LocalBackend> =
        LazyLock::new(|| LocalBackend::new(spawner(), None, None));
    BACKEND.clone()
}

/// Runs a command that nobody cancels.
pub(super) async fn run(spawn: Spawn) -> (Ran, String) {
    let (_canceller, cancel) = Canceller::new();
    run_with(spawn, cancel).await
}

pub(super) async fn run_with(spawn: Spawn, cancel: Cancel) -> (Ran, String) {
    let (ran, text) = try_run(&backend(), spawn, cancel).await;
    (ran.unwrap(), text)
}

pub(super) async fn try_run(
    backend: &LocalBackend,
    spawn: Spawn,
    cancel: Cancel,
) -> (Result<Ran, SpawnError>, String) {
    let (output, mut chunks) = mpsc::channel::<Chunk>(16);
    let limits = OutputLimits {
        max_lines: 100_000,
        max_bytes: 4 << 20,
    };
    let mut collector = Collector::new(limits, None);
    let collect = async {
        while let Some(chunk) = chunks.recv().await {
            collector.write(chunk.stream(), &chunk);
        }
    };
    let both = async { tokio::join!(backend.run(spawn, Wires { output, cancel }), collect) };
    let (ran, ()) = tokio::time::timeout(PATIENCE, both).await.unwrap();
    (ran, collector.finish().0.text)
}

/// The text of a command that must exit with 0 and leave nothing to be noticed.
pub(super) async fn text_of(spawn: Spawn) -> String {
    let (ran, text) = run(spawn).await;
    assert_eq!(ran.ending, Ending::Exited(0), "{text}");
    assert_eq!(ran.notices, [] as [String; 0]);
    text
}

/// The error of a command that cannot be run.
pub(super) async fn error_of(shell: Option<&Path>, spawn: Spawn) -> SpawnError {
    let backend = LocalBackend::new(
        spawner(),
        shell.map(Path::to_owned),
        Some(OsString::from("/usr/bin")),
    );
    let (_canceller, cancel) = Canceller::new();
    try_run(&backend, spawn, cancel).await.0.unwrap_err()
}

/// Whether a process can still run.
pub(super) fn runs(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit_once(')').unwrap().1.starts_with(" Z"))
}

pub(super) fn pid_in(text: &str) -> i32 {
    text.trim().parse().unwrap()
}

/// The first of a few attempts that comes to something: a machine that stalls a background writer
/// for as long as an idle drain waits makes an attempt worthless.
pub(super) async fn in_real_time<T>(attempt: impl AsyncFn() -> Option<T>) -> T {
    for _ in 0..5 {
        if let Some(value) = attempt().await {
            return value;
        }
    }
    panic!("no attempt came to anything");
}

/// Waits for a condition that other processes bring about.
pub(super) async fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        tokio::time::sleep(GLANCE).await;
    }
}

/// As [`wait_until`], where there is no runtime.
pub(super) fn wait_until_sync(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(GLANCE);
    }
}

/// The pid that a command writes to a file, once it has.
pub(super) async fn pid_from(file: &Path) -> i32 {
    let complete = || fs::read_to_string(file).is_ok_and(|text| text.ends_with('\n'));
    wait_until("a pid is written", complete).await;
    pid_in(&fs::read_to_string(file).unwrap())
}
