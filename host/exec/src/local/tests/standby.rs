use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::harness::*;
use crate::sys::processes;
use crate::{Canceller, LocalBackend, Spawner};

/// The pid of the supervisor that waits for the next command of a spawner. `served` had commands,
/// and may still be about to end.
async fn standby(spawner: &Spawner, served: &[i32]) -> i32 {
    let spawner = i32::try_from(spawner.pid()).unwrap();
    let mut found = None;
    wait_until("somebody stands by", || {
        let all = processes::all().unwrap();
        let mut children = all.iter().filter(|process| process.parent == spawner);
        let standby = children.find(|child| !served.contains(&child.pid) && runs(child.pid));
        found = standby.map(|child| child.pid);
        found.is_some()
    })
    .await;
    found.unwrap()
}

/// Returns the pid of the supervisor that had the command.
async fn runs_a_command(backend: &LocalBackend) -> i32 {
    let (_canceller, cancel) = Canceller::new();
    let (ran, text) = try_run(backend, spawn("echo $PPID"), cancel).await;
    assert_eq!(ran.unwrap().notices, [] as [String; 0]);
    pid_in(&text)
}

#[tokio::test]
async fn who_stands_by_is_replaced_when_killed_and_woken_when_stopped() {
    let spawner = Spawner::launch(std::env::current_exe().unwrap()).unwrap();
    let backend = LocalBackend::new(spawner.clone(), None, None);
    let mut served = Vec::new();
    for signal in [
        Signal::SIGKILL,
        Signal::SIGSTOP,
        Signal::SIGTERM,
        Signal::SIGKILL,
    ] {
        let standby = standby(&spawner, &served).await;
        kill(Pid::from_raw(standby), signal).unwrap();
        let had_it = runs_a_command(&backend).await;
        assert_eq!(had_it == standby, signal != Signal::SIGKILL, "{signal}");
        served.push(had_it);
    }
}

#[tokio::test]
async fn who_stands_by_ends_with_its_spawner_and_the_next_command_has_another() {
    let spawner = Spawner::launch(std::env::current_exe().unwrap()).unwrap();
    let backend = LocalBackend::new(spawner.clone(), None, None);
    let standby = standby(&spawner, &[]).await;
    kill(
        Pid::from_raw(spawner.pid().try_into().unwrap()),
        Signal::SIGKILL,
    )
    .unwrap();
    runs_a_command(&backend).await;
    wait_until("who stood by is gone", || !runs(standby)).await;
}
