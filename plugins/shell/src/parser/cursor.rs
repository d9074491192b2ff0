//! Moving through the text.

use super::{Parsed, Parser};
use crate::Construct;

/// The words that mean something at the start of a command.
const RESERVED: [&str; 20] = [
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
    "if", "select", "then", "time", "until", "while", "{", "}",
];

impl<'text> Parser<'text, '_> {
    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<u8> {
        let at = self.at + offset;
        (at < self.end).then(|| self.text.as_bytes()[at])
    }

    pub(super) fn rest(&self) -> &'text [u8] {
        &self.text.as_bytes()[self.at..self.end]
    }

    pub(super) fn sees(&self, text: &str) -> bool {
        self.rest().starts_with(text.as_bytes())
    }

    /// What stands between two places.
    pub(super) fn slice(&self, from: usize, to: usize) -> &'text str {
        &self.text[from..to]
    }

    /// Skips blanks, joined lines and a comment: what may stand before a word.
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => return self.skip_comment(),
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) {
        let length = self.rest().iter().position(|byte| *byte == b'\n');
        self.at = length.map_or(self.end, |length| self.at + length);
    }

    /// Skips blanks, comments and ends of lines, with the here-documents behind them.
    pub(super) fn skip_lines(&mut self) -> Parsed {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return Ok(());
            }
            self.at += 1;
            self.read_bodies()?;
        }
    }

    /// The reserved word, or what looks like one, that starts here; empty if none does.
    pub(super) fn reserved(&self) -> &'text str {
        let rest = self.rest();
        let letter = |byte: &u8| byte.is_ascii_lowercase() || b"{}![]".contains(byte);
        let length = rest.iter().take_while(|byte| letter(byte)).count();
        match rest.get(length) {
            None | Some(b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>') => {
                self.slice(self.at, self.at + length)
            }
            _ => "",
        }
    }

    /// Whether a reserved word, or a part of one, is joined to the next line here.
    pub(super) fn reserved_is_joined(&self) -> bool {
        let rest = self.rest();
        let letter = |byte: &u8| byte.is_ascii_lowercase() || b"{}![]".contains(byte);
        let length = rest.iter().take_while(|byte| letter(byte)).count();
        let head = self.slice(self.at, self.at + length);
        length > 0
            && rest[length..].starts_with(b"\\\n")
            && RESERVED.iter().any(|word| word.starts_with(head))
    }

    /// Consumes a reserved word that must be here.
    pub(super) fn expect_reserved(&mut self, word: &str) -> Parsed {
        if self.reserved() != word {
            return self.fail(Construct::Syntax, self.at);
        }
        self.at += word.len();
        Ok(())
    }

    /// Consumes an operator that must be here.
    pub(super) fn expect(&mut self, operator: u8) -> Parsed {
        if self.peek() != Some(operator) {
            return self.fail(Construct::Syntax, self.at);
        }
        self.at += 1;
        Ok(())
    }
}
