#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use crate::text::one_line;

/// The longest text of a log that a failure quotes.
const QUOTED_BYTES: usize = 1 << 10;

/// The log of one call: what the hook wrote with `log.write`, and its standard output and error.
///
/// Keeps the head and the tail and counts the rest, whatever is written.
#[derive(Debug)]
pub(crate) struct Log {
    limit: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    written: u64,
    writer: Option<Writer>,
    mid_line: bool,
    last_error: Option<String>,
}

/// Who wrote to a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    Message,
    Stdout,
    Stderr,
}

impl Log {
    /// A log that keeps about `limit` bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            head: Vec::new(),
            tail: VecDeque::new(),
            written: 0,
            writer: None,
            mid_line: false,
            last_error: None,
        }
    }

    /// Whether nothing was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// Takes one message of `log.write`.
    pub(crate) fn message(&mut self, level: &str, message: &str) {
        if level == "error" {
            self.last_error = Some(one_line(message, QUOTED_BYTES));
        }
        self.start(Writer::Message);
        self.keep(level.as_bytes());
        self.keep(b": ");
        self.keep(message.as_bytes());
        self.keep(b"\n");
    }

    /// Takes bytes of a stream; a line may come in pieces.
    pub(crate) fn stream(&mut self, writer: Writer, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.start(writer);
            self.keep(bytes);
        }
    }

    /// The reason that the hook gave last: its last error message, or else the last lines that it
    /// wrote.
    fn last_words(&self) -> Option<String> {
        if self.last_error.is_some() {
            return self.last_error.clone();
        }
        let text = self.text();
        let mut lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with("note: run with"))
            .rev()
            .take(5)
            .collect();
        lines.reverse();
        (!lines.is_empty()).then(|| one_line(&lines.join(" "), QUOTED_BYTES))
    }

    /// The end of a sentence about a failure: what the hook wrote last, if it wrote anything.
    pub(crate) fn explanation(&self) -> String {
        self.last_words()
            .map(|words| format!("; it wrote: {words}"))
            .unwrap_or_default()
    }

    /// What the operator should know of this log: that it was cut.
    pub(crate) fn notice(&self) -> Option<String> {
        let kept = (self.head.len() + self.tail.len()) as u64;
        (kept < self.written).then(|| {
            format!(
                "its log was cut: {kept} of {} bytes were kept",
                self.written
            )
        })
    }

    /// What was kept, with a mark where something is missing.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.notice().is_some() {
            text.push_str("\n…\n");
        }
        let (front, back) = self.tail.as_slices();
        text.push_str(&String::from_utf8_lossy(&[front, back].concat()));
        text
    }

    /// Ends the line of another writer, so that lines stay whole.
    fn start(&mut self, writer: Writer) {
        if self.mid_line && self.writer != Some(writer) {
            self.keep(b"\n");
        }
        self.writer = Some(writer);
    }

    fn keep(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        self.mid_line = *last != b'\n';
        self.written += bytes.len() as u64;
        let half = self.limit / 2;
        let (head, rest) = bytes.split_at(bytes.len().min(half - self.head.len()));
        self.head.extend_from_slice(head);
        let rest = &rest[rest.len().saturating_sub(half)..];
        let excess = (self.tail.len() + rest.len()).saturating_sub(half);
        self.tail.drain(..excess);
        self.tail.extend(rest);
    }
}
