//! For those who want to know what ran.

use std::path::PathBuf;
use std::process::ExitCode;

use spawnhook::audit::LogFiles;

mod arguments;
mod show;
mod verify;

pub(crate) use arguments::AuditCommand;

use super::{ambient, exit};
use arguments::LogFile;

/// The log is not what was written.
const TAMPERED: u8 = 1;

pub(crate) fn main(command: AuditCommand) -> ExitCode {
    let done = match command {
        AuditCommand::Show(arguments) => show::main(&arguments),
        AuditCommand::Verify(arguments) => verify::main(&arguments),
    };
    done.unwrap_or_else(|error| exit::report(Err(error)))
}

/// The log that was named, or that of the deployment.
fn path(log: &LogFile) -> anyhow::Result<PathBuf> {
    match &log.file {
        Some(file) => Ok(file.clone()),
        None => Ok(ambient::config(&log.config)?.audit.path),
    }
}

fn open(log: &LogFile) -> anyhow::Result<LogFiles> {
    Ok(LogFiles::open(&path(log)?)?)
}
