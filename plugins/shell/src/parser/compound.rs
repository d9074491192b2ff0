//! Compound commands.

use super::{Parsed, Parser};
use crate::{Construct, Dialect, Step, variables};

impl Parser<'_, '_> {
    pub(super) fn compound(&mut self) -> Parsed {
        match self.reserved() {
            "{" => self.between("{", Self::list, "}"),
            "if" => self.if_clause(),
            "while" | "until" => self.while_clause(),
            "for" => self.for_clause("for"),
            "select" => self.for_clause("select"),
            "case" => self.case_clause(),
            "[[" => self.test(),
            _ => self.parentheses(),
        }
    }

    fn between(
        &mut self,
        open: &str,
        read: impl FnOnce(&mut Self) -> Parsed,
        close: &str,
    ) -> Parsed {
        self.expect_reserved(open)?;
        read(self)?;
        self.expect_reserved(close)
    }

    fn parentheses(&mut self) -> Parsed {
        if self.sees("((") {
            if self.dialect == Dialect::Common {
                return self.fail(Construct::Dialect, self.at);
            }
            if self.arithmetic()? {
                return Ok(());
            }
        }
        self.expect(b'(')?;
        self.step(Step::Subshell, Self::list)?;
        self.expect(b')')
    }

    #[inline(never)]
    fn if_clause(&mut self) -> Parsed {
        self.expect_reserved("if")?;
        self.step(Step::Condition, Self::list)?;
        self.expect_reserved("then")?;
        self.step(Step::Branch, Self::list)?;
        loop {
            match self.reserved() {
                "elif" => {
                    self.expect_reserved("elif")?;
                    self.step(Step::Condition, Self::list)?;
                    self.expect_reserved("then")?;
                    self.step(Step::Branch, Self::list)?;
                }
                "else" => {
                    self.expect_reserved("else")?;
                    self.step(Step::Branch, Self::list)?;
                    return self.expect_reserved("fi");
                }
                _ => return self.expect_reserved("fi"),
            }
        }
    }

    #[inline(never)]
    fn while_clause(&mut self) -> Parsed {
        self.at += "while".len();
        self.step(Step::Condition, Self::list)?;
        self.loop_body()
    }

    fn loop_body(&mut self) -> Parsed {
        self.step(Step::Loop, |parser| match parser.reserved() {
            "{" => parser.between("{", Self::list, "}"),
            _ => parser.between("do", Self::list, "done"),
        })
    }

    #[inline(never)]
    fn for_clause(&mut self, keyword: &str) -> Parsed {
        self.at += keyword.len();
        self.skip_blanks();
        if self.sees("((") {
            if !self.arithmetic()? {
                return self.fail(Construct::Syntax, self.at);
            }
        } else {
            self.loop_variable()?;
            self.skip_lines()?;
            if self.reserved() == "in" {
                self.expect_reserved("in")?;
                self.loop_words()?;
            }
        }
        self.skip_blanks();
        if self.peek() == Some(b';') {
            self.at += 1;
        }
        self.skip_lines()?;
        self.loop_body()
    }

    fn loop_variable(&mut self) -> Parsed {
        let start = self.at;
        self.at += variables::name_length(self.rest());
        let name = self.slice(start, self.at);
        let ends = matches!(
            self.peek(),
            None | Some(b' ' | b'\t' | b'\n' | b';' | b'\\')
        );
        if name.is_empty() || !ends {
            return self.fail(Construct::Syntax, start);
        }
        if variables::is_number(name) {
            self.saw_arithmetic(name);
        }
        if variables::controls_the_shell(name) || variables::holds_a_command(name) {
            self.sink
                .undecidable(Construct::Variable, name, self.parent);
        }
        Ok(())
    }

    fn loop_words(&mut self) -> Parsed {
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'\n' | b';') => return Ok(()),
                Some(_) => self.word()?,
                None => return self.fail(Construct::Syntax, self.at),
            };
        }
    }

    #[inline(never)]
    fn case_clause(&mut self) -> Parsed {
        self.expect_reserved("case")?;
        self.skip_blanks();
        self.word()?;
        self.skip_lines()?;
        self.expect_reserved("in")?;
        loop {
            self.skip_lines()?;
            if self.reserved() == "esac" {
                return self.expect_reserved("esac");
            }
            self.case_patterns()?;
            self.step(Step::Branch, Self::list)?;
            match self.rest() {
                [b';', b';', b'&', ..] => self.at += 3,
                [b';', b';' | b'&', ..] => self.at += 2,
                _ => return self.expect_reserved("esac"),
            }
        }
    }

    fn case_patterns(&mut self) -> Parsed {
        if self.peek() == Some(b'(') {
            self.at += 1;
        }
        loop {
            self.skip_blanks();
            self.word()?;
            self.skip_blanks();
            match self.peek() {
                Some(b'|') => self.at += 1,
                _ => return self.expect(b')'),
            }
        }
    }
}
