//! Encodes the core module of a hook as a component and checks what it imports.

use std::{env, error::Error, iter, path::PathBuf, process::ExitCode};

use encode::component::encode;

/// Usage: `encode MODULE COMPONENT WIT`.
#[expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "it reports to who builds"
)]
fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let paths = (
        arguments.next(),
        arguments.next(),
        arguments.next(),
        arguments.next(),
    );
    let (Some(module), Some(component), Some(wit), None) = paths else {
        eprintln!("usage: encode MODULE COMPONENT WIT");
        return ExitCode::from(2);
    };
    match encode(&module, &component, &wit) {
        Ok(imports) => {
            println!("{}: {}", component.display(), imports.join(", "));
            ExitCode::SUCCESS
        }
        Err(error) => {
            let sources = iter::successors(error.source(), |&error| error.source());
            let sources: String = sources.map(|source| format!(": {source}")).collect();
            eprintln!("error: {error}{sources}");
            ExitCode::FAILURE
        }
    }
}
