use std::fs;
use std::future::pending;
use std::time::{Duration, Instant};

use spawnhook_model::{Chunk, Ending, Timeout};
use tokio::sync::mpsc;

use super::harness::*;
use crate::{Backend, Canceller, Ran, Spawn, Wires};

fn cancelled() -> Ending {
    Ending::Cancelled { shell: None }
}

/// Runs a command that is cancelled as soon as its first bytes come.
async fn cancel_once_it_writes(spawn: Spawn) -> (Ran, String) {
    let (output, mut chunks) = mpsc::channel::<Chunk>(16);
    let (canceller, cancel) = Canceller::new();
    let read = async {
        let mut bytes = chunks.recv().await.unwrap().to_vec();
        canceller.cancel();
        canceller.cancel();
        while let Some(chunk) = chunks.recv().await {
            bytes.extend_from_slice(&chunk);
        }
        String::from_utf8(bytes).unwrap()
    };
    let backend = backend();
    let (ran, text) = tokio::join!(backend.run(spawn, Wires { output, cancel }), read);
    (ran.unwrap(), text)
}

#[tokio::test]
async fn a_time_limit_kills_first_and_reports_second() {
    let directory = tempfile::tempdir().unwrap();
    let beat = "while :; do echo >>heartbeat; sleep 0.01; done & echo $! >pid; wait";
    let mut spawn = spawn_in(directory.path(), beat);
    spawn.timeout = timeout(1.0);
    let (ran, _) = run(spawn).await;
    let after = timeout(1.0).unwrap();
    assert_eq!(ran.ending, Ending::TimedOut { after, shell: None });
    let heartbeat = || {
        fs::metadata(directory.path().join("heartbeat"))
            .unwrap()
            .len()
    };
    let at_return = heartbeat();
    assert!(at_return > 0);
    assert!(!runs(pid_from(&directory.path().join("pid")).await));
    text_of(super::harness::spawn("sleep 0.3")).await;
    assert_eq!(heartbeat(), at_return);
}

#[tokio::test]
async fn the_output_up_to_a_time_limit_is_kept() {
    let mut spawn = spawn("echo partial; sleep 1000");
    spawn.timeout = timeout(0.3);
    let (ran, text) = run(spawn).await;
    assert!(matches!(ran.ending, Ending::TimedOut { shell: None, .. }));
    assert_eq!(text, "partial\n");
    assert_eq!(ran.notices, [] as [String; 0]);
}

#[tokio::test]
async fn the_shortest_time_limit_ends_a_command() {
    let mut spawn = spawn("sleep 1000");
    spawn.timeout = timeout(1e-9);
    let ending = run(spawn).await.0.ending;
    assert!(matches!(ending, Ending::TimedOut { shell: None, .. }));
}

#[tokio::test]
async fn a_group_that_ignores_the_request_to_end_is_killed() {
    let command = "trap '' TERM; sh -c 'sleep 1000' & echo $!; wait";
    let (ran, text) = cancel_once_it_writes(spawn(command)).await;
    assert_eq!(ran.ending, cancelled());
    assert!(!runs(pid_in(&text)));
}

#[tokio::test]
async fn a_stopped_member_is_killed() {
    let command = "sleep 1000 & kill -STOP $!; echo $!; kill -STOP $$";
    let (ran, text) = cancel_once_it_writes(spawn(command)).await;
    assert_eq!(ran.ending, cancelled());
    assert!(!runs(pid_in(&text)));
}

#[tokio::test]
async fn a_handler_gets_its_grace() {
    let mut spawn =
        spawn("trap 'sleep 0.2; echo cleaned up; exit' TERM; echo x; sleep 1000 & wait");
    spawn.stop_grace = Duration::from_secs(30);
    let start = Instant::now();
    let (ran, text) = cancel_once_it_writes(spawn).await;
    assert_eq!((ran.ending, &*text), (cancelled(), "x\ncleaned up\n"));
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "grace was sat out"
    );
}

#[tokio::test]
async fn a_member_other_than_the_shell_gets_its_grace_too() {
    let member = "sh -c 'trap \"sleep 0.2; echo member; exit\" TERM; echo x; while :; do sleep 0.01; done' &";
    let mut spawn = spawn(&format!("{member} wait"));
    spawn.stop_grace = Duration::from_secs(30);
    let (ran, text) = cancel_once_it_writes(spawn).await;
    assert_eq!(ran.ending, cancelled());
    // Its own shell may tell besides that its sleep was ended.
    assert!(text.ends_with("member\n"), "{text}");
}

