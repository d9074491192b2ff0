//! One command of any kind.

use super::{Parsed, Parser};
use crate::{Construct, Dialect, MAX_PARTS, Step};

impl Parser<'_, '_> {
    /// The name, if it is the definition of a function.
    pub(super) fn command(&mut self) -> Parsed<Option<String>> {
        self.skip_blanks();
        if self.sink.parts.len() >= MAX_PARTS {
            return self.fail(Construct::Size, self.at);
        }
        if self.reserved_is_joined() {
            return self.fail(Construct::Syntax, self.at);
        }
        if self.at_compound() {
            self.nested(Self::compound)?;
            self.trailing_redirections()?;
            return Ok(None);
        }
        match self.reserved() {
            "function" => self.function_keyword().map(Some),
            "coproc" if self.dialect == Dialect::Bash => {
                self.nested(Self::coprocess).map(|()| None)
            }
            "then" | "do" | "done" | "fi" | "elif" | "else" | "esac" | "}" | "!" => {
                self.fail(Construct::Syntax, self.at)
            }
            _ => self.simple(),
        }
    }

    /// Whether a compound command starts here.
    pub(super) fn at_compound(&self) -> bool {
        self.peek() == Some(b'(')
            || matches!(
                self.reserved(),
                "{" | "if" | "while" | "until" | "for" | "select" | "case" | "[["
            )
    }

    fn coprocess(&mut self) -> Parsed {
        self.at += "coproc".len();
        self.skip_blanks();
        if !self.at_compound() {
            self.skip_coprocess_name();
        }
        self.step(Step::Coprocess, Self::command)?;
        Ok(())
    }

    /// A name stands before a compound command alone.
    fn skip_coprocess_name(&mut self) {
        let start = self.at;
        self.at += crate::variables::name_length(self.rest());
        self.skip_blanks();
        if self.at == start || !self.at_compound() {
            self.at = start;
        }
    }
}
