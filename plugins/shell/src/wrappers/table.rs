//! Commands whose operands are a command, by their options.

mod judged;
mod mere;

use super::options::Options;
use crate::{Construct, Role, Step, Word, Words, parser::Parser};

/// A command of the table.
#[derive(Debug)]
pub(super) struct Entry {
    names: &'static [&'static str],
    pub(super) options: Options,
    /// How many operands stand before the command.
    before: usize,
    /// What the command is to the policy: a mere wrapper, or a program that needs a permission.
    role: Role,
    /// Options with which it runs nothing.
    idle: &'static [&'static str],
    /// Options with which a shell gets the operands as a text.
    text: &'static [&'static str],
    /// Whether a shell always does.
    always_text: bool,
    /// Whether assignments may stand before the command.
    assignments: bool,
}

const NONE: Entry = Entry {
    names: &[],
    options: Options {
        flags: "",
        values: "",
        optional: "",
        long_flags: &["help", "version"],
        long_values: &[],
    },
    before: 0,
    role: Role::Wrapper,
    idle: &["help", "version"],
    text: &[],
    always_text: false,
    assignments: false,
};

macro_rules! options {
    ($flags:literal, $values:literal, $optional:literal, $long_flags:expr, $long_values:expr) => {
        Options {
            flags: $flags,
            values: $values,
            optional: $optional,
            long_flags: &$long_flags,
            long_values: &$long_values,
        }
    };
}

use options;

pub(super) fn find(name: &str) -> Option<&'static Entry> {
    let mut entries = mere::MERE.iter().chain(judged::JUDGED);
    entries.find(|entry| entry.names.contains(&name))
}

/// Whether a program runs what its input, its options or a file says, in ways of its own.
pub(super) fn is_opaque(name: &str) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 22] = [
        "at", "batch", "bwrap", "crontab", "ed", "ex", "expect", "firejail", "gdb", "lldb", "perf",
        "prlimit", "proot", "red", "run-parts", "screen", "setarch", "sg", "socat",
        "start-stop-daemon", "systemd-run", "tmux",
    ];
    NAMES.binary_search(&name).is_ok()
}

impl Parser<'_, '_> {
    pub(super) fn by_table(
        &mut self,
        entry: &Entry,
        arguments: &[Word],
        words: &Words,
        part: usize,
    ) -> Role {
        let Some(scanned) = entry.options.scan(arguments) else {
            self.undecided(Construct::Option, part);
            return entry.role;
        };
        if scanned.has(entry.idle) {
            return match entry.role {
                Role::Wrapper => Role::Builtin,
                role => role,
            };
        }
        let mut start = scanned.operand;
        if entry.assignments {
            start = self.assignments(arguments, start, part);
        }
        let Some(skipped) = arguments
            .get(start..)
            .and_then(|rest| rest.get(..entry.before))
        else {
            return self.alone(entry, words, part);
        };
        if !skipped.iter().all(Word::is_single) {
            self.undecided(Construct::Program, part);
            return entry.role;
        }
        start += entry.before;
        if start == arguments.len() {
            return self.alone(entry, words, part);
        }
        let text = scanned.has(entry.text) || entry.always_text && !scanned.has(&["x", "exec"]);
        match text {
            true if words.more() => self.undecided(Construct::Text, part),
            true => self.joined(&arguments[start..], Step::Text, part, true),
            false => self.wrapped(words, start..arguments.len(), false, part),
        }
        entry.role
    }

    /// A wrapper without a command.
    fn alone(&mut self, entry: &Entry, words: &Words, part: usize) -> Role {
        if words.more() {
            self.undecided(Construct::Program, part);
            return entry.role;
        }
        // `exec > file` is for its redirections alone
        match entry.names {
            ["exec" | "command"] => Role::Builtin,
            _ => Role::Program,
        }
    }
}
