use super::escape::{Escape, Role};
use super::visible::is_bidi_control;

/// What becomes of a command's bytes on their way to a reader of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Text {
    /// What a person would see on a terminal in the end, for models and terminals: see [`Cleaner`].
    #[default]
    Clean,
    /// Every character as it was written, control characters and the byte order mark included, and
    /// U+FFFD for what is not UTF-8. Not for terminals.
    Raw,
}

/// Makes the bytes of a command into text, piece by piece: the same bytes give the same text,
/// wherever they are split. Under [`Text::Clean`], which is the default:
///
/// * UTF-8 is decoded; each maximal part that is none, or that the end cuts off, becomes one
///   U+FFFD. A leading byte order mark is dropped.
/// * Control sequences (colours, titles, cursor movements, device strings) are dropped, as are
///   control characters other than tab and newline, U+FFF9 to U+FFFB, and what reorders a line.
/// * CR LF is a newline. Any other CR starts the line anew as soon as something follows on it, as
///   a progress bar has it: `10%\r20%` is `20%`. In a line with bytes that are no text a CR is
///   dropped, since that is no progress bar.
#[derive(Clone, Debug, Default)]
pub struct Cleaner {
    policy: Text,
    /// The start of a character.
    partial: Vec<u8>,
    escape: Escape,
    /// After a CR whose effect is open.
    returned: bool,
    /// At bytes that are no text; a U+FFFD that was written is text.
    replacing: bool,
    /// In a line with bytes that are no text.
    garbled: bool,
    /// After the first character.
    started: bool,
}

/// What a cleaner writes to.
pub(super) trait Sink {
    /// Appends text, in which newlines end lines.
    fn text(&mut self, text: &str);
    /// Drops what the current line has so far.
    fn restart_line(&mut self);
}

impl Sink for String {
    fn text(&mut self, text: &str) {
        self.push_str(text);
    }

    fn restart_line(&mut self) {
        let line = self.rfind('\n').map_or(0, |newline| newline + 1);
        self.truncate(line);
    }
}

impl Cleaner {
    /// A cleaner at the start of an output.
    pub fn new() -> Self {
        Self::default()
    }

    /// A cleaner at the start of an output, with another policy.
    pub fn with_policy(policy: Text) -> Self {
        Self {
            policy,
            ..Self::default()
        }
    }

    /// Takes the next bytes. A line that is started anew is removed from the end of `out`, so
    /// `out` should hold the current line from its start; of earlier lines it needs nothing.
    pub fn push(&mut self, bytes: &[u8], out: &mut String) {
        self.write(bytes, out);
    }

    /// Ends the output: what is left of an unfinished character becomes U+FFFD.
    pub fn finish(&mut self, out: &mut String) {
        self.end(out);
    }

    pub(super) fn write(&mut self, bytes: &[u8], sink: &mut impl Sink) {
        let bytes = self.complete(bytes, sink);
        if let Ok(text) = std::str::from_utf8(bytes) {
            return self.decoded(text, sink);
        }
        for chunk in bytes.utf8_chunks() {
            self.decoded(chunk.valid(), sink);
            let invalid = chunk.invalid();
            let at_end = invalid.as_ptr_range().end == bytes.as_ptr_range().end;
            if at_end && is_unfinished(invalid) {
                self.partial.extend_from_slice(invalid);
            } else if !invalid.is_empty() {
                self.replaced(sink);
            }
        }
    }

    pub(super) fn end(&mut self, sink: &mut impl Sink) {
        if !self.partial.is_empty() {
            self.partial.clear();
            self.replaced(sink);
        }
    }

