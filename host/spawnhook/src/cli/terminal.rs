//! A person at a terminal: live output, and what spawnhook tells besides.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use rustix::process::getpgrp;
use rustix::termios::{tcgetpgrp, tcgetwinsize};
use spawnhook_exec::Streams;
use spawnhook_model::{Chunk, Outcome, Stream, Timeout};

use super::pieces::{Piece, Pieces};
use super::stream;
use layout::Size;
use painter::{Paint, Painter};

mod fold;
mod layout;
mod painter;
mod words;

pub(crate) use painter::Abilities;

/// How long a command runs until its time is shown: nobody wonders before.
const FIRST_STATUS: Duration = Duration::from_secs(1);

/// A terminal that one of our streams goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Terminal {
    Stdout,
    Stderr,
}

impl Terminal {
    fn write(self, text: &str) -> io::Result<()> {
        match (text, self) {
            ("", _) => Ok(()),
            (text, Self::Stdout) => stream::write_stdout(text.as_bytes()),
            (text, Self::Stderr) => stream::write_stderr(text.as_bytes()),
        }
    }

    fn size(self) -> Size {
        let told = match self {
            Self::Stdout => tcgetwinsize(io::stdout()),
            Self::Stderr => tcgetwinsize(io::stderr()),
        };
        told.map_or(Size::told(0, 0), |told| {
            Size::told(told.ws_col, told.ws_row)
        })
    }

    /// Whether the terminal is ours now. A job in the background leaves it to who types there.
    fn is_ours(self) -> bool {
        let group = match self {
            Self::Stdout => tcgetpgrp(io::stdout()),
            Self::Stderr => tcgetpgrp(io::stderr()),
        };
        // One that controls no process has no groups.
        group.is_ok_and(|group| group == getpgrp()) || group.is_err()
    }
}

/// Cleaned output as it comes, with the time below it.
pub(crate) struct Live {
    /// The streams of the command that are shown on a terminal.
    streams: BTreeMap<Stream, Pieces>,
    last: Option<Stream>,
    painter: Painter,
    output: Terminal,
    /// Where we tell something, if that is a terminal.
    ours: Option<Terminal>,
    /// When the command was started, with its limit. Before, a person may be asked on the same
    /// terminal.
    running: Option<(Instant, Option<Timeout>)>,
}

impl Live {
    /// None if neither of our streams goes to a terminal.
    pub(crate) fn new(streams: Streams, abilities: Abilities, fold: bool) -> Option<Self> {
        let (stdout, stderr) = (io::stdout().is_terminal(), io::stderr().is_terminal());
        let shown = match streams {
            Streams::Inherit => Vec::new(),
            Streams::Merged => vec![(Stream::Merged, stdout)],
            Streams::Separate => vec![(Stream::Stdout, stdout), (Stream::Stderr, stderr)],
        };
        let shown = shown.into_iter().filter(|(_, is_shown)| *is_shown);
        let streams: BTreeMap<_, _> = shown.map(|(name, _)| (name, Pieces::default())).collect();
        let output = if stdout {
            Terminal::Stdout
        } else {
            Terminal::Stderr
        };
        let folds = fold && !streams.is_empty();
        (stdout || stderr).then(|| Self {
            streams,
            last: None,
            painter: Painter::new(abilities, folds, output.size()),
            output,
            ours: stderr.then_some(Terminal::Stderr),
            running: None,
        })
    }

    /// Whether only the end of the output is left to be seen.
    pub(crate) fn folds(&self) -> bool {
        self.painter.folds()
    }

    /// The command runs from now on.
    pub(crate) fn start(&mut self, limit: Option<Timeout>) {
        self.running = Some((Instant::now(), limit));
    }

    /// What goes to no terminal passes as it is.
    pub(crate) fn output(&mut self, chunk: &Chunk) -> io::Result<()> {
        let stream = chunk.stream();
        let Some(pieces) = self.streams.get_mut(&stream) else {
            return stream::write(chunk);
        };
        pieces.push(chunk);
        let piece = pieces.take();
        self.show(stream, piece)
    }

    pub(crate) fn tick(&mut self) -> io::Result<()> {
        let Some((started, limit)) = self.running else {
            return Ok(());
        };
        if !self.ours.unwrap_or(self.output).is_ours() {
            let hidden = self.painter.hide();
            return self.write(&hidden);
        }
        let elapsed = started.elapsed();
        let status =
            (self.ours.is_some() && elapsed >= FIRST_STATUS).then(|| words::status(elapsed, limit));
        let paint = self.painter.tick(status.as_deref(), self.output.size());
        self.write(&paint)
    }

    /// Shows what is left of the output.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        let mut last = Vec::new();
        for (stream, pieces) in &mut self.streams {
            pieces.finish();
            last.push((*stream, pieces.take()));
        }
        for (stream, piece) in last {
            self.show(stream, piece)?;
        }
        let paint = self.painter.end(self.output.size());
        self.write(&paint)
    }

    /// What is to be told of a command that ran, where somebody sees it.
    pub(crate) fn summary(&self, outcome: &Outcome) -> Option<String> {
        let (started, _) = self.running?;
        self.ours?;
        Some(words::summary(outcome, started.elapsed()))
    }

    fn show(&mut self, stream: Stream, mut piece: Piece) -> io::Result<()> {
        if piece.text.is_empty() && !piece.restarts_line {
            return Ok(());
        }
        // A line is not started anew that another stream has gone on with.
        if self.last.replace(stream).is_some_and(|last| last != stream) && piece.restarts_line {
            piece.restarts_line = false;
            piece.text.insert(0, '\n');
        }
        let paint = self.painter.output(&piece, self.output.size());
        self.write(&paint)
    }

    fn write(&self, paint: &Paint) -> io::Result<()> {
        let ours = self.ours.unwrap_or(self.output);
        ours.write(&paint.before)?;
        self.output.write(&paint.output)?;
        ours.write(&paint.after)
    }
}
