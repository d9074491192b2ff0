//! What commands leave on the side of the host: nothing. The host is a program of its own, since
//! tests that run beside this one open and close what they like.

use std::fs;
use std::process::{Command, Stdio};

use spawnhook_model::OutputLimits;
use tokio::task::JoinSet;

use super::harness::*;
use super::host::MANY_ARGUMENT;
use crate::sys::processes;
use crate::{Backend, Canceller, Collector, LocalBackend, Spawner, SpillOptions, Wires};

const COMMANDS: usize = 2000;
const AT_ONCE: usize = 8;
/// What an allocator may keep of what it was given back.
const SLACK_KIB: u64 = 8 * 1024;

/// What a host has.
#[derive(Debug)]
struct Possessions {
    descriptors: usize,
    threads: usize,
    /// This process, its children and their descendants, zombies included.
    family: usize,
    memory_kib: u64,
    files: usize,
}

impl Possessions {
    fn now() -> Self {
        let entries = |path: &str| fs::read_dir(path).unwrap().count();
        Self {
            descriptors: entries("/proc/self/fd"),
            threads: entries("/proc/self/task"),
            family: family(),
            memory_kib: memory_kib(),
            files: entries("."),
        }
    }

    /// Whether nothing has come but `files`. The pool of blocking threads keeps one for a while.
    fn is_as_before(&self, before: &Self, files: usize) -> bool {
        self.descriptors == before.descriptors
            && self.threads <= before.threads + 1
            && self.family == before.family
            && self.memory_kib <= before.memory_kib + SLACK_KIB
            && self.files == before.files + files
    }
}

fn family() -> usize {
    let all = processes::all().unwrap();
    let mut family = vec![processes::own_pid()];
    let mut seen = 0;
    while let Some(parent) = family.get(seen) {
        let children = all.iter().filter(|process| process.parent == *parent);
        let children: Vec<i32> = children.map(|process| process.pid).collect();
        family.extend(children);
        seen += 1;
    }
    family.len()
}

fn memory_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let line = lines
        .find_map(|line| line.strip_prefix("RssAnon:"))
        .unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

/// The host of the test below, in a directory of its own.
pub(super) fn run_many(spawner: Spawner) -> i32 {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let backend = LocalBackend::new(spawner, None, None);
        for number in 0..50 {
            one(&backend, number).await;
        }
        settle().await;
        let before = Possessions::now();
        let mut files = 0;
        for turn in 0..COMMANDS / AT_ONCE {
            let mut running = JoinSet::new();
            for number in turn * AT_ONCE..(turn + 1) * AT_ONCE {
                let backend = backend.clone();
                running.spawn(async move { one(&backend, number).await });
            }
            files += running
                .join_all()
                .await
                .into_iter()
                .filter(|named| *named)
                .count();
        }
        settle().await;
        let after = Possessions::now();
        let same = after.is_as_before(&before, files);
        let told = format!("{before:?} {after:?} and {files} files are named");
        fs::write("possessions", told).unwrap();
        i32::from(!same)
    })
}

/// Supervisors end a moment after they have told everything.
async fn settle() {
    // This process, the spawner, and the supervisor that stands by.
    let quiet = || family() == 3;
    wait_until("supervisors have ended", quiet).await;
}

/// What may become of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Ends,
    TimesOut,
    IsCancelled,
    IsDropped,
    CannotStart,
}

const FATES: [(Fate, &str); 10] = [
    (Fate::Ends, "true"),
    (Fate::Ends, "exit 3"),
    (Fate::Ends, "kill -9 $$"),
    (Fate::Ends, "setsid sleep 1000 & exit"),
    (Fate::Ends, "yes | head -c 300000"),
    (Fate::TimesOut, "sleep 1000 & sleep 1000"),
    (Fate::IsCancelled, "(setsid sleep 1000 &); echo; sleep 1000"),
    (Fate::IsCancelled, "yes"),
    (Fate::IsDropped, "setsid sleep 1000"),
    (Fate::CannotStart, "true"),
];

/// Returns whether its result names a file.
async fn one(backend: &LocalBackend, number: usize) -> bool {
    let (fate, command) = FATES[number % FATES.len()];
    let mut spawn = spawn(command);
    spawn.stop_grace = std::time::Duration::ZERO;
    spawn.leftovers = crate::Leftovers::Kill;
    match fate {
        Fate::TimesOut => spawn.timeout = timeout(0.01),
        Fate::CannotStart => drop(spawn.env.set("BIG", "x".repeat(200_000))),
        _ => {}
    }
    let (canceller, cancel) = Canceller::new();
    let (output, mut chunks) = tokio::sync::mpsc::channel(4);
    let running = backend.run(spawn, Wires { output, cancel });
    if fate == Fate::IsDropped {
        // It has been sent once the future has been polled.
        tokio::select! { biased; _ = running => panic!("it ended"), () = async {} => {} }
        return false;
    }
    let spill = SpillOptions {
        directory: ".".into(),
        quota_bytes: 1 << 20,
    };
    let mut collector = Collector::new(OutputLimits::default(), Some(spill));
    let reading = async {
        while let Some(chunk) = chunks.recv().await {
            collector.write(chunk.stream(), &chunk);
            if fate == Fate::IsCancelled {
                canceller.cancel();
            }
        }
    };
    let (ran, ()) = tokio::join!(running, reading);
    assert_eq!(ran.is_ok(), fate != Fate::CannotStart, "{command}");
    collector.finish().0.full_output.is_some()
}

#[test]
fn two_thousand_commands_leave_nothing_but_the_files_that_their_results_name() {
    let directory = tempfile::tempdir().unwrap();
    let mut host = Command::new(std::env::current_exe().unwrap());
    host.args([MANY_ARGUMENT, "/", ""])
        .current_dir(directory.path())
        .stdin(Stdio::null());
    let code = host.status().unwrap().code();
    let told = fs::read_to_string(directory.path().join("possessions"));
    assert_eq!(code, Some(0), "{told:?}");
}
