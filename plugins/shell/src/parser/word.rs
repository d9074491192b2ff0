//! Words.

use super::{Parsed, Parser, expansion::Around};
use crate::{
    Construct, Dialect, Piece, Step, Word, dollar_single, variables::split_assignment,
    word::Builder,
};

/// A word as it was read.
pub(super) struct Token {
    pub(super) word: Word,
    /// Some of it was quoted.
    pub(super) quoted: bool,
}

/// A word while it is read.
#[derive(Default)]
struct Reading {
    builder: Builder,
    quoted: bool,
    /// Where the text has an unquoted `{`, and whether a `,` or `..` followed.
    brace: Option<bool>,
    expands_braces: bool,
    bracket: bool,
    /// The text has an unquoted `[…]`.
    expands_brackets: bool,
    /// Inside `[[ … ]]`, where parentheses and operators may stand beside a word.
    pattern: bool,
}

impl Parser<'_, '_> {
    /// The word that starts here and must not be missing.
    pub(super) fn word(&mut self) -> Parsed<Token> {
        self.read_word(false)
    }

    /// A word of `[[ … ]]`.
    pub(super) fn pattern_word(&mut self) -> Parsed<Token> {
        self.read_word(true)
    }

    fn read_word(&mut self, pattern: bool) -> Parsed<Token> {
        let start = self.at;
        let mut reading = Reading {
            pattern,
            ..Reading::default()
        };
        self.home(&mut reading);
        while self.at < self.end && self.read_piece(&mut reading, start)? {}
        if self.at == start {
            return self.fail(Construct::Syntax, start);
        }
        let word = match (reading.expands_braces, reading.expands_brackets) {
            (true, _) => Word::unknown(true),
            (false, true) => reading.builder.build().up_to_bracket(),
            (false, false) => reading.builder.build(),
        };
        if let (Word::Literal(text), true) = (&word, reading.quoted) {
            self.saw_literal(text);
        }
        // a bracket alone is a command
        self.sink.bracket |= reading.bracket && self.at - start > 1;
        Ok(Token {
            word,
            quoted: reading.quoted,
        })
    }

    /// Reads on to the next change of what the text means; false at the end of the word.
    fn read_piece(&mut self, reading: &mut Reading, start: usize) -> Parsed<bool> {
        let rest = self.rest();
        let plain = rest.iter().take_while(|byte| !is_special(**byte)).count();
        if plain > 0 {
            let text = self.slice(self.at, self.at + plain);
            reading.builder.push_str(text);
            self.at += plain;
            return Ok(true);
        }
        match rest[0] {
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b')' => return Ok(false),
            b'<' | b'>' if self.peek_at(1) != Some(b'(') => return Ok(false),
            b'<' | b'>' => self.process_substitution(reading)?,
            b'(' => return self.parenthesis(reading, start),
            b'\'' => self.single_quotes(reading)?,
            b'"' => self.double_quotes(&mut reading.builder, &mut reading.quoted)?,
            b'\\' => self.escape(reading),
            b'$' => self.unquoted_dollar(reading)?,
            b'`' => self.backquotes(&mut reading.builder, Around::Nothing)?,
            other => self.pattern_byte(reading, other),
        }
        Ok(true)
    }

    /// `~` and `~name` at the start of a word.
    fn home(&mut self, reading: &mut Reading) {
        if self.peek() == Some(b'~') {
            self.at += 1;
            let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-_.".contains(byte);
            self.at += self.rest().iter().take_while(|byte| name(byte)).count();
            reading.builder.unknown(false);
        }
    }

    fn parenthesis(&mut self, reading: &mut Reading, start: usize) -> Parsed<bool> {
        if reading.pattern {
            return Ok(false);
        }
        let raw = self.slice(start, self.at);
        if split_assignment(raw).is_some_and(|(_, value)| value == raw.len()) {
            self.array()?;
            reading.builder.unknown(true);
            return Ok(true);
        }
        if reading.builder.tail().ends_with(['?', '*', '+', '@', '!']) || raw.ends_with(['*', '?'])
        {
            return self.fail(Construct::Syntax, start);
        }
        Ok(false)
    }

    /// The elements of an array.
    #[inline(never)]
    fn array(&mut self) -> Parsed {
        if self.dialect == Dialect::Common {
            return self.fail(Construct::Dialect, self.at);
        }
        self.expect(b'(')?;
        self.nested(|parser| {
            loop {
                parser.skip_lines()?;
                if parser.peek() == Some(b')') {
                    return parser.expect(b')');
                }
                if parser.peek() == Some(b'[') {
                    parser.saw_arithmetic("[");
                }
                parser.word()?;
            }
        })
    }

