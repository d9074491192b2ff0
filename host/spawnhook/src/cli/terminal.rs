//! A person at a terminal: live output, elapsed time, questions.

use std::fs::OpenOptions;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use spawnhook::Ask;
use spawnhook_exec::BoxFuture;
use spawnhook_exec::visible;
use spawnhook_model::Call;

use super::pieces::Pieces;
use super::stream;

/// How long a command says nothing until the elapsed time is shown.
const SILENCE: Duration = Duration::from_secs(1);

/// Back to the first column, and clear the line.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Cleaned output as it comes, and below it, while there is none, the elapsed time.
pub(crate) struct Live {
    pieces: Pieces,
    started: Instant,
    last_output: Instant,
    at_line_start: bool,
    status: Option<u64>,
}

impl Live {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self {
            pieces: Pieces::default(),
            started: now,
            last_output: now,
            at_line_start: true,
            status: None,
        }
    }

    pub(crate) fn output(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pieces.push(bytes);
        self.show()
    }

    pub(crate) fn tick(&mut self) -> io::Result<()> {
        let seconds = self.started.elapsed().as_secs();
        let quiet = self.last_output.elapsed() >= SILENCE;
        if !quiet || !self.at_line_start || self.status == Some(seconds) {
            return Ok(());
        }
        self.status = Some(seconds);
        let text = format!("{CLEAR_LINE}Elapsed {}", elapsed(seconds));
        stream::write_stdout(text.as_bytes())
    }

    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.pieces.finish();
        self.show()?;
        self.clear_status()
    }

    fn show(&mut self) -> io::Result<()> {
        let piece = self.pieces.take();
        if piece.text.is_empty() {
            return Ok(());
        }
        self.clear_status()?;
        if piece.restarts_line {
            stream::write_stdout(CLEAR_LINE.as_bytes())?;
        }
        self.at_line_start = piece.text.ends_with('\n');
        self.last_output = Instant::now();
        stream::write_stdout(piece.text.as_bytes())
    }

    fn clear_status(&mut self) -> io::Result<()> {
        match self.status.take() {
            Some(_) => stream::write_stdout(CLEAR_LINE.as_bytes()),
            None => Ok(()),
        }
    }
}

/// `42s`, `1m 30s`, `2h 3m 4s`.
fn elapsed(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, _) => format!("{minutes}m {rest}s"),
        _ => format!("{hours}h {minutes}m {rest}s"),
    }
}

/// Asks at the terminal.
pub(crate) struct TerminalAsk;

impl TerminalAsk {
    /// None where nobody sits at a terminal.
    pub(crate) fn new() -> Option<Self> {
        (io::stdin().is_terminal() && io::stderr().is_terminal()).then_some(Self)
    }
}

impl Ask for TerminalAsk {
    fn ask<'a>(
        &'a self,
        _call: &'a Call,
        command: &'a str,
        hook: &'a str,
        question: &'a str,
    ) -> BoxFuture<'a, bool> {
        let prompt = format!(
            "spawnhook: hook `{}` asks about\n  {}\n{}\nRun it? [y/N] ",
            visible(hook),
            visible(command),
            visible(question)
        );
        Box::pin(async move {
            let answer = tokio::task::spawn_blocking(move || question_at_terminal(&prompt)).await;
            matches!(answer, Ok(Ok(true)))
        })
    }
}

fn question_at_terminal(prompt: &str) -> io::Result<bool> {
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    terminal.write_all(prompt.as_bytes())?;
    let mut answer = String::new();
    BufReader::new(terminal).read_line(&mut answer)?;
    let answer = answer.trim().to_ascii_lowercase();
    Ok(answer == "y" || answer == "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_shown_in_the_units_that_it_fills() {
        for (seconds, text) in [(0, "0s"), (90, "1m 30s"), (7384, "2h 3m 4s")] {
            assert_eq!(elapsed(seconds), text);
        }
    }
}
