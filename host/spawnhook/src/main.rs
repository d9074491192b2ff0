//! The `spawnhook` program: front ends around the library.

use std::process::ExitCode;

mod cli;

fn main() -> ExitCode {
    cli::main(std::env::args_os().collect())
}