    /// Completes a character that was begun, and returns the bytes that follow it.
    fn complete<'a>(&mut self, mut bytes: &'a [u8], sink: &mut impl Sink) -> &'a [u8] {
        while !self.partial.is_empty()
            && let Some((next, rest)) = bytes.split_first()
        {
            self.partial.push(*next);
            if is_unfinished(&self.partial) {
                bytes = rest;
                continue;
            }
            let partial = std::mem::take(&mut self.partial);
            match std::str::from_utf8(&partial) {
                Ok(character) => {
                    bytes = rest;
                    self.decoded(character, sink);
                }
                // The byte starts something new.
                Err(_) => self.replaced(sink),
            }
        }
        bytes
    }

    /// Takes bytes that are no text.
    fn replaced(&mut self, sink: &mut impl Sink) {
        self.replacing = true;
        self.decoded("\u{fffd}", sink);
        self.replacing = false;
    }

    fn decoded(&mut self, text: &str, sink: &mut impl Sink) {
        if text.is_empty() {
            return;
        }
        if self.policy == Text::Raw {
            return sink.text(text);
        }
        let mut rest = text;
        if !std::mem::replace(&mut self.started, true) {
            rest = rest.strip_prefix('\u{feff}').unwrap_or(rest);
        }
        while !rest.is_empty() {
            if self.escape == Escape::None {
                let (plain, after) = rest.split_at(plain_length(rest));
                self.emit(plain, sink);
                rest = after;
            }
            let mut characters = rest.chars();
            if let Some(character) = characters.next() {
                self.character(character, sink);
                rest = characters.as_str();
            }
        }
    }

    /// Takes a character that is in a sequence, starts one, or is a control.
    fn character(&mut self, character: char, sink: &mut impl Sink) {
        let (escape, role) = self.escape.next(character);
        self.escape = escape;
        if role == Role::Sequence {
            return;
        }
        if character == '\r' {
            self.returned = true;
        } else if !is_dropped(character) {
            self.emit(character.encode_utf8(&mut [0; 4]), sink);
        }
    }

    fn emit(&mut self, text: &str, sink: &mut impl Sink) {
        if text.is_empty() {
            return;
        }
        if std::mem::take(&mut self.returned) && !text.starts_with('\n') && !self.garbled {
            sink.restart_line();
        }
        self.garbled = self.replacing || (self.garbled && !text.contains('\n'));
        sink.text(text);
    }
}

/// Whether more bytes could make a character of these.
fn is_unfinished(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// The length of the text before the first character that is not simply text.
fn plain_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut start = 0;
    while let Some(found) = first_suspect(&bytes[start..]) {
        let at = start + found;
        match text[at..].chars().next() {
            Some(character) if !is_control(character) && !is_dropped(character) => {
                start = at + character.len_utf8();
            }
            _ => return at,
        }
    }
    bytes.len()
}

/// Nearly all bytes of nearly all outputs are simply text, so whole blocks are looked at without a
/// branch, which the compiler turns into vector instructions.
fn first_suspect(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 64;
    let any = |block: &[u8], is_such: fn(u8) -> bool| {
        block.iter().fold(false, |any, byte| any | is_such(*byte))
    };
    let clean = bytes
        .chunks_exact(BLOCK)
        .take_while(|block| !any(block, is_not_plain_ascii) || !any(block, is_suspect));
    let start = clean.count() * BLOCK;
    let found = bytes[start..].iter().position(|byte| is_suspect(*byte))?;
    Some(start + found)
}

/// A little less than what [`is_suspect`] lets through, for less work.
fn is_not_plain_ascii(byte: u8) -> bool {
    (byte.wrapping_sub(b' ') > b'~' - b' ') & (byte != b'\t') & (byte != b'\n')
}

/// Whether a character that is not simply text can start with this byte in UTF-8: the controls of
/// ASCII, and the lead bytes of C1 (C2), of bidi controls (E2) and of U+FFF9 to U+FFFB (EF).
fn is_suspect(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n')
        | (byte == 0x7f)
        | (byte == 0xc2)
        | (byte == 0xe2)
        | (byte == 0xef)
}

fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n')
}

fn is_dropped(character: char) -> bool {
    is_control(character)
        || is_bidi_control(character)
        || matches!(character, '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests;
