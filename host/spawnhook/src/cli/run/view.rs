//! How a run is shown: as an object, as JSON Lines, as bytes, or live on a terminal.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use serde::Serialize;
use spawnhook::message::status;
use spawnhook::wire::ResultObject;
use spawnhook_model::{Call, Event, Outcome, OutputLimits, SpawnContext};

use super::super::pieces::Pieces;
use super::super::stream::{self, Form};
use super::super::terminal::Live;

/// How often time is looked at; also the least time between two events of output.
pub(crate) const TICK: Duration = Duration::from_millis(100);

pub(crate) enum View {
    Object,
    Events(Events),
    Bytes,
    Live(Live),
}

impl View {
    pub(crate) fn new(form: Form) -> Self {
        match form {
            Form::Object => Self::Object,
            Form::Events => Self::Events(Events::default()),
            Form::Text if io::stdout().is_terminal() => Self::Live(Live::new()),
            Form::Text => Self::Bytes,
        }
    }

    /// An error means that nobody reads any more.
    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        match (self, event) {
            (Self::Events(events), Event::Started { call, spawn }) => {
                stream::json_line(&Started::new(call, spawn))?;
                events.started = true;
                Ok(())
            }
            (Self::Events(events), Event::Output(bytes)) => {
                events.take(bytes);
                Ok(())
            }
            (Self::Bytes, Event::Output(bytes)) => stream::write_stdout(bytes),
            (Self::Live(live), Event::Output(bytes)) => live.output(bytes),
            _ => Ok(()),
        }
    }

    pub(crate) fn tick(&mut self) -> io::Result<()> {
        match self {
            Self::Events(events) => events.flush_if_due(Instant::now()),
            Self::Live(live) => live.tick(),
            Self::Object | Self::Bytes => Ok(()),
        }
    }

    pub(crate) fn finished(&mut self, outcome: &Outcome) {
        match self {
            Self::Object => stream::object(&ResultObject::from(outcome)),
            Self::Events(events) => {
                drop(events.end());
                stream::finished(&ResultObject::from(outcome));
            }
            Self::Bytes => say_ending(outcome),
            Self::Live(live) => {
                drop(live.end());
                say_ending(outcome);
            }
        }
    }
}

/// What is not plain from the output and the exit code.
fn say_ending(outcome: &Outcome) {
    for notice in &outcome.notices {
        stream::say(notice);
    }
    if !matches!(outcome.ending, spawnhook_model::Ending::Exited(_))
        && let Some(status) = status(&outcome.ending)
    {
        stream::say(&status);
    }
}

/// Output for JSON Lines: joined until an event is due, and only the end of what is too much.
#[derive(Default)]
pub(crate) struct Events {
    pieces: Pieces,
    text: String,
    skipped_bytes: usize,
    started: bool,
    last: Option<Instant>,
}

#[derive(Serialize)]
struct Started<'a> {
    event: &'static str,
    id: &'a str,
    command: &'a str,
    cwd: String,
}

impl<'a> Started<'a> {
    fn new(call: &'a Call, spawn: &'a SpawnContext) -> Self {
        Self {
            event: "started",
            id: &call.id,
            command: &spawn.command,
            cwd: spawn.cwd.display().to_string(),
        }
    }
}

/// `text` follows the text of the event before, after `skipped_bytes` that came too fast.
#[derive(Serialize)]
struct OutputLine<'a> {
    event: &'static str,
    text: &'a str,
    skipped_bytes: usize,
}

impl Events {
    fn take(&mut self, bytes: &[u8]) {
        self.pieces.push(bytes);
        if self.pieces.len() > 2 * most_bytes() {
            self.gather();
        }
    }

    /// What was told cannot be taken back, so a line that is started anew is one more line.
    fn gather(&mut self) {
        let piece = self.pieces.take();
        if piece.restarts_line {
            self.text.push('\n');
        }
        self.text.push_str(&piece.text);
        let surplus = self.text.len().saturating_sub(most_bytes());
        let at = self.text.ceil_char_boundary(surplus);
        self.skipped_bytes += at;
        self.text.drain(..at);
    }

    fn flush_if_due(&mut self, now: Instant) -> io::Result<()> {
        let due = self.last.is_none_or(|last| now - last >= TICK);
        if !due || !self.started {
            return Ok(());
        }
        self.flush(now)
    }

    fn end(&mut self) -> io::Result<()> {
        self.pieces.finish();
        self.flush(Instant::now())
    }

    fn flush(&mut self, now: Instant) -> io::Result<()> {
        self.gather();
        if self.text.is_empty() {
            return Ok(());
        }
        self.last = Some(now);
        let text = std::mem::take(&mut self.text);
        stream::json_line(&OutputLine {
            event: "output",
            text: &text,
            skipped_bytes: std::mem::take(&mut self.skipped_bytes),
        })
    }
}

fn most_bytes() -> usize {
    OutputLimits::default().max_bytes
}