#[tokio::test]
async fn without_grace_no_handler_runs() {
    let mut spawn = spawn("trap 'echo handler; exit' TERM; echo x; while :; do :; done");
    spawn.stop_grace = Duration::ZERO;
    let (ran, text) = cancel_once_it_writes(spawn).await;
    assert_eq!((ran.ending, &*text), (cancelled(), "x\n"));
}

#[tokio::test]
async fn a_command_that_is_cancelled_before_its_start_never_starts() {
    let (canceller, cancel) = Canceller::new();
    canceller.cancel();
    // Starting anything would fail.
    let backend = crate::LocalBackend::new(spawner(), Some("/no/such/shell".into()), None);
    let (ran, text) = try_run(&backend, spawn("echo started"), cancel).await;
    assert_eq!((ran.unwrap().ending, &*text), (cancelled(), ""));
}

#[tokio::test]
async fn cancelling_after_the_end_changes_nothing() {
    let (canceller, cancel) = Canceller::new();
    let (ran, _) = run_with(spawn("exit 3"), cancel).await;
    canceller.cancel();
    assert_eq!(ran.ending, Ending::Exited(3));
}

#[tokio::test]
async fn dropping_the_future_kills_the_group() {
    let directory = tempfile::tempdir().unwrap();
    let spawn = spawn_in(
        directory.path(),
        "trap '' TERM; sleep 1000 & echo $! >pid; wait",
    );
    let running = tokio::spawn(run(spawn));
    let pid = pid_from(&directory.path().join("pid")).await;
    assert!(runs(pid));
    running.abort();
    assert!(running.await.unwrap_err().is_cancelled());
    wait_until("the group is dead", || !runs(pid)).await;
}

fn any_command_line_has(marker: &str) -> bool {
    fs::read_dir("/proc").unwrap().any(|entry| {
        let command_line = fs::read(entry.unwrap().path().join("cmdline"));
        command_line.is_ok_and(|line| String::from_utf8_lossy(&line).contains(marker))
    })
}

#[test]
fn dropping_the_future_during_the_start_leaves_nothing_behind() {
    let marker = format!("spawnhook-dropped-{}", std::process::id());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let running = run(spawn(&format!("exec -a {marker} sleep 1000")));
        // The start is under way once the future has been polled.
        tokio::select! { biased; _ = running => panic!("it ended"), () = async {} => {} }
    });
    // Waits for what is under way.
    drop(runtime);
    wait_until_sync("nothing runs", || !any_command_line_has(&marker));
}

/// A command of which the first chunk is where nobody takes it when the second is written.
async fn nobody_takes(limit: Option<Timeout>) -> Option<Ran> {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let command = "echo 1; until [ -e go ]; do sleep 0.01; done; echo 2; >done; exec sleep 1000";
    let mut spawn = spawn_in(directory.path(), command);
    spawn.timeout = limit;
    let (output, mut chunks) = mpsc::channel::<Chunk>(1);
    let (canceller, cancel) = Canceller::new();
    let backend = backend();
    let running = backend.run(spawn, Wires { output, cancel });
    let stopping = async {
        wait_until("a chunk came", || !chunks.is_empty()).await;
        fs::write(at("go"), "").unwrap();
        wait_until("there is more", || at("done").exists()).await;
        if limit.is_none() {
            canceller.cancel();
        }
        pending::<()>().await;
    };
    let ran = tokio::select! {
        ran = running => ran.unwrap(),
        () = stopping => unreachable!(),
    };
    let first = chunks.recv().await;
    if !at("done").exists() {
        return None;
    }
    assert!(first.is_some());
    Some(ran)
}

#[tokio::test]
async fn a_receiver_that_takes_nothing_holds_up_neither_limit_nor_cancellation() {
    for (limit, ending) in [(None, "cancelled"), (timeout(0.5), "timed-out")] {
        let ran = in_real_time(async || nobody_takes(limit).await).await;
        assert_eq!(ran.ending.name(), ending);
        assert_eq!(
            ran.notices,
            ["The rest of the output was not taken in time and is lost."]
        );
    }
}

#[tokio::test]
async fn an_endless_writer_holds_up_no_time_limit() {
    let mut spawn = spawn("yes");
    spawn.timeout = timeout(0.3);
    let start = Instant::now();
    let (output, mut chunks) = mpsc::channel::<Chunk>(16);
    let (_canceller, cancel) = Canceller::new();
    let backend = backend();
    let read = async { while chunks.recv().await.is_some() {} };
    let (ran, ()) = tokio::join!(backend.run(spawn, Wires { output, cancel }), read);
    assert_eq!(ran.unwrap().ending.name(), "timed-out");
    assert!(start.elapsed() < Duration::from_secs(5));
}
