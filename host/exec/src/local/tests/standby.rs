use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::harness::*;
use crate::sys::processes;
use crate::{Canceller, LocalBackend, Spawner};

/// The pid of the supervisor that waits for the next command of a spawner without any.
async fn standby(spawner: &Spawner) -> i32 {
    let spawner = i32::try_from(spawner.pid()).unwrap();
    let child = || {
        let all = processes::all().unwrap();
        let child = all.iter().find(|process| process.parent == spawner);
        child.filter(|child| runs(child.pid)).map(|child| child.pid)
    };
    wait_until("somebody stands by", || child().is_some()).await;
    child().unwrap()
}

async fn runs_a_command(backend: &LocalBackend) {
    let (_canceller, cancel) = Canceller::new();
    let (ran, text) = try_run(backend, spawn("echo ran"), cancel).await;
    assert_eq!(text, "ran\n");
    assert_eq!(ran.unwrap().notices, [] as [String; 0]);
}

#[tokio::test]
async fn who_stands_by_is_replaced_when_killed_and_woken_when_stopped() {
    let spawner = Spawner::launch(std::env::current_exe().unwrap()).unwrap();
    let backend = LocalBackend::new(spawner.clone(), None, None);
    for signal in [
        Signal::SIGKILL,
        Signal::SIGSTOP,
        Signal::SIGTERM,
        Signal::SIGKILL,
    ] {
        kill(Pid::from_raw(standby(&spawner).await), signal).unwrap();
        runs_a_command(&backend).await;
    }
}

#[tokio::test]
async fn who_stands_by_ends_with_its_spawner_and_the_next_command_has_another() {
    let spawner = Spawner::launch(std::env::current_exe().unwrap()).unwrap();
    let backend = LocalBackend::new(spawner.clone(), None, None);
    let standby = standby(&spawner).await;
    kill(
        Pid::from_raw(spawner.pid().try_into().unwrap()),
        Signal::SIGKILL,
    )
    .unwrap();
    runs_a_command(&backend).await;
    wait_until("who stood by is gone", || !runs(standby)).await;
}
