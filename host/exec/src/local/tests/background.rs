use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use spawnhook_model::{Ending, Leftover};

use super::harness::*;
use crate::Canceller;
use crate::lifecycle::{DRAIN_IDLE, DRAIN_LIMIT};

#[tokio::test]
async fn a_background_process_that_holds_the_output_is_left_alone_and_told() {
    let start = Instant::now();
    let (ran, text) = run(spawn("sleep 1000 & echo $!")).await;
    assert_eq!(ran.ending, Ending::Exited(0));
    assert_eq!(ran.notices, [] as [String; 0]);
    assert!(ran.later.is_some());
    assert!(start.elapsed() < DRAIN_IDLE + SLACK);
    let pid = pid_in(&text);
    assert!(runs(pid));
    let leftover = Leftover {
        pid: pid.try_into().unwrap(),
        command: "sleep 1000".to_owned(),
    };
    assert_eq!(ran.leftovers, [leftover]);
    kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
}

#[tokio::test]
async fn a_background_process_goes_on_after_the_end() {
    let directory = tempfile::tempdir().unwrap();
    let waiting = "while [ ! -e go ]; do sleep 0.01; done; echo $BASHPID >alive";
    let command = format!("({waiting}) >/dev/null 2>&1 &");
    let (ran, _) = run(spawn_in(directory.path(), &command)).await;
    assert_eq!(ran.ending, Ending::Exited(0));
    std::fs::write(directory.path().join("go"), "").unwrap();
    pid_from(&directory.path().join("alive")).await;
}

#[tokio::test]
async fn a_background_process_with_an_output_of_its_own_is_not_waited_for() {
    let (ran, text) = run(spawn("sleep 1000 >/dev/null 2>&1 & echo $!")).await;
    assert_eq!(ran.notices, [] as [String; 0]);
    assert!(ran.later.is_none());
    let pid = pid_in(&text);
    assert!(runs(pid));
    // It may not have become sleep yet.
    let pids: Vec<u32> = ran.leftovers.iter().map(|leftover| leftover.pid).collect();
    assert_eq!(pids, [u32::try_from(pid).unwrap()]);
    kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
}

#[tokio::test]
async fn what_comes_soon_after_the_exit_is_shown() {
    let ticks = "echo S; (for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.02; echo t$i; done) &";
    let expected: String = (1..=10).map(|i| format!("t{i}\n")).collect();
    let expected = format!("S\n{expected}");
    in_real_time(async || {
        let text = run(spawn(ticks)).await.1;
        assert!(expected.starts_with(&text), "{text}");
        (text == expected).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_endless_background_writer_holds_up_the_end_for_two_seconds_at_most() {
    let directory = tempfile::tempdir().unwrap();
    let writer = "(while :; do echo t; [ -e begun ] || : >begun; done) &";
    let command = format!("{writer} until [ -e begun ]; do :; done; exit 5");
    let start = Instant::now();
    let (ran, text) = run(spawn_in(directory.path(), &command)).await;
    assert_eq!(ran.ending, Ending::Exited(5));
    assert_eq!(ran.notices, [] as [String; 0]);
    assert!(ran.later.is_some());
    assert!(text.starts_with("t\n"), "{text}");
    // That it goes on for as long as that is for the lifecycle's own tests to say: a machine may
    // stall the writer.
    let took = start.elapsed();
    assert!(took < DRAIN_LIMIT + SLACK, "{took:?}");
}

#[tokio::test]
async fn a_time_limit_during_the_drain_tells_how_the_shell_had_ended() {
    for (command, code) in [("exit 5", 5), ("kill -KILL $$", 137)] {
        let writer = "(while :; do echo t; sleep 0.03; done) & sleep 0.1;";
        let ran = in_real_time(async || {
            let mut spawn = spawn(&format!("{writer} {command}"));
            spawn.timeout = timeout(1.0);
            let start = Instant::now();
            let (ran, _) = run(spawn).await;
            assert!(start.elapsed() < Duration::from_secs(1) + SLACK);
            // Before the drain there is no code to tell yet.
            matches!(ran.ending, Ending::TimedOut { shell: Some(_), .. }).then_some(ran)
        });
        let ran = ran.await;
        let (after, shell) = (timeout(1.0).unwrap(), Some(code));
        assert_eq!(ran.ending, Ending::TimedOut { after, shell });
        assert_eq!(ran.notices, [] as [String; 0]);
    }
}

#[tokio::test]
async fn a_cancellation_during_the_drain_ends_the_background_too() {
    let command = "(while :; do echo t; sleep 0.03; done) & echo $! >pid; echo $$ >shell; exit 6";
    in_real_time(async || {
        let directory = tempfile::tempdir().unwrap();
        let (canceller, cancel) = Canceller::new();
        let running = tokio::spawn(run_with(spawn_in(directory.path(), command), cancel));
        let pid = pid_from(&directory.path().join("pid")).await;
        let shell = pid_from(&directory.path().join("shell")).await;
        wait_until("the shell has ended", || !runs(shell)).await;
        canceller.cancel();
        let (ran, _) = running.await.unwrap();
        if ran.ending == Ending::Exited(6) {
            kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
            return None;
        }
        assert_eq!(ran.ending.name(), "cancelled");
        assert!(!runs(pid));
        Some(())
    })
    .await;
}

#[tokio::test]
async fn a_writer_in_another_session_holds_up_no_time_limit() {
    let mut spawn = spawn("setsid sh -c 'while :; do echo t; sleep 0.03; done' & echo x; wait");
    spawn.timeout = timeout(0.5);
    let start = Instant::now();
    let (ran, text) = run(spawn).await;
    assert!(matches!(ran.ending, Ending::TimedOut { shell: None, .. }));
    assert_eq!(ran.notices, [] as [String; 0]);
    assert!(text.contains('x'));
    assert!(start.elapsed() < Duration::from_millis(1250) + SLACK);
}
