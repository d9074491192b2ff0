//! Here-documents.

use super::{Parsed, Parser, expansion::Around};
use crate::{Construct, Operator, Word, word::Builder};

/// A here-document whose body has not been reached.
#[derive(Debug)]
pub(crate) struct Pending {
    /// The redirection: its part and its index there.
    part: usize,
    redirection: usize,
    delimiter: String,
    /// The delimiter was quoted: the body is taken as it is.
    verbatim: bool,
    strips_tabs: bool,
}

impl<'text> Parser<'text, '_> {
    /// Reads the delimiter behind `<<`.
    #[inline(never)]
    pub(super) fn here_document(&mut self, descriptor: String, part: usize) -> Parsed {
        let strips_tabs = self.peek() == Some(b'-');
        if strips_tabs {
            self.at += 1;
        }
        self.skip_blanks();
        let start = self.at;
        let delimiter = self.word()?;
        let raw = self.slice(start, self.at);
        let Word::Literal(text) = delimiter.word else {
            return self.fail(Construct::Syntax, start);
        };
        if raw.contains(['$', '`', '\n']) {
            return self.fail(Construct::Syntax, start);
        }
        let target = Word::unknown(false);
        self.add_redirection(part, Operator::HereDocument, descriptor, target);
        self.pending.push(Pending {
            part,
            redirection: self.sink.parts[part].redirections.len() - 1,
            delimiter: text,
            verbatim: delimiter.quoted,
            strips_tabs,
        });
        Ok(())
    }

    /// Reads the bodies that start here, at the start of a line.
    #[inline(never)]
    pub(super) fn read_bodies(&mut self) -> Parsed {
        if self.outer_pending {
            return self.fail(Construct::Syntax, self.at);
        }
        for pending in std::mem::take(&mut self.pending) {
            let (start, end) = self.find_body(&pending)?;
            let body = self.body(&pending, start, end)?;
            self.sink.parts[pending.part].redirections[pending.redirection].target = body;
        }
        for part in std::mem::take(&mut self.waiting) {
            self.run_input(part);
        }
        Ok(())
    }

    /// Where a body starts and ends; moves behind its delimiter.
    fn find_body(&mut self, pending: &Pending) -> Parsed<(usize, usize)> {
        let start = self.at;
        loop {
            let line_start = self.at;
            if line_start >= self.end {
                return self.fail(Construct::Syntax, start);
            }
            let line = self.line(!pending.verbatim);
            let line = match pending.strips_tabs {
                true => line.trim_start_matches('\t'),
                false => &line,
            };
            if line == pending.delimiter {
                return Ok((start, line_start));
            }
        }
    }

    /// Moves behind the next line and gives its text without the newline. Lines that a backslash
    /// joins are one.
    fn line(&mut self, joins: bool) -> std::borrow::Cow<'text, str> {
        let start = self.at;
        let mut joined = false;
        loop {
            let rest = self.rest();
            let length = rest.iter().position(|byte| *byte == b'\n');
            let end = length.map_or(self.end, |length| self.at + length);
            self.at = self.end.min(end + 1);
            if joins && end < self.end && escapes_its_end(self.slice(start, end)) {
                joined = true;
                continue;
            }
            let line = self.slice(start, end);
            return match joined {
                true => line.replace("\\\n", "").into(),
                false => line.into(),
            };
        }
    }

    fn body(&mut self, pending: &Pending, start: usize, end: usize) -> Parsed<Word> {
        let text = self.slice(start, end);
        if pending.verbatim || !text.contains(['$', '`', '\\']) {
            self.saw_literal(text);
            return Ok(Word::Literal(match pending.strips_tabs {
                true => strip_tabs(text),
                false => text.to_owned(),
            }));
        }
        let (at, outer_end) = (self.at, self.end);
        let parent = self.parent.replace(pending.part);
        (self.at, self.end) = (start, end);
        self.expansions(&mut Builder::default())?;
        (self.at, self.end) = (at, outer_end);
        self.parent = parent;
        Ok(Word::unknown(false))
    }

    /// Reads text in which expansions alone mean something.
    fn expansions(&mut self, builder: &mut Builder) -> Parsed {
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' => {
                    self.saw_byte(self.peek_at(1).unwrap_or_default());
                    self.at += 2;
                }
                b'$' => self.dollar(builder, true)?,
                b'`' => self.backquotes(builder, Around::Other)?,
                _ => {
                    self.saw_byte(byte);
                    self.at += 1;
                }
            }
        }
        self.at = self.end;
        Ok(())
    }
}

/// Whether a line ends in a backslash that no other backslash takes away. In a line that was
/// joined before, the backslashes at the joints count like any.
fn escapes_its_end(line: &str) -> bool {
    let last = line.rsplit('\n').next().unwrap_or(line);
    let backslashes = last.len() - last.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

fn strip_tabs(text: &str) -> String {
    let mut stripped = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        stripped.push_str(line.trim_start_matches('\t'));
    }
    stripped
}
