use memchr::{memchr_iter, memrchr};
use spawnhook_model::{Cut, Excerpt, OutputLimits, Truncation};

use super::cleaner::Sink;

/// Keeps whole lines from the end of a text, as many as the limits allow.
///
/// A newline at the very end is neither a line of its own nor counted against the limit of bytes,
/// so a text is never cut for the sake of its final newline alone. Of a last line that is over
/// the limit by itself the end is kept, from the first character that fits.
pub fn truncate_tail(text: &str, limits: OutputLimits) -> Excerpt {
    let mut buffer = TailBuffer::new(limits);
    buffer.text(text);
    buffer.tail()
}

/// Collects a text of any length for [`truncate_tail`], in memory of about four times the limit
/// of bytes.
#[derive(Clone, Debug)]
pub(super) struct TailBuffer {
    limits: OutputLimits,
    /// The end of all whole lines, which stays when the current line starts anew.
    whole: Kept,
    /// Whole lines so far.
    whole_lines: u64,
    /// Bytes of the last whole line without its newline.
    last_whole_line: u64,
    /// The end of the current line.
    line: Kept,
}

impl TailBuffer {
    pub(super) fn new(limits: OutputLimits) -> Self {
        // Without its final newline, what is kept of a text over the limit must still be over it.
        let keep = limits.max_bytes.saturating_add(2);
        Self {
            limits,
            whole: Kept::new(keep),
            whole_lines: 0,
            last_whole_line: 0,
            line: Kept::new(keep),
        }
    }

    /// Lines so far, an unterminated last one included.
    pub(super) fn lines(&self) -> u64 {
        self.whole_lines + u64::from(self.line.total > 0)
    }

    /// Whether the text, as far as it is known, is over a limit.
    pub(super) fn is_over(&self) -> bool {
        let newline = u64::from(self.line.total == 0 && self.whole.total > 0);
        self.total_bytes() - newline > self.limits.max_bytes as u64
            || self.lines() > self.limits.max_lines as u64
    }

    pub(super) fn tail(&self) -> Excerpt {
        let text = [&*self.whole.text, &self.line.text].concat();
        if !self.is_over() {
            return Excerpt {
                text,
                truncation: None,
                lines: self.lines(),
            };
        }
        let cut = last_lines(text.strip_suffix('\n').unwrap_or(&text), self.limits);
        Excerpt {
            text: cut.text.to_owned(),
            truncation: Some(self.truncation(&cut)),
            lines: self.lines(),
        }
    }

    fn total_bytes(&self) -> u64 {
        self.whole.total + self.line.total
    }

    fn truncation(&self, cut: &LastLines<'_>) -> Truncation {
        let last_line_bytes = if self.line.total > 0 {
            self.line.total
        } else {
            self.last_whole_line
        };
        Truncation {
            by: cut.by,
            total_lines: self.lines(),
            total_bytes: self.total_bytes(),
            shown_lines: cut.lines,
            shown_bytes: cut.text.len() as u64,
            first_line: self.lines() - cut.lines + 1,
            last_line_partial: cut.partial,
            last_line_bytes,
            max_bytes: self.limits.max_bytes as u64,
        }
    }
}

impl Sink for TailBuffer {
    fn text(&mut self, text: &str) {
        let Some(newline) = memrchr(b'\n', text.as_bytes()) else {
            return self.line.push(text);
        };
        let (whole, rest) = text.split_at(newline + 1);
        let newlines = memchr_iter(b'\n', whole.as_bytes()).count();
        self.last_whole_line = match memrchr(b'\n', &whole.as_bytes()[..newline]) {
            Some(before) => (newline - before - 1) as u64,
            None => self.line.total + newline as u64,
        };
        self.whole_lines += newlines as u64;
        self.whole.append(&self.line);
        self.whole.push(whole);
        self.line.clear();
        self.line.push(rest);
    }

    fn restart_line(&mut self) {
        self.line.clear();
    }
}

/// The end of a text: at least the last `keep` bytes, at most about twice as many.
#[derive(Clone, Debug)]
struct Kept {
    keep: usize,
    text: String,
    total: u64,
}

impl Kept {
    fn new(keep: usize) -> Self {
        Self {
            keep,
            text: String::new(),
            total: 0,
        }
    }

    fn push(&mut self, text: &str) {
        self.total += text.len() as u64;
        self.keep_end_of(text);
    }

    /// Appends a text of which the end was kept.
    fn append(&mut self, other: &Self) {
        self.total += other.total;
        self.keep_end_of(&other.text);
    }

    fn clear(&mut self) {
        self.total = 0;
        self.text.clear();
    }

    fn keep_end_of(&mut self, text: &str) {
        let text = end_of(text, self.keep);
        let most = self.keep.saturating_mul(2);
        if self.text.len() + text.len() > most {
            let needed = self.keep.saturating_sub(text.len());
            let surplus = self.text.len() - end_of(&self.text, needed).len();
            self.text.drain(..surplus);
        }
        let length = self.text.len() + text.len();
        if length > self.text.capacity() {
            let capacity = length.max(most.min(self.text.capacity().saturating_mul(2)));
            self.text.reserve_exact(capacity - self.text.len());
        }
        self.text.push_str(text);
    }
}

/// At least the last `bytes` bytes, from the start of a character.
fn end_of(text: &str, bytes: usize) -> &str {
    &text[text.floor_char_boundary(text.len().saturating_sub(bytes))..]
}

/// What is left of a text that is over a limit.
struct LastLines<'a> {
    text: &'a str,
    lines: u64,
    by: Cut,
    partial: bool,
}

/// Takes lines from the end. The text may lack its beginning if it has more bytes than the limit.
fn last_lines(text: &str, limits: OutputLimits) -> LastLines<'_> {
    let mut start = text.len();
    let mut lines = 0;
    let mut end = Some(text.len());
    while let Some(line_end) = end {
        if lines == limits.max_lines as u64 {
            return LastLines::whole(&text[start..], lines, Cut::Lines);
        }
        let newline = memrchr(b'\n', &text.as_bytes()[..line_end]);
        let line = newline.map_or(0, |newline| newline + 1);
        if text.len() - line > limits.max_bytes {
            break;
        }
        start = line;
        lines += 1;
        end = newline;
    }
    if lines > 0 {
        return LastLines::whole(&text[start..], lines, Cut::Bytes);
    }
    let start = text.len().saturating_sub(limits.max_bytes);
    LastLines {
        text: &text[text.ceil_char_boundary(start)..],
        lines: 1,
        by: Cut::Bytes,
        partial: true,
    }
}

impl<'a> LastLines<'a> {
    fn whole(text: &'a str, lines: u64, by: Cut) -> Self {
        Self {
            text,
            lines,
            by,
            partial: false,
        }
    }
}

#[cfg(test)]
mod tests;
