use std::collections::BTreeMap;
use std::io;
use std::time::Instant;

use serde::Serialize;
use spawnhook_exec::Text;
use spawnhook_model::{Call, Chunk, OutputLimits, SpawnContext, Stream};

use super::super::super::pieces::Pieces;
use super::super::super::stream;
use super::TICK;

/// Output for JSON Lines: joined until an event is due, and only the end of what is too much.
pub(crate) struct Events {
    policy: Text,
    streams: BTreeMap<Stream, Waiting>,
    started: bool,
    last: Option<Instant>,
}

/// What waits for the next event of a stream.
#[derive(Default)]
struct Waiting {
    pieces: Pieces,
    text: String,
    skipped_bytes: usize,
}

#[derive(Serialize)]
struct Started<'a> {
    event: &'static str,
    id: &'a str,
    command: &'a str,
    cwd: String,
}

/// `text` follows the text of the stream's event before, after `skipped_bytes` that came too fast.
#[derive(Serialize)]
struct OutputLine<'a> {
    event: &'static str,
    stream: &'static str,
    text: &'a str,
    skipped_bytes: usize,
}

impl Events {
    pub(super) fn new(policy: Text) -> Self {
        Self {
            policy,
            streams: BTreeMap::new(),
            started: false,
            last: None,
        }
    }

    pub(super) fn start(&mut self, call: &Call, spawn: &SpawnContext) -> io::Result<()> {
        self.started = true;
        stream::json_line(&Started {
            event: "started",
            id: &call.id,
            command: &spawn.command,
            cwd: spawn.cwd.display().to_string(),
        })
    }

    pub(super) fn take(&mut self, chunk: &Chunk) {
        let policy = self.policy;
        let waiting = self.streams.entry(chunk.stream());
        let waiting = waiting.or_insert_with(|| Waiting {
            pieces: Pieces::new(policy),
            ..Waiting::default()
        });
        waiting.take(chunk);
    }

    pub(super) fn flush_if_due(&mut self, now: Instant) -> io::Result<()> {
        let due = self.last.is_none_or(|last| now - last >= TICK);
        if !due || !self.started {
            return Ok(());
        }
        self.flush(now)
    }

    pub(super) fn end(&mut self) -> io::Result<()> {
        for waiting in self.streams.values_mut() {
            waiting.pieces.finish();
        }
        self.flush(Instant::now())
    }

    fn flush(&mut self, now: Instant) -> io::Result<()> {
        for (name, waiting) in &mut self.streams {
            waiting.gather();
            if waiting.text.is_empty() {
                continue;
            }
            self.last = Some(now);
            let text = std::mem::take(&mut waiting.text);
            stream::json_line(&OutputLine {
                event: "output",
                stream: name.name(),
                text: &text,
                skipped_bytes: std::mem::take(&mut waiting.skipped_bytes),
            })?;
        }
        Ok(())
    }
}

impl Waiting {
    fn take(&mut self, bytes: &[u8]) {
        self.pieces.push(bytes);
        if self.pieces.len() > 2 * most_bytes() {
            self.gather();
        }
    }

    fn gather(&mut self) {
        self.text.push_str(&self.pieces.take_appended());
        let surplus = self.text.len().saturating_sub(most_bytes());
        let at = self.text.ceil_char_boundary(surplus);
        self.skipped_bytes += at;
        self.text.drain(..at);
    }
}

fn most_bytes() -> usize {
    OutputLimits::default().max_bytes
}