    fn process_substitution(&mut self, reading: &mut Reading) -> Parsed {
        self.at += 2;
        self.commands_in_word(Step::ProcessSubstitution)?;
        reading.builder.unknown(false);
        Ok(())
    }

    #[inline(never)]
    fn single_quotes(&mut self, reading: &mut Reading) -> Parsed {
        let start = self.at + 1;
        let Some(length) = self.text[start..self.end].find('\'') else {
            return self.fail(Construct::Syntax, self.at);
        };
        let text = self.slice(start, start + length);
        self.saw_literal(text);
        reading.builder.push_str(text);
        reading.quoted = true;
        self.at = start + length + 1;
        Ok(())
    }

    /// Reads `"…"`.
    #[inline(never)]
    pub(super) fn double_quotes(&mut self, builder: &mut Builder, quoted: &mut bool) -> Parsed {
        let start = self.at;
        let around = match self.place.last() {
            Some(Step::Alternative) => Around::Other,
            _ => Around::Quotes,
        };
        self.at += 1;
        *quoted = true;
        loop {
            let rest = self.rest();
            let plain = rest.iter().take_while(|byte| !b"\"\\$`".contains(byte));
            let plain = plain.count();
            let text = self.slice(self.at, self.at + plain);
            self.saw_literal(text);
            builder.push_str(text);
            self.at += plain;
            match self.rest() {
                [] => return self.fail(Construct::Syntax, start),
                [b'"', ..] => {
                    self.at += 1;
                    return Ok(());
                }
                [b'\\', b'\n', ..] => self.at += 2,
                [b'\\', byte @ (b'$' | b'`' | b'"' | b'\\'), ..] => {
                    self.saw_literal(self.slice(self.at + 1, self.at + 2));
                    builder.push(char::from(*byte));
                    self.at += 2;
                }
                [b'$', ..] => self.dollar(builder, true)?,
                [b'`', ..] => self.backquotes(builder, around)?,
                [_, behind @ ..] => {
                    if behind.first().is_some_and(u8::is_ascii) {
                        self.saw_literal(self.slice(self.at, self.at + 2));
                    }
                    builder.push('\\');
                    self.at += 1;
                }
            }
        }
    }

    #[inline(never)]
    fn escape(&mut self, reading: &mut Reading) {
        self.at += 1;
        match self.text[self.at..self.end].chars().next() {
            None => reading.builder.push('\\'),
            Some('\n') => self.at += 1,
            Some(char) => {
                self.saw_literal(self.slice(self.at, self.at + char.len_utf8()));
                reading.builder.push(char);
                reading.quoted = true;
                self.at += char.len_utf8();
            }
        }
    }

    #[inline(never)]
    fn unquoted_dollar(&mut self, reading: &mut Reading) -> Parsed {
        match self.peek_at(1) {
            Some(b'\'' | b'"') if self.dialect == Dialect::Common => {
                self.fail(Construct::Dialect, self.at)
            }
            Some(b'\'') => {
                let Some((text, length)) = dollar_single::decode(&self.text[self.at + 2..self.end])
                else {
                    return self.fail(Construct::Syntax, self.at);
                };
                self.saw_literal(&text);
                reading.builder.push_str(&text);
                reading.quoted = true;
                self.at += 2 + length;
                Ok(())
            }
            Some(b'"') => {
                self.at += 1;
                self.double_quotes(&mut Builder::default(), &mut reading.quoted)?;
                reading.builder.unknown(false);
                Ok(())
            }
            _ => self.dollar(&mut reading.builder, false),
        }
    }

    #[inline(never)]
    fn pattern_byte(&mut self, reading: &mut Reading, byte: u8) {
        let range = self.sees("..");
        match byte {
            b'{' => reading.brace = Some(false),
            b',' => reading.brace = reading.brace.map(|_| true),
            b'.' if range => reading.brace = reading.brace.map(|_| true),
            b'}' if reading.brace == Some(true) => reading.expands_braces = true,
            b'[' => reading.bracket = true,
            _ => {}
        }
        match byte {
            b'*' | b'?' => reading.builder.piece(Piece::Glob),
            b']' if reading.bracket => reading.expands_brackets = true,
            other => reading.builder.push(char::from(other)),
        }
        self.at += 1;
    }
}

/// Whether a byte may mean something in a word that is not quoted.
const fn is_special(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\n'
            | b';'
            | b'&'
            | b'|'
            | b'('
            | b')'
            | b'<'
            | b'>'
            | b'\''
            | b'"'
            | b'\\'
            | b'$'
            | b'`'
            | b'*'
            | b'?'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b','
            | b'.'
    )
}
