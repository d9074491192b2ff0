//! A guard from an ordinary toolchain: its standard library asks WASI for arguments, variables,
//! clocks and files. It refuses commands that contain `deny-me` and tells what it was given, and
//! panics on those that contain `panic-me`.

use std::{
    env, fs,
    time::{Instant, SystemTime},
};

use spawnhook_sdk::{Refusal, SpawnContext, SpawnHook, export_spawn_hook};

/// The hook of this component.
#[derive(Default)]
struct Echo;

impl SpawnHook for Echo {
    #[expect(
        clippy::print_stderr,
        clippy::print_stdout,
        reason = "the host logs both"
    )]
    fn before_spawn(&self, spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
        println!("hello from stdout");
        eprintln!("hello from stderr");
        if spawn.command.contains("deny-me") {
            return Err(Refusal::Deny(report()));
        }
        assert!(!spawn.command.contains("panic-me"), "asked to panic");
        Ok(spawn)
    }
}

/// What this instance can see and do.
fn report() -> String {
    let start = Instant::now();
    let unix_time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let file = match fs::read("/etc/passwd") {
        Ok(bytes) => format!("{} bytes", bytes.len()),
        Err(error) => format!("failed ({error})"),
    };
    format!(
        "variables: {}, arguments: {}, file: {file}, unix time: {}, elapsed: {} ns",
        env::vars_os().count(),
        env::args_os().count(),
        unix_time.map_or(0, |time| time.as_secs()),
        start.elapsed().as_nanos(),
    )
}

export_spawn_hook!(Echo);
