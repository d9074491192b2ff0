//! `env`, and assignments in front of a command.

use super::options::{Options, Scanned};
use crate::{Assignment, Construct, Role, Word, Words, parser::Parser};

const OPTIONS: Options = Options {
    flags: "i0v",
    values: "uCSa",
    optional: "",
    long_flags: &[
        "ignore-environment",
        "null",
        "debug",
        "block-signal",
        "default-signal",
        "ignore-signal",
        "list-signal-handling",
        "help",
        "version",
    ],
    long_values: &["unset", "chdir", "split-string", "argv0"],
};

impl Parser<'_, '_> {
    pub(super) fn environment(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        let Some(scanned) = OPTIONS.scan(arguments) else {
            self.undecided(Construct::Option, part);
            return Role::Wrapper;
        };
        let mut start = scanned.operand;
        // a lone dash is `-i`
        if arguments.get(start).and_then(Word::literal) == Some("-") {
            start += 1;
        }
        self.unsets(&scanned, part);
        let start = self.assignments(arguments, start, part);
        let split = scanned
            .given
            .iter()
            .find(|given| matches!(given.0, "S" | "split-string"));
        if let Some((_, text)) = split {
            self.split_string(*text, &arguments[start..], part);
        } else if start < arguments.len() || words.more() {
            self.wrapped(words, start..arguments.len(), false, part);
        } else {
            return Role::Program;
        }
        Role::Wrapper
    }

    fn unsets(&mut self, scanned: &Scanned<'_>, part: usize) {
        for (option, value) in &scanned.given {
            if matches!(*option, "u" | "unset") {
                let text = value.and_then(Word::literal).unwrap_or("PATH");
                if text.ends_with("PATH") {
                    self.sink.undecidable(Construct::Variable, text, Some(part));
                }
            }
        }
    }

    /// Takes note of assignments from an operand on; the index of what follows them.
    pub(super) fn assignments(&mut self, arguments: &[Word], start: usize, part: usize) -> usize {
        let mut at = start;
        while let Some(word) = arguments.get(at) {
            // any text may be a name here
            let Some(value) = word.head().find('=').map(|equals| equals + 1) else {
                break;
            };
            let name = &word.head()[..value - 1];
            if word.splits() {
                self.undecided(Construct::Program, part);
            }
            let value = match word.literal() {
                Some(text) => Word::Literal(text[value..].to_owned()),
                None => Word::unknown(false),
            };
            let assignment = Assignment {
                name: name.to_owned(),
                value,
            };
            self.judge_variable(&assignment, part);
            self.sink.parts[part].assignments.push(assignment);
            at += 1;
        }
        at
    }

    /// `env -S TEXT` splits a text by rules of its own; only the plainest is understood.
    fn split_string(&mut self, text: Option<&Word>, rest: &[Word], part: usize) {
        let text = text.and_then(Word::literal).map(|text| {
            let text = text.strip_prefix("-S").unwrap_or(text);
            text.strip_prefix("--split-string=").unwrap_or(text)
        });
        let plain = |text: &&str| {
            text.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b" _-./=:,+@%".contains(&byte))
        };
        let Some(text) = text.filter(plain) else {
            return self.undecided(Construct::Text, part);
        };
        let split = text.split_ascii_whitespace();
        let mut words: Vec<Word> = split.map(|word| Word::Literal(word.to_owned())).collect();
        words.extend(rest.iter().cloned());
        let start = self.assignments(&words, 0, part);
        if words
            .get(start)
            .is_some_and(|word| word.head().starts_with('-'))
        {
            return self.undecided(Construct::Option, part);
        }
        words.drain(..start);
        self.add_wrapped(Words::new(words), part);
    }
}
