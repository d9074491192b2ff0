//! `find -exec`.

use crate::{Construct, Operator, Redirection, Role, Word, Words, parser::Parser};

impl Parser<'_, '_> {
    pub(super) fn find(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        // one word of an expansion could be -exec, and the next ones a command
        if words.more() || arguments.iter().any(Word::splits) {
            self.undecided(Construct::Program, part);
        }
        self.files_of_find(arguments, part);
        if hides_an_exec(arguments) {
            self.undecided(Construct::Argument, part);
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

impl Parser<'_, '_> {
    /// Where `-fprint` and its kin write to.
    fn files_of_find(&mut self, arguments: &[Word], part: usize) {
        for pair in arguments.windows(2) {
            if matches!(
                pair[0].literal(),
                Some("-fprint" | "-fprint0" | "-fprintf" | "-fls")
            ) {
                self.sink.parts[part].redirections.push(Redirection {
                    operator: Operator::Write,
                    descriptor: None,
                    target: pair[1].clone(),
                });
            }
        }
    }
}

fn is_exec(word: &Word) -> bool {
    matches!(
        word.literal(),
        Some("-exec" | "-execdir" | "-ok" | "-okdir")
    )
}

/// Whether a word that is known only at run time may be `-exec`: words of a command and its end
/// follow.
fn hides_an_exec(arguments: &[Word]) -> bool {
    let ends = |word: &Word| matches!(word.literal(), Some(";" | "+"));
    let mut rest = arguments;
    while let Some((word, behind)) = rest.split_first() {
        if is_exec(word) {
            let end = behind.iter().position(ends).unwrap_or(behind.len());
            rest = &behind[end..];
            continue;
        }
        let hidden = word.literal().is_none() && ["", "-"].contains(&word.head())
            || word.literal().is_none() && "-execdir -okdir".contains(word.head());
        let names_a_program = behind
            .first()
            .is_some_and(|next| !next.head().starts_with(['-', '(', '!']));
        if hidden && names_a_program && behind.iter().any(ends) {
            return true;
        }
        rest = behind;
    }
    false
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
