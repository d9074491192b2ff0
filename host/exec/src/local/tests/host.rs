//! This program in other roles: that of a spawner, and that of a host which can be killed.

use std::path::Path;

use super::harness::*;
use crate::{LocalBackend, Spawn, Spawner};

/// Makes this program a host: a directory and a command follow.
pub(super) const HOST_ARGUMENT: &str = "__host";

/// Before the threads of the tests.
#[ctor::ctor(unsafe)]
fn take_role() {
    let arguments: Vec<String> = std::env::args().collect();
    Spawner::serve_if_asked(&arguments);
    if let [_, role, directory, command] = &arguments[..]
        && role == HOST_ARGUMENT
    {
        crate::sys::fork::exit(host(directory.as_ref(), command));
    }
}

/// Runs a command as a program does that has its spawner forked, and then another one.
fn host(directory: &Path, command: &str) -> i32 {
    let spawner = Spawner::fork(std::env::current_exe().unwrap()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let backend = LocalBackend::new(spawner, None, None);
        let run = async |spawn: Spawn| {
            let (_canceller, cancel) = crate::Canceller::new();
            try_run(&backend, spawn, cancel).await.0.unwrap()
        };
        let ran = run(spawn_in(directory, command)).await;
        run(spawn_in(directory, "echo again >again")).await;
        ran.ending.exit_code().unwrap()
    })
}
