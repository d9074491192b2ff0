//! Lists, and-or lists and pipelines.

use super::{Parsed, Parser};
use crate::{Construct, Dialect, Step};

impl Parser<'_, '_> {
    /// Reads commands up to the end of the text or to what closes a list.
    pub(super) fn list(&mut self) -> Parsed {
        loop {
            self.skip_lines()?;
            if self.at_list_end() {
                return Ok(());
            }
            let function = self.and_or()?;
            self.skip_blanks();
            let background = match self.peek() {
                Some(b';') if !matches!(self.peek_at(1), Some(b';' | b'&')) => {
                    self.at += 1;
                    false
                }
                Some(b'&') => {
                    self.at += 1;
                    true
                }
                Some(b'\n') => false,
                _ if self.at_list_end() => return Ok(()),
                _ => return self.fail(Construct::Syntax, self.at),
            };
            let certain = !background && self.defines_at == Some(self.depth);
            if let (Some(name), true) = (function, certain) {
                self.sink.functions.insert(name);
            }
        }
    }

    fn at_list_end(&self) -> bool {
        match self.peek() {
            None | Some(b')' | b';') => true,
            Some(_) => matches!(
                self.reserved(),
                "then" | "do" | "done" | "fi" | "elif" | "else" | "esac" | "}"
            ),
        }
    }

    /// The name, if it is the definition of a function and nothing else.
    fn and_or(&mut self) -> Parsed<Option<String>> {
        let mut function = self.pipeline()?;
        loop {
            self.skip_blanks();
            if !self.sees("&&") && !self.sees("||") {
                return Ok(function);
            }
            self.at += 2;
            function = None;
            self.skip_lines()?;
            self.step(Step::AndOr, Self::pipeline)?;
        }
    }

    fn pipeline(&mut self) -> Parsed<Option<String>> {
        self.skip_pipeline_words();
        let first = self.sink.parts.len();
        let mut function = self.command()?;
        self.skip_blanks();
        if !self.at_pipe() {
            return Ok(function);
        }
        let level = self.place.len();
        for part in &mut self.sink.parts[first..] {
            part.place.insert(level, Step::Pipeline);
        }
        while self.at_pipe() {
            self.at += if self.sees("|&") { 2 } else { 1 };
            function = None;
            self.skip_lines()?;
            self.step(Step::Pipeline, Self::command)?;
            self.skip_blanks();
        }
        Ok(function)
    }

    fn at_pipe(&self) -> bool {
        self.peek() == Some(b'|') && self.peek_at(1) != Some(b'|')
    }

    /// Skips `!` and `time`.
    fn skip_pipeline_words(&mut self) {
        loop {
            self.skip_blanks();
            match self.reserved() {
                "!" => self.at += 1,
                "time" if self.dialect == Dialect::Bash => {
                    self.at += "time".len();
                    self.skip_word("-p");
                    self.skip_word("--");
                }
                _ => return,
            }
        }
    }

    fn skip_word(&mut self, word: &str) {
        self.skip_blanks();
        let behind = self.peek_at(word.len());
        if self.sees(word) && matches!(behind, Some(b' ' | b'\t')) {
            self.at += word.len();
        }
    }
}
