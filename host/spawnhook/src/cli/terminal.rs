//! A person at a terminal: live output, elapsed time.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use spawnhook_exec::Streams;
use spawnhook_model::{Chunk, Stream};

use super::pieces::{Piece, Pieces};
use super::stream;

/// How long a command says nothing until the elapsed time is shown.
const SILENCE: Duration = Duration::from_secs(1);

/// Back to the first column, and clear the line.
const CLEAR_LINE: &str = "\r\x1b[K";

/// Cleaned output as it comes, and below it, while there is none, the elapsed time.
pub(crate) struct Live {
    /// The streams that are shown.
    streams: BTreeMap<Stream, Pieces>,
    write: fn(&[u8]) -> io::Result<()>,
    /// None until the command runs: before, a person may be asked on the same terminal.
    started: Option<Instant>,
    last_output: Instant,
    at_line_start: bool,
    status: Option<u64>,
}

impl Live {
    /// None if no stream of the command's goes to a terminal.
    pub(crate) fn new(streams: Streams) -> Option<Self> {
        let (stdout, stderr) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let shown = match streams {
            Streams::Inherit => Vec::new(),
            Streams::Merged => vec![(Stream::Merged, stdout)],
            Streams::Separate => vec![(Stream::Stdout, stdout), (Stream::Stderr, stderr)],
        };
        let shown = shown.into_iter().filter(|(_, is_shown)| *is_shown);
        let streams: BTreeMap<_, _> = shown.map(|(name, _)| (name, Pieces::default())).collect();
        (!streams.is_empty()).then_some(Self {
            streams,
            write: if stdout {
                stream::write_stdout
            } else {
                stream::write_stderr
            },
            started: None,
            last_output: Instant::now(),
            at_line_start: true,
            status: None,
        })
    }

    /// What goes to no terminal passes as it is.
    pub(crate) fn output(&mut self, chunk: &Chunk) -> io::Result<()> {
        let Some(pieces) = self.streams.get_mut(&chunk.stream()) else {
            return stream::write(chunk);
        };
        pieces.push(chunk);
        let piece = pieces.take();
        self.show(&piece)
    }

    /// The command runs from now on.
    pub(crate) fn start(&mut self) {
        let now = Instant::now();
        self.started = Some(now);
        self.last_output = now;
    }

    pub(crate) fn tick(&mut self) -> io::Result<()> {
        let Some(started) = self.started else {
            return Ok(());
        };
        let seconds = started.elapsed().as_secs();
        let quiet = self.last_output.elapsed() >= SILENCE;
        if !quiet || !self.at_line_start || self.status == Some(seconds) {
            return Ok(());
        }
        self.status = Some(seconds);
        let text = format!("{CLEAR_LINE}Elapsed {}", elapsed(seconds));
        (self.write)(text.as_bytes())
    }

    pub(crate) fn end(&mut self) -> io::Result<()> {
        let mut last = Vec::new();
        for pieces in self.streams.values_mut() {
            pieces.finish();
            last.push(pieces.take());
        }
        last.iter().try_for_each(|piece| self.show(piece))?;
        self.clear_status()
    }

    fn show(&mut self, piece: &Piece) -> io::Result<()> {
        if piece.text.is_empty() {
            return Ok(());
        }
        self.clear_status()?;
        if piece.restarts_line {
            (self.write)(CLEAR_LINE.as_bytes())?;
        }
        self.at_line_start = piece.text.ends_with('\n');
        self.last_output = Instant::now();
        (self.write)(piece.text.as_bytes())
    }

    fn clear_status(&mut self) -> io::Result<()> {
        match self.status.take() {
            Some(_) => (self.write)(CLEAR_LINE.as_bytes()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_the_command_runs_a_question_may_stand_where_the_time_would() {
        let mut live = Live {
            streams: BTreeMap::new(),
            write: |_| Err(io::Error::other("something was written")),
            started: None,
            last_output: Instant::now() - 2 * SILENCE,
            at_line_start: true,
            status: None,
        };
        live.tick().expect("nothing is written");
        live.start();
        live.last_output -= 2 * SILENCE;
        live.tick().expect_err("the time is shown");
    }

    #[test]
    fn time_is_shown_in_the_units_that_it_fills() {
        for (seconds, text) in [(0, "0s"), (90, "1m 30s"), (7384, "2h 3m 4s")] {
            assert_eq!(elapsed(seconds), text);
        }
    }
}
