//! `fd -x`.

use super::{carriers::may_be_an_option, find::fill};
use crate::{Construct, Role, Word, Words, parser::Parser};

impl Parser<'_, '_> {
    pub(super) fn fd(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        if words.more() {
            self.undecided(Construct::Argument, part);
        }
        let mut rest = arguments;
        while let Some((word, behind)) = rest.split_first() {
            rest = behind;
            if may_be_an_option(word) || hides_a_command(word) {
                self.undecided(Construct::Argument, part);
            } else if is_exec(word) {
                let end = rest.iter().position(|word| word.literal() == Some(";"));
                let command = &rest[..end.unwrap_or(rest.len())];
                let filled: Vec<Word> = command.iter().map(|word| fill(word, "{}")).collect();
                // without a placeholder the path follows
                let count = filled.len();
                self.add_wrapped(Words::new(filled).part(0..count, true), part);
                rest = &rest[command.len()..];
            }
        }
        Role::Program
    }
}

/// `-x`, alone or behind other letters.
fn is_exec(word: &Word) -> bool {
    let Some(text) = word.literal() else {
        return false;
    };
    let letters = text
        .strip_prefix('-')
        .filter(|letters| !letters.starts_with('-'));
    matches!(text, "--exec" | "--exec-batch")
        || letters.is_some_and(|letters| letters.ends_with(['x', 'X']))
}

/// An option with a command in its own word.
fn hides_a_command(word: &Word) -> bool {
    let text = word.head();
    let letters = text
        .strip_prefix('-')
        .filter(|letters| !letters.starts_with('-'));
    let valued = |letters: &str| letters.starts_with(['e', 'E', 'd', 'g', 't', 'S', 'o', 'c', 'j']);
    text.starts_with("--exec=")
        || text.starts_with("--exec-batch=")
        || letters.is_some_and(|letters| {
            !valued(letters) && letters.contains(['x', 'X']) && !letters.ends_with(['x', 'X'])
        })
}
