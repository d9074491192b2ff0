//! Arithmetic, of which nothing matters but the substitutions in it.

use super::{Parsed, Parser, expansion::Around};
use crate::{Construct, word::Builder};

/// How many bytes an expression may have. Each is looked at once more for every expression around.
const EXPRESSION_BYTES: usize = 1024;

impl Parser<'_, '_> {
    /// Reads `((…))`, which starts here; false and nothing read if it is no arithmetic but a
    /// subshell in a subshell.
    #[inline(never)]
    pub(super) fn arithmetic(&mut self) -> Parsed<bool> {
        let start = self.at;
        let Some(end) = self.arithmetic_end()? else {
            return Ok(false);
        };
        let text = self.slice(start + 2, end);
        if has_words_side_by_side(text) {
            return self.fail(Construct::Syntax, start);
        }
        if text
            .bytes()
            .any(|byte| byte.is_ascii_alphabetic() || b"$`_".contains(&byte))
        {
            self.saw_arithmetic(text);
        }
        self.at = start + 2;
        let outer_end = self.end;
        self.end = end;
        self.nested(Self::arithmetic_expansions)?;
        self.end = outer_end;
        self.at = end + 2;
        Ok(true)
    }

    /// Where the `))` is. Text with quotes is not understood: whether they quote depends on the
    /// shell.
    #[inline(never)]
    fn arithmetic_end(&mut self) -> Parsed<Option<usize>> {
        let bytes = self.rest();
        let mut depth = 0_usize;
        for (index, byte) in bytes.iter().enumerate().take(EXPRESSION_BYTES).skip(2) {
            match byte {
                b'(' => depth += 1,
                b')' if depth > 0 => depth -= 1,
                b')' => {
                    let closes = bytes.get(index + 1) == Some(&b')');
                    return Ok(closes.then_some(self.at + index));
                }
                b'\'' | b'"' | b'\\' | b'#' if !is_base(bytes, index) => {
                    // a subshell may have quotes, and what is not closed is no arithmetic
                    return match looks_like_commands(&bytes[2..index]) {
                        true => Ok(None),
                        false => self.fail(Construct::Syntax, self.at),
                    };
                }
                _ => {}
            }
        }
        self.fail(Construct::Syntax, self.at)
    }

    fn arithmetic_expansions(&mut self) -> Parsed {
        let mut builder = Builder::default();
        while let Some(byte) = self.peek() {
            match byte {
                b'$' => self.dollar(&mut builder, true)?,
                b'`' => self.backquotes(&mut builder, Around::Other)?,
                _ => self.at += 1,
            }
        }
        Ok(())
    }

    /// Takes note of arithmetic on variables.
    pub(crate) fn saw_arithmetic(&mut self, text: &str) {
        if self.sink.arithmetic.is_none() {
            self.sink.arithmetic = Some(text.to_owned());
        }
    }

    /// As [`Self::saw_literal`], of one byte.
    pub(super) fn saw_byte(&mut self, byte: u8) {
        self.sink.bracket |= byte == b'[';
        self.sink.dollar |= matches!(byte, b'$' | b'`');
    }

    /// Takes note of literal text that arithmetic might run if a variable got it as its value, in
    /// one piece or put together from several.
    pub(crate) fn saw_literal(&mut self, text: &str) {
        self.sink.bracket |= text.contains('[');
        self.sink.dollar |= text.contains(['$', '`']);
        // what `printf` and its kin make of it
        let mut escaped = text.split('\\').skip(1);
        let makes_any = |behind: &str| {
            behind.starts_with(|char: char| char.is_ascii_digit() || "xuU".contains(char))
        };
        let makes_any = escaped.any(makes_any);
        self.sink.bracket |= makes_any;
        self.sink.dollar |= makes_any;
    }
}

/// Whether a `#` stands in a number with a base, or in `${#name}`.
fn is_base(bytes: &[u8], index: usize) -> bool {
    let before = bytes[index - 1];
    bytes[index] == b'#' && (before.is_ascii_digit() || before == b'{' || before == b'$')
}

/// Whether text of which quotes follow can't be an expression.
fn looks_like_commands(bytes: &[u8]) -> bool {
    has_words_side_by_side(&String::from_utf8_lossy(bytes))
        || bytes.first().is_some_and(|byte| b" \t\n".contains(byte)) && bytes.contains(&b' ')
}

/// Whether two names or numbers stand side by side, as in no expression. What stands in an
/// expansion is not part of the expression.
fn has_words_side_by_side(text: &str) -> bool {
    let mut level = 0_usize;
    let mut expansion: Option<usize> = None;
    let (mut in_word, mut word_ended, mut dollar) = (false, false, false);
    for byte in text.bytes() {
        match byte {
            b'(' | b'{' => {
                if dollar && expansion.is_none() {
                    expansion = Some(level);
                }
                level += 1;
            }
            b')' | b'}' => {
                level = level.saturating_sub(1);
                if expansion == Some(level) {
                    expansion = None;
                }
            }
            _ => {}
        }
        let word = byte.is_ascii_alphanumeric() || byte == b'_';
        if expansion.is_none() && word && word_ended {
            return true;
        }
        word_ended = (in_word || word_ended) && b" \t\n".contains(&byte);
        in_word = word;
        dollar = byte == b'$';
    }
    false
}
