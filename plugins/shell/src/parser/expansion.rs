//! What starts with a dollar or a backquote.

use super::{Parsed, Parser};
use crate::{Construct, Step, variables, word::Builder};

/// What stands around backquotes. It decides whether a backslash before a double quote stays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Around {
    /// Nothing: it stays.
    Nothing,
    /// Double quotes: it goes.
    Quotes,
    /// Anything else: that depends on the shell.
    Other,
}

impl<'text> Parser<'text, '_> {
    /// Reads what starts with the dollar here. `quoted`: single quotes mean nothing here and the
    /// value is not split.
    pub(super) fn dollar(&mut self, builder: &mut Builder, quoted: bool) -> Parsed {
        match self.rest() {
            [_, b'(', b'(', ..] => self.dollar_parentheses(builder, quoted),
            [_, b'(', ..] => self.command_substitution(builder, quoted),
            [_, b'{', ..] => self.nested(|parser| parser.parameter(builder, quoted)),
            // what bash takes for arithmetic others take for text, and lines joined behind a
            // dollar are read differently again
            [_, b'[', ..] | [_, b'\\', b'\n', ..] => self.fail(Construct::Syntax, self.at),
            [_, byte, ..] if byte.is_ascii_digit() || b"@*#?$!-".contains(byte) => {
                let splits = !quoted || *byte == b'@';
                self.at += 2;
                builder.unknown(splits);
                Ok(())
            }
            [_, rest @ ..] => {
                let length = variables::name_length(rest);
                self.at += 1 + length;
                match length {
                    0 => {
                        self.saw_literal("$");
                        builder.push('$');
                    }
                    _ => builder.unknown(!quoted),
                }
                Ok(())
            }
            [] => self.fail(Construct::Syntax, self.at),
        }
    }

    #[inline(never)]
    fn dollar_parentheses(&mut self, builder: &mut Builder, quoted: bool) -> Parsed {
        self.at += 1;
        let arithmetic = self.arithmetic()?;
        if arithmetic {
            builder.unknown(!quoted);
            return Ok(());
        }
        self.at -= 1;
        self.command_substitution(builder, quoted)
    }

    fn command_substitution(&mut self, builder: &mut Builder, quoted: bool) -> Parsed {
        self.at += 2;
        self.commands_in_word(Step::Substitution)?;
        builder.unknown(!quoted);
        Ok(())
    }

    /// Reads commands up to a closing parenthesis.
    pub(super) fn commands_in_word(&mut self, step: Step) -> Parsed {
        let pending = std::mem::take(&mut self.pending);
        let waiting = std::mem::take(&mut self.waiting);
        let outer = self.outer_pending;
        self.outer_pending |= !pending.is_empty();
        self.nested(|parser| parser.step(step, Self::list))?;
        if !self.pending.is_empty() {
            return self.fail(Construct::Syntax, self.at);
        }
        self.outer_pending = outer;
        self.pending = pending;
        self.waiting = waiting;
        self.expect(b')')
    }

    /// Reads `` `…` ``.
    #[inline(never)]
    pub(super) fn backquotes(&mut self, builder: &mut Builder, around: Around) -> Parsed {
        let start = self.at;
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = self.rest();
            let plain = rest
                .iter()
                .take_while(|byte| !b"`\\".contains(byte))
                .count();
            text.push_str(self.slice(self.at, self.at + plain));
            self.at += plain;
            match self.rest() {
                [] => return self.fail(Construct::Syntax, start),
                [b'`', ..] => break,
                [b'\\', byte @ (b'`' | b'\\' | b'$'), ..] => {
                    text.push(char::from(*byte));
                    self.at += 2;
                }
                [b'\\', b'"', ..] if around == Around::Quotes => {
                    text.push('"');
                    self.at += 2;
                }
                [b'\\', b'"', ..] if around == Around::Other => {
                    return self.fail(Construct::Syntax, start);
                }
                _ => {
                    text.push('\\');
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        let mut place = self.place.clone();
        place.push(Step::Substitution);
        self.within(&text, self.dialect, place, self.parent, false);
        builder.unknown(around == Around::Nothing);
        Ok(())
    }

    /// Reads `${…}`.
    #[inline(never)]
    fn parameter(&mut self, builder: &mut Builder, quoted: bool) -> Parsed {
        let start = self.at;
        self.at += 2;
        let name = self.parameter_name(start)?;
        let many = matches!(self.rest(), [b'[', b'@', ..]) || name == "@";
        self.parameter_operator(name, start)?;
        self.step(Step::Alternative, |parser| {
            while parser.peek() != Some(b'}') {
                parser.parameter_piece(start, quoted)?;
            }
            Ok(())
        })?;
        self.at += 1;
        builder.unknown(!quoted || many);
        Ok(())
    }

    /// Reads on in `${…}`.
    fn parameter_piece(&mut self, start: usize, quoted: bool) -> Parsed {
        match self.rest() {
            [] => return self.fail(Construct::Syntax, start),
            // whether these quote depends on what stands around, and on the shell
            [b'\'', ..] if quoted => return self.fail(Construct::Syntax, start),
            [b'$', b'\'' | b'"', ..] => return self.fail(Construct::Syntax, start),
            [b'<' | b'>', b'(', ..] if !quoted => return self.fail(Construct::Syntax, start),
            [b'\'', ..] => {
                let length = self.text[self.at + 1..self.end].find('\'');
                let Some(length) = length else {
                    return self.fail(Construct::Syntax, start);
                };
                self.saw_literal(self.slice(self.at + 1, self.at + 1 + length));
                self.at += length + 2;
            }
            [b'"', ..] => self.double_quotes(&mut Builder::default(), &mut false)?,
            [b'\\', escaped, ..] => {
                self.saw_byte(*escaped);
                self.at += 2;
            }
            [b'$', ..] => self.dollar(&mut Builder::default(), true)?,
            [b'`', ..] => self.backquotes(&mut Builder::default(), Around::Other)?,
            [byte, ..] => {
                self.saw_byte(*byte);
                self.at += 1;
            }
        }
        Ok(())
    }

    /// The name in `${name…}`; anything that might be something else is not understood.
    fn parameter_name(&mut self, start: usize) -> Parsed<&'text str> {
        let rest = self.rest();
        let marks = match rest {
            [b'#' | b'!', b'}', ..] => 0,
            [b'#' | b'!', ..] => 1,
            _ => 0,
        };
        let indirect = marks == 1 && rest[0] == b'!';
        let from = self.at + marks;
        let rest = &rest[marks..];
        let length = match rest.first() {
            Some(b'0'..=b'9') => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
            Some(byte) if b"@*#?$!-".contains(byte) => 1,
            _ => variables::name_length(rest),
        };
        if length == 0 {
            return self.fail(Construct::Syntax, start);
        }
        self.at = from + length;
        let name = self.slice(from, from + length);
        if indirect {
            self.indirection(name);
        }
        Ok(name)
    }

    /// `${!name}`: what it stands for may be an element of an array, whose index is arithmetic.
    fn indirection(&mut self, name: &str) {
        match self.rest() {
            [b'@' | b'*', b'}', ..] => {}
            [b'=', ..] | [b':', b'=', ..] => {
                self.sink
                    .undecidable(Construct::Variable, name, self.parent);
            }
            _ => self.saw_arithmetic(name),
        }
    }

    /// Looks at the operator behind the name, without moving.
    fn parameter_operator(&mut self, name: &str, start: usize) -> Parsed {
        match self.rest() {
            // the value is expanded like a prompt, substitutions included
            [b'@', b'P', ..] => return self.fail(Construct::Text, start),
            [b'=' | b'[', ..] | [b':', b'=', ..] if variables::controls_the_shell(name) => {
                self.sink
                    .undecidable(Construct::Variable, name, self.parent);
            }
            [b'=', ..] | [b':', b'=', ..] if variables::is_number(name) => {
                self.saw_arithmetic(name);
            }
            [b':', b'-' | b'+' | b'?' | b'=', ..] => {}
            [b'[', b'@' | b'*', b']', ..] => {}
            [b':' | b'[', ..] => {
                self.saw_arithmetic(name);
                self.sink.bracket = true;
            }
            _ => {}
        }
        Ok(())
    }
}
