use std::path::Path;
use std::process::{Command, Stdio};

use super::harness::*;
use super::host::{HOST_ARGUMENT, KEEPING_HOST_ARGUMENT};
use crate::{Leftovers, LocalBackend, OpenFile};

/// A server: writes to the command's output for as long as that works, and to a file.
const SERVER: &str = "trap 'echo >broken; exit' PIPE; \
                      (trap 'echo >broken; exit' PIPE; echo $BASHPID >pid; \
                      while echo serving; do echo >>requests; sleep 0.01; done) &";

fn requests(directory: &Path) -> u64 {
    std::fs::metadata(directory.join("requests")).map_or(0, |file| file.len())
}

/// It has gone on for longer than a pipe would hold what it writes.
async fn goes_on(directory: &Path) {
    let before = requests(directory);
    wait_until("the server goes on", || requests(directory) > before + 20).await;
    assert!(!directory.join("broken").exists());
}

async fn left_by(backend: &LocalBackend, leftovers: Leftovers, directory: &Path) -> i32 {
    let mut spawn = spawn_in(directory, SERVER);
    spawn.leftovers = leftovers;
    let (_canceller, cancel) = crate::Canceller::new();
    let ran = try_run(backend, spawn, cancel).await.0.unwrap();
    let pid = pid_from(&directory.join("pid")).await;
    let pids: Vec<i32> = ran
        .leftovers
        .iter()
        .map(|left| left.pid.try_into().unwrap())
        .collect();
    assert!(pids.contains(&pid), "{:?}", ran.leftovers);
    pid
}

#[tokio::test]
async fn a_server_of_the_session_goes_on_until_the_backend_is_dropped() {
    let directory = tempfile::tempdir().unwrap();
    let backend = LocalBackend::new(spawner(), None, None);
    let pid = left_by(&backend, Leftovers::Session, directory.path()).await;
    let clone = backend.clone();
    drop(backend);
    goes_on(directory.path()).await;
    drop(clone);
    wait_until("the server is killed", || !runs(pid)).await;
}

#[tokio::test]
async fn a_server_that_is_kept_goes_on_when_the_backend_is_dropped() {
    let directory = tempfile::tempdir().unwrap();
    let backend = LocalBackend::new(spawner(), None, None);
    let pid = left_by(&backend, Leftovers::Keep, directory.path()).await;
    drop(backend);
    goes_on(directory.path()).await;
    kill_it(pid);
    wait_until("it is gone", || !runs(pid)).await;
}

fn kill_it(pid: i32) {
    use nix::sys::signal::{Signal, kill};
    kill(nix::unistd::Pid::from_raw(pid), Signal::SIGKILL).unwrap();
}

#[tokio::test]
async fn a_server_lives_as_long_as_its_host_or_on_as_told() {
    for (role, survives) in [(HOST_ARGUMENT, false), (KEEPING_HOST_ARGUMENT, true)] {
        let directory = tempfile::tempdir().unwrap();
        let mut host = Command::new(std::env::current_exe().unwrap());
        host.args([role.as_ref(), directory.path().as_os_str(), SERVER.as_ref()])
            .stdin(Stdio::null());
        let mut host = host.spawn().unwrap();
        assert_eq!(host.wait().unwrap().code(), Some(0));
        let pid = pid_from(&directory.path().join("pid")).await;
        if survives {
            goes_on(directory.path()).await;
            kill_it(pid);
        }
        wait_until("it is gone", || !runs(pid)).await;
    }
}

#[tokio::test]
async fn what_has_left_the_session_is_named_too() {
    let directory = tempfile::tempdir().unwrap();
    let command = "setsid sleep 1000 >/dev/null 2>&1 & echo $! >pid; \
                   until [ \"$(tr -d '\\0' </proc/$!/cmdline)\" = sleep1000 ]; do :; done";
    let mut spawn = spawn_in(directory.path(), command);
    spawn.leftovers = Leftovers::Session;
    let (ran, _) = run(spawn).await;
    let pid = pid_from(&directory.path().join("pid")).await;
    let named: Vec<_> = ran.leftovers.iter().map(|left| &*left.command).collect();
    assert_eq!(named, ["sleep 1000"]);
    assert_eq!(ran.leftovers[0].pid, u32::try_from(pid).unwrap());
    kill_it(pid);
}

#[tokio::test]
async fn a_leftover_that_is_killed_still_has_its_output_shown() {
    let mut spawn = spawn("(echo from the background; exec sleep 1000) & exit 2");
    spawn.leftovers = Leftovers::Kill;
    let (ran, text) = run(spawn).await;
    assert_eq!(text, "from the background\n");
    assert_eq!(ran.ending, spawnhook_model::Ending::Exited(2));
    assert_eq!((ran.leftovers.len(), ran.notices.len()), (0, 0));
}

#[tokio::test]
async fn what_a_leftover_writes_later_goes_on_into_the_file() {
    for leftovers in [Leftovers::Session, Leftovers::Keep] {
        let directory = tempfile::tempdir().unwrap();
        let command = "echo early; (until [ -e go ]; do sleep 0.01; done; echo late; \
                       yes | head -c 5000000; echo more) & echo $! >pid";
        let mut spawn = spawn_in(directory.path(), command);
        spawn.leftovers = leftovers;
        let (_canceller, cancel) = crate::Canceller::new();
        let (ran, early) = try_run(&backend(), spawn, cancel).await;
        assert_eq!(early, "early\n");
        let path = directory.path().join("file");
        std::fs::write(&path, early).unwrap();
        let file = std::fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .unwrap();
        let room = 1_000_000;
        ran.unwrap()
            .later
            .unwrap()
            .keep_in(&OpenFile { file, room });
        std::fs::write(directory.path().join("go"), "").unwrap();
        let pid = pid_from(&directory.path().join("pid")).await;
        wait_until("it has written everything", || !runs(pid)).await;
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("early\nlate\ny\ny\n"), "{text:.40}");
        assert_eq!(text.len(), 1_000_006);
    }
}
