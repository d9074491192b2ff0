//! `find -exec`.

use crate::{Construct, Role, Word, Words, parser::Parser};

impl Parser<'_, '_> {
    pub(super) fn find(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        // one word of an expansion could be -exec, and the next ones a command
        if words.more() || arguments.iter().any(Word::splits) {
            self.undecided(Construct::Program, part);
        }
        let mut rest = arguments;
        while let Some(start) = rest.iter().position(is_exec) {
            rest = &rest[start + 1..];
            let Some(length) = command_length(rest) else {
                self.undecided(Construct::Syntax, part);
                break;
            };
            let words = rest[..length].iter().map(|word| fill(word, "{}"));
            self.add_wrapped(Words::new(words.collect()), part);
            rest = &rest[length + 1..];
        }
        Role::Program
    }
}

fn is_exec(word: &Word) -> bool {
    matches!(
        word.literal(),
        Some("-exec" | "-execdir" | "-ok" | "-okdir")
    )
}

/// How many words there are up to `;`, or `+` behind `{}`.
fn command_length(words: &[Word]) -> Option<usize> {
    let mut before = None;
    words.iter().position(|word| {
        let text = word.literal();
        let ends = text == Some(";") || (text == Some("+") && before == Some("{}"));
        before = text;
        ends
    })
}

/// A word in which something is put in the place of `placeholder` at run time.
pub(super) fn fill(word: &Word, placeholder: &str) -> Word {
    match word.literal() {
        Some(text) if text.contains(placeholder) => {
            let mut builder = crate::word::Builder::default();
            for (index, piece) in text.split(placeholder).enumerate() {
                if index > 0 {
                    builder.unknown(false);
                }
                builder.push_str(piece);
            }
            builder.build()
        }
        _ => word.clone(),
    }
}
