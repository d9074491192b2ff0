//! Definitions of functions.

use super::{Parsed, Parser};
use crate::{Construct, Dialect, Step, Word};

impl Parser<'_, '_> {
    /// `function NAME [()] BODY`.
    #[inline(never)]
    pub(super) fn function_keyword(&mut self) -> Parsed<String> {
        let start = self.at;
        if self.dialect == Dialect::Common {
            return self.fail(Construct::Dialect, start);
        }
        self.at += "function".len();
        self.skip_blanks();
        let name = self.word()?.word;
        self.skip_blanks();
        if self.peek() == Some(b'(') {
            self.at += 1;
            self.skip_blanks();
            self.expect(b')')?;
        }
        self.function_body(name, start)
    }

    /// `() BODY` behind a name.
    pub(super) fn function_parentheses(&mut self, name: Word, start: usize) -> Parsed<String> {
        self.expect(b'(')?;
        self.skip_blanks();
        self.expect(b')')?;
        self.function_body(name, start)
    }

    #[inline(never)]
    fn function_body(&mut self, name: Word, start: usize) -> Parsed<String> {
        let Word::Literal(name) = name else {
            return self.fail(Construct::Meaning, start);
        };
        self.skip_lines()?;
        if !self.at_compound() {
            return self.fail(Construct::Syntax, self.at);
        }
        self.step(Step::Function, Self::command)?;
        Ok(name)
    }
}
