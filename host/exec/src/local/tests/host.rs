//! This program in other roles: that of a spawner, and those of hosts which can be killed.

use std::path::Path;

use super::harness::*;
use super::hygiene;
use crate::{Leftovers, LocalBackend, Spawn, Spawner};

/// Makes this program a host: a directory and a command follow.
pub(super) const HOST_ARGUMENT: &str = "__host";
/// A host that keeps leftovers.
pub(super) const KEEPING_HOST_ARGUMENT: &str = "__keeping-host";
/// A host that kills leftovers.
pub(super) const KILLING_HOST_ARGUMENT: &str = "__killing-host";
/// A host of many commands.
pub(super) const MANY_ARGUMENT: &str = "__many";

/// Before the threads of the tests.
#[ctor::ctor(unsafe)]
fn take_role() {
    let arguments: Vec<String> = std::env::args().collect();
    Spawner::serve_if_asked(&arguments);
    let [_, role, directory, command] = &arguments[..] else {
        return;
    };
    let fork = |many: bool| {
        // Whoever runs the tests in the background has them ignore what hosts are to die of.
        crate::sys::signals::default_all();
        let program = std::env::current_exe().unwrap();
        let spawner = match many {
            true => Spawner::fork(program),
            false => Spawner::fork_for_one(program),
        };
        spawner.unwrap()
    };
    let directory = directory.as_ref();
    crate::sys::fork::exit(match role.as_str() {
        HOST_ARGUMENT => host(fork(false), directory, command, Leftovers::Session),
        KEEPING_HOST_ARGUMENT => host(fork(false), directory, command, Leftovers::Keep),
        KILLING_HOST_ARGUMENT => host(fork(false), directory, command, Leftovers::Kill),
        MANY_ARGUMENT => hygiene::run_many(fork(true)),
        _ => return,
    });
}

/// Runs a command as a program does that has its spawner forked for it, and then another one.
fn host(spawner: Spawner, directory: &Path, command: &str, leftovers: Leftovers) -> i32 {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let backend = LocalBackend::new(spawner, None, None);
        let run = async |mut spawn: Spawn| {
            spawn.leftovers = leftovers;
            let (_canceller, cancel) = crate::Canceller::new();
            try_run(&backend, spawn, cancel).await.0.unwrap()
        };
        let ran = run(spawn_in(directory, command)).await;
        std::fs::write(directory.join("notices"), ran.notices.join("\n")).unwrap();
        run(spawn_in(directory, "echo again >again")).await;
        ran.ending.exit_code().unwrap()
    })
}
