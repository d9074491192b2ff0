//! What is passed through: options, signals. (Descriptors are those of the process, so the program
//! is the one to try them.)

use std::time::Duration;

use spawnhook_model::Ending;

use super::harness::*;
use crate::{Canceller, Invocation, Spawn, Streams};

#[tokio::test]
async fn the_shell_has_its_options_and_the_command_its_name() {
    let mut spawn = spawn("echo $0 $-; false; echo not here");
    spawn.invocation = Invocation {
        options: vec!["-eu".into()],
        name: Some("me".into()),
        ..Invocation::default()
    };
    let (ran, text) = run(spawn).await;
    assert_eq!(ran.ending, Ending::Exited(1));
    let (name, flags) = text.trim().split_once(' ').unwrap();
    assert_eq!(name, "me");
    assert!(flags.contains('e') && flags.contains('u'), "{flags}");
}

#[tokio::test]
async fn a_command_of_any_length_has_its_options_and_its_name() {
    let mut spawn = spawn(&format!("echo $0 $# {}", "x".repeat(300_000)));
    spawn.invocation.name = Some("me".into());
    let text = text_of(spawn).await;
    assert!(text.starts_with("me 0 xxx") && text.len() == 300_000 + 6);
}

#[tokio::test]
async fn a_signal_reaches_the_whole_group_and_stops_nothing_by_itself() {
    let directory = tempfile::tempdir().unwrap();
    let command = "trap 'wait; echo caught; exit 3' USR1; \
                   bash -c 'trap \"echo child; exit\" USR1; echo > ready; while :; do :; done' \
                   & wait";
    let (canceller, cancel) = Canceller::new();
    let signal = async {
        let ready = directory.path().join("ready");
        wait_until("it is ready", || ready.exists()).await;
        canceller.signal(10);
    };
    let spawn = Spawn {
        streams: Streams::Merged,
        ..spawn_in(directory.path(), command)
    };
    let ((ran, text), ()) = tokio::join!(run_with(spawn, cancel), signal);
    assert_eq!(ran.ending, Ending::Exited(3));
    assert_eq!(text, "child\ncaught\n");
}

#[tokio::test]
async fn a_signal_that_comes_before_the_command_waits_for_it() {
    let (canceller, cancel) = Canceller::new();
    canceller.signal(15);
    let spawn = Spawn {
        timeout: timeout(60.0),
        ..spawn("sleep 1000")
    };
    let running = tokio::time::timeout(Duration::from_secs(30), run_with(spawn, cancel));
    assert_eq!(running.await.unwrap().0.ending, Ending::Signaled(15));
}
