//! For those who want to know what ran.

use std::path::PathBuf;
use std::process::ExitCode;

use spawnhook::audit::{Command, Commands, Entry, LogFiles, ReadError};

mod arguments;
mod report;
mod show;
mod verify;

pub(crate) use arguments::AuditCommand;

use super::{ambient, exit};
use arguments::LogFile;

/// The log is not what was written.
const TAMPERED: u8 = 1;

pub(crate) fn main(command: AuditCommand) -> ExitCode {
    let done = match command {
        AuditCommand::Report(arguments) => report::main(&arguments),
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

/// The commands of a log, as they end, and in the end those that no record says the end of.
fn commands(files: LogFiles, mut take: impl FnMut(Command)) -> Result<(), ReadError> {
    let mut commands = Commands::default();
    for line in files.lines() {
        let entry = Entry::parse(&line?.text);
        let ended = entry.and_then(|entry| commands.push(entry));
        ended.into_iter().for_each(&mut take);
    }
    commands.finish().into_iter().for_each(take);
    Ok(())
}

fn open(log: &LogFile) -> anyhow::Result<LogFiles> {
    Ok(LogFiles::open(&path(log)?)?)
}
