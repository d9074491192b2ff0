//! `xargs` and `parallel`.

use super::{find::fill, options::Options};
use crate::{Construct, Role, Step, Word, Words, parser::Parser};

const XARGS: Options = Options {
    flags: "0trxpo",
    values: "InPLsdaE",
    optional: "ile",
    long_flags: &[
        "null",
        "verbose",
        "no-run-if-empty",
        "exit",
        "interactive",
        "open-tty",
        "replace",
        "eof",
        "max-lines",
        "help",
        "version",
    ],
    long_values: &[
        "arg-file",
        "delimiter",
        "max-args",
        "max-chars",
        "max-procs",
        "process-slot-var",
    ],
};

const PARALLEL: Options = Options {
    flags: "0kXmu",
    values: "jnNPd",
    optional: "",
    long_flags: &[
        "null",
        "keep-order",
        "will-cite",
        "bar",
        "progress",
        "ungroup",
        "line-buffer",
        "dry-run",
        "tag",
    ],
    long_values: &[
        "jobs",
        "max-args",
        "max-procs",
        "halt",
        "retries",
        "timeout",
        "delay",
    ],
};

impl Parser<'_, '_> {
    pub(super) fn xargs(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        let Some(scanned) = XARGS.scan(arguments) else {
            self.undecided(Construct::Option, part);
            return Role::Wrapper;
        };
        let range = scanned.operand..arguments.len();
        let Some(placeholder) = placeholder(&scanned.given) else {
            // without a command it is `echo`
            if !range.is_empty() || words.more() {
                self.wrapped(words, range, true, part);
            }
            return Role::Wrapper;
        };
        let filled = arguments[range].iter();
        let filled: Vec<Word> = filled.map(|word| fill(word, &placeholder)).collect();
        self.add_wrapped(Words::new(filled), part);
        Role::Wrapper
    }

    pub(super) fn parallel(&mut self, arguments: &[Word], part: usize) -> Role {
        let Some(scanned) = PARALLEL.scan(arguments) else {
            self.undecided(Construct::Option, part);
            return Role::Wrapper;
        };
        let rest = &arguments[scanned.operand..];
        let source = |word: &Word| word.literal().is_some_and(|text| text.starts_with(":::"));
        let command = &rest[..rest.iter().position(source).unwrap_or(rest.len())];
        // a placeholder inside a text would become shell text
        let composed = |word: &Word| {
            word.literal()
                .is_some_and(|text| text.contains('{') && text.contains([' ', ';', '&', '|', '`']))
        };
        let first_filled = command
            .first()
            .is_some_and(|word| word.head().contains('{'));
        if command.is_empty() || first_filled || command.iter().any(composed) {
            self.undecided(Construct::Program, part);
        } else {
            self.joined(command, Step::Text, part, true);
        }
        Role::Wrapper
    }
}

/// What `-I` says is replaced in the command.
fn placeholder(given: &[super::options::Given<'_>]) -> Option<String> {
    let (name, value) = given
        .iter()
        .rfind(|(name, _)| matches!(*name, "I" | "i" | "replace"))?;
    let text = value.and_then(Word::literal).unwrap_or_default();
    let text = match *name {
        "replace" => text.strip_prefix("--replace=").unwrap_or_default(),
        _ if text.starts_with('-') => text.split_once(*name).map_or("", |(_, text)| text),
        _ => text,
    };
    Some(if text.is_empty() { "{}" } else { text }.to_owned())
}
