//! What commands leave on the side of the host: nothing. The host is a program of its own, since
//! tests that run beside this one open and close what they like.

use std::fs;
use std::process::{Command, Stdio};

use super::harness::*;
use super::host::MANY_ARGUMENT;
use crate::sys::processes;
use crate::{Backend, Canceller, LocalBackend, Spawner, Wires};

const COMMANDS: usize = 500;

/// Descriptors, threads, and children with their descendants.
fn possessions() -> (usize, usize, usize) {
    let entries = |path: &str| fs::read_dir(path).unwrap().count();
    let all = processes::all().unwrap();
    let mut family = vec![processes::own_pid()];
    for process in &all {
        // Children are younger, and most have larger numbers; a zombie has no children.
        if family.contains(&process.parent) {
            family.push(process.pid);
        }
    }
    (
        entries("/proc/self/fd"),
        entries("/proc/self/task"),
        family.len(),
    )
}

/// The host of the test below.
pub(super) fn run_many(spawner: Spawner) -> i32 {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let backend = LocalBackend::new(spawner, None, None);
        for number in 0..10 {
            one(&backend, number).await;
        }
        settle().await;
        let before = possessions();
        for number in 0..COMMANDS {
            one(&backend, number).await;
        }
        settle().await;
        let after = possessions();
        // The pool of blocking threads keeps some for a while.
        let same = before.0 == after.0 && after.1 <= before.1 + 1 && before.2 == after.2;
        if !same {
            fs::write("possessions", format!("{before:?} {after:?}")).unwrap();
        }
        i32::from(!same)
    })
}

/// Supervisors end a moment after they have told everything.
async fn settle() {
    let quiet = || possessions().2 <= 2;
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

async fn one(backend: &LocalBackend, number: usize) {
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
        return;
    }
    let reading = async {
        while chunks.recv().await.is_some() {
            if fate == Fate::IsCancelled {
                canceller.cancel();
            }
        }
    };
    let (ran, ()) = tokio::join!(running, reading);
    assert_eq!(ran.is_ok(), fate != Fate::CannotStart, "{command}");
}

#[test]
fn five_hundred_commands_leave_nothing_on_the_side_of_the_host() {
    let directory = tempfile::tempdir().unwrap();
    let mut host = Command::new(std::env::current_exe().unwrap());
    host.args([MANY_ARGUMENT, "/", ""])
        .current_dir(directory.path())
        .stdin(Stdio::null());
    let code = host.status().unwrap().code();
    let difference = fs::read_to_string(directory.path().join("possessions"));
    assert_eq!(code, Some(0), "{difference:?}");
}
