//! For authors of hooks.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use spawnhook::authoring::fixtures::{FILE_NAME, Fixtures};
use spawnhook_model::Stage;

mod arguments;
mod bench;
mod fuzz;
mod inspect;
mod new;
mod run;
mod test;

pub(crate) use arguments::PluginCommand;

use super::exit;

/// A test failed, a search found something, or a cost went up.
const NOT_GOOD: u8 = 1;

/// Whether what was looked at is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    NotGood,
}

pub(crate) fn main(command: PluginCommand) -> ExitCode {
    let verdict = match command {
        PluginCommand::New(arguments) => new::main(&arguments),
        PluginCommand::Inspect(arguments) => inspect::main(&arguments),
        PluginCommand::Run(arguments) => run::main(*arguments),
        PluginCommand::Test(arguments) => test::main(&arguments),
        PluginCommand::Bench(arguments) => bench::main(&arguments),
        PluginCommand::Fuzz(arguments) => fuzz::main(&arguments),
    };
    match verdict {
        Ok(Verdict::NotGood) => ExitCode::from(NOT_GOOD),
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Err(error) => exit::report(Err(error)),
    }
}

/// Reads the fixtures of a file, or of a folder that has such a file.
fn fixtures(path: &Path) -> anyhow::Result<Fixtures> {
    let path = if path == Path::new(".") {
        PathBuf::from(FILE_NAME)
    } else if path.is_dir() {
        path.join(FILE_NAME)
    } else {
        path.to_owned()
    };
    Ok(Fixtures::read(&path)?)
}

fn stage(name: &str) -> Result<Stage, String> {
    let stage = Stage::ALL.into_iter().find(|stage| stage.name() == name);
    stage.ok_or_else(|| "the stages are rewrite, guard, audit".to_owned())
}
