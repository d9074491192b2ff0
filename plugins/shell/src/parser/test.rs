//! `[[ … ]]`.

use super::{Parsed, Parser};
use crate::{Construct, Dialect};

impl Parser<'_, '_> {
    /// What the operators mean is of no interest here: only the words between them run anything.
    #[inline(never)]
    pub(super) fn test(&mut self) -> Parsed {
        let start = self.at;
        if self.dialect == Dialect::Common {
            return self.fail(Construct::Dialect, start);
        }
        self.expect_reserved("[[")?;
        loop {
            self.skip_test_blanks()?;
            if self.reserved() == "]]" {
                return self.expect_reserved("]]");
            }
            match self.peek() {
                None | Some(b';' | b'#') => return self.fail(Construct::Syntax, start),
                Some(b'<' | b'>') if self.peek_at(1) == Some(b'(') => self.test_word()?,
                Some(b'(' | b')' | b'|' | b'&' | b'<' | b'>') => self.at += 1,
                Some(_) => self.test_word()?,
            }
        }
    }

    fn skip_test_blanks(&mut self) -> Parsed {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.at += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.at += 2,
                Some(b'\n') => {
                    self.at += 1;
                    self.read_bodies()?;
                }
                _ => return Ok(()),
            }
        }
    }

    fn test_word(&mut self) -> Parsed {
        let start = self.at;
        let word = self.pattern_word()?.word;
        let evaluates = matches!(
            word.literal(),
            Some("-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-v" | "-R")
        );
        if evaluates {
            self.saw_arithmetic(self.slice(start, self.at));
        }
        Ok(())
    }
}
