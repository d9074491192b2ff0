use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use spawnhook::audit::{Command, Commands, Entry, Filter, LogFiles, Position, words};
use spawnhook_exec::visible;

use super::arguments::ShowArguments;
use super::path;
use crate::cli::stream;

/// How often a log that is followed is looked at.
const LOOK: Duration = Duration::from_millis(200);

pub(super) fn main(arguments: &ShowArguments) -> anyhow::Result<ExitCode> {
    let path = path(&arguments.log)?;
    let printer = Printer {
        filter: arguments.filter.filter()?,
        json: arguments.json,
    };
    // Whoever reads may go at any time.
    match show(&path, arguments.follow, &printer) {
        Err(Stop::Read(error)) => Err(error),
        Ok(()) | Err(Stop::NobodyReads) => Ok(ExitCode::SUCCESS),
    }
}

enum Stop {
    NobodyReads,
    Read(anyhow::Error),
}

fn show(log: &Path, follow: bool, printer: &Printer) -> Result<(), Stop> {
    let read = |error| Stop::Read(anyhow::Error::new(error));
    let mut commands = Commands::default();
    let mut files = LogFiles::open(log).map_err(read)?;
    let mut last = 0;
    loop {
        let mut lines = files.lines();
        for line in lines.by_ref() {
            let line = line.map_err(read)?;
            let Some(entry) = Entry::parse(&line.text).filter(|_| line.ended || !follow) else {
                continue;
            };
            last = entry.seq;
            if let Some(command) = commands.push(entry) {
                printer.print(&command)?;
            }
        }
        if !follow {
            break;
        }
        let position: Position = lines.position(last);
        thread::sleep(LOOK);
        files = LogFiles::open_from(log, &position).map_err(read)?;
    }
    let mut unended = commands.finish().into_iter();
    unended.try_for_each(|command| printer.print(&command))
}

struct Printer {
    filter: Filter,
    json: bool,
}

impl Printer {
    fn print(&self, command: &Command) -> Result<(), Stop> {
        if !self.filter.wants(command) {
            return Ok(());
        }
        let printed: io::Result<()> = if self.json {
            stream::json_line(command)
        } else {
            stream::write_stdout(row(command).as_bytes())
        };
        printed.map_err(|_| Stop::NobodyReads)
    }
}

/// One line, whatever the command is.
fn row(command: &Command) -> String {
    let time = command.time().map(words::time).unwrap_or_default();
    let duration = command.duration_ms.map(words::duration).unwrap_or_default();
    let ending = words::ending(command);
    let text = words::command(command);
    let refusal = words::refusal(command).map(|refusal| format!("  ({refusal})"));
    format!(
        "{time:19}  {duration:>10}  {:<12}  {}{}\n",
        visible(&ending),
        visible(&text),
        visible(&refusal.unwrap_or_default())
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_one_line_in_which_everything_is_visible() {
        let command = Command {
            started: Some("2026-01-31T12:00:00.5Z".parse().unwrap()),
            ending: Some("denied".into()),
            duration_ms: Some(1500),
            command: Some("git push\n\u{1b}[2J".into()),
            refused_by: Some("no-push".into()),
            reason: Some("pushing is for people".into()),
            ..Command::default()
        };
        assert_eq!(
            row(&command),
            "2026-01-31 12:00:00       1.5 s  denied        git push\\n\\u{1b}[2J  (no-push: pushing is for people)\n"
        );
        assert_eq!(row(&Command::default()).lines().count(), 1);
    }
}
