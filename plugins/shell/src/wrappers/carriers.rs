//! Programs that are no wrappers but run a command that one of their options names: `tar -I`,
//! `rsync -e`, `sort --compress-program`.

mod table;

use crate::{Construct, Dialect, Piece, Role, Step, Word, parser::Parser};

pub(super) use table::find;

/// What is known of the options of such a program. All others are taken for harmless.
#[derive(Debug)]
pub(super) struct Carrier {
    names: &'static [&'static str],
    /// Letters of options with a value, behind which a word has no more options.
    values: &'static str,
    /// Options whose value is a command: letters, and long names, which may be cut short.
    commands: &'static [&'static str],
    /// Options that make it run something, in a language of its own.
    opaque: &'static [&'static str],
    /// Heads of words that do so too.
    heads: &'static [&'static str],
    /// The first argument may be a cluster of options without a dash.
    old_style: bool,
}

impl Carrier {
    /// A part of a program that is found otherwise.
    pub(super) const fn new(
        values: &'static str,
        commands: &'static [&'static str],
        opaque: &'static [&'static str],
    ) -> Self {
        Self {
            names: &[],
            values,
            commands,
            opaque,
            heads: &[],
            old_style: false,
        }
    }
}

impl Parser<'_, '_> {
    /// Adds the commands in the options of a program. `more`: other arguments follow.
    pub(super) fn carrier(
        &mut self,
        carrier: &Carrier,
        arguments: &[Word],
        more: bool,
        part: usize,
    ) -> Role {
        if more {
            self.undecided(Construct::Argument, part);
        }
        let mut at = 0;
        while let Some(word) = arguments.get(at) {
            at += 1;
            let text = word.head();
            let known = word.literal().is_some();
            if text == "--" && known {
                break;
            }
            let next = arguments.get(at);
            let took_next = if carrier.heads.iter().any(|head| text.starts_with(head)) {
                self.undecided(Construct::Argument, part);
                false
            } else if let Some(long) = text.strip_prefix("--") {
                self.long_carrier(carrier, long, word, next, part)
            } else if let Some(letters) = text.strip_prefix('-') {
                self.letters(carrier, letters, word, next, part)
            } else if carrier.old_style && at == 1 && known {
                // the values of all letters stand in the words behind
                let runs = |name: &&str| name.len() == 1 && text.contains(name);
                if carrier.commands.iter().any(runs) {
                    self.undecided(Construct::Argument, part);
                }
                at += text
                    .chars()
                    .filter(|letter| carrier.values.contains(*letter))
                    .count();
                false
            } else {
                self.operand(carrier, word, part);
                false
            };
            at += usize::from(took_next);
        }
        Role::Program
    }

    fn operand(&mut self, carrier: &Carrier, word: &Word, part: usize) {
        let text = word.head();
        let plus = text
            .strip_prefix('+')
            .filter(|_| carrier.opaque.contains(&"+"));
        let line = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let command = plus.is_some_and(|behind| word.literal().is_none() || !line(behind));
        if command || may_be_an_option(word) {
            self.undecided(Construct::Argument, part);
        }
    }

    /// A word with a long option; whether the next word is its value.
    fn long_carrier(
        &mut self,
        carrier: &Carrier,
        long: &str,
        word: &Word,
        next: Option<&Word>,
        part: usize,
    ) -> bool {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        let known = word.literal().is_some();
        if !known && value.is_none() {
            self.undecided(Construct::Argument, part);
            return false;
        }
        let means = |option: &&&str| option.len() > 1 && option.starts_with(name);
        if let Some(option) = carrier.opaque.iter().find(means) {
            let value = match value {
                Some(value) => known.then_some(value),
                None => next.and_then(Word::literal),
            };
            if !is_harmless(option, value) {
                self.undecided(Construct::Argument, part);
            }
            return false;
        }
        if !carrier.commands.iter().any(|option| means(&option)) {
            return false;
        }
        match value {
            Some(value) => self.command_in_option(known.then_some(value), part),
            None => self.command_in_option(next.and_then(Word::literal), part),
        }
        value.is_none()
    }

    /// A word with options of one letter; whether the next word is the value of the last one.
    fn letters(
        &mut self,
        carrier: &Carrier,
        letters: &str,
        word: &Word,
        next: Option<&Word>,
        part: usize,
    ) -> bool {
        let known = word.literal().is_some();
        for (index, letter) in letters.char_indices() {
            let name = &letters[index..index + letter.len_utf8()];
            let attached = &letters[index + letter.len_utf8()..];
            let is_last = attached.is_empty() && known;
            let value = match is_last {
                true => next.and_then(Word::literal),
                false => known.then_some(attached),
            };
            if carrier.commands.contains(&name) {
                self.command_in_option(value, part);
                return is_last;
            }
            if carrier.opaque.contains(&name) && !is_harmless(name, value) {
                self.undecided(Construct::Argument, part);
            }
            if carrier.values.contains(letter) {
                return is_last;
            }
        }
        if !known {
            self.undecided(Construct::Argument, part);
        }
        false
    }

    /// Adds the commands of an option's value.
    pub(super) fn command_in_option(&mut self, text: Option<&str>, part: usize) {
        match text {
            Some(text) => self.inner(text, Dialect::Common, Step::Text, part, true),
            None => self.undecided(Construct::Text, part),
        }
    }
}

/// Whether a word whose start is known only at run time may be an option. Names of files that a
/// glob finds are taken for operands.
pub(super) fn may_be_an_option(word: &Word) -> bool {
    match word {
        Word::Literal(_) => false,
        Word::Mixed(pieces) => {
            matches!(pieces.first(), Some(Piece::Unknown { .. })) || word.splits()
        }
    }
}

/// Whether an option runs nothing with this value; none if it is not known.
fn is_harmless(option: &str, value: Option<&str>) -> bool {
    let Some(value) = value.map(str::to_ascii_lowercase) else {
        return false;
    };
    match option {
        "checkpoint-action" => !value.contains("exec"),
        "o" => {
            !value.contains("command") && !value.contains("include") && !value.contains("provider")
        }
        _ => false,
    }
}
