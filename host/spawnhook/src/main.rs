//! The `spawnhook` program: front ends around the library.

use std::process::ExitCode;

use spawnhook_exec::Spawner;

mod cli;

fn main() -> ExitCode {
    Spawner::serve_if_asked(std::env::args_os());
    cli::main(std::env::args_os().collect())
}
