//! Commands with a grammar of their own whose operands or options are shell text: `ssh`, `su`,
//! `flock`, `script`.

use super::options::{Options, Scanned};
use crate::{Construct, Dialect, Role, Step, Word, Words, parser::Parser};

const SSH: Options = Options {
    flags: "46AaCfGgKkMNnqsTtVvXxYy",
    values: "BbcDEeFIiJLlmOoPpQRSWw",
    optional: "",
    long_flags: &[],
    long_values: &[],
};

const SU: Options = Options {
    flags: "lmpP",
    values: "cgGsuw",
    optional: "",
    long_flags: &["login", "preserve-environment", "pty", "help", "version"],
    long_values: &["command", "group", "supp-group", "shell", "user"],
};

const FLOCK: Options = Options {
    flags: "sxeunoFv",
    values: "wEc",
    optional: "",
    long_flags: &[
        "shared",
        "exclusive",
        "unlock",
        "nonblock",
        "nb",
        "close",
        "no-fork",
        "verbose",
        "help",
        "version",
    ],
    long_values: &["timeout", "wait", "conflict-exit-code", "command"],
};

const SCRIPT: Options = Options {
    flags: "aefqr",
    values: "cIOBToEm",
    optional: "t",
    long_flags: &[
        "append", "return", "flush", "force", "quiet", "help", "version",
    ],
    long_values: &["command", "echo", "output-limit"],
};

impl Parser<'_, '_> {
    /// `ssh HOST COMMAND`: the words are joined and a shell of the host runs them.
    pub(super) fn remote(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        let Some(scanned) = SSH.scan(arguments) else {
            self.undecided(Construct::Option, part);
            return Role::Program;
        };
        let runs = |(name, value): &(&str, Option<&Word>)| {
            let text = value.map_or("", |value| value.head()).to_ascii_lowercase();
            let known = value.is_some_and(|value| value.literal().is_some());
            let harmless = known && !text.contains("command") && !text.contains("include");
            *name == "F" || *name == "o" && !harmless
        };
        if scanned.given.iter().any(runs) {
            self.undecided(Construct::Option, part);
        }
        // options may stand behind the host as well
        let rest = arguments.get(scanned.operand + 1..).unwrap_or_default();
        let Some(behind) = SSH.scan(rest) else {
            self.undecided(Construct::Text, part);
            return Role::Program;
        };
        if behind.given.iter().any(runs) {
            self.undecided(Construct::Option, part);
        }
        if words.more() {
            self.undecided(Construct::Text, part);
        }
        let command = &rest[behind.operand..];
        if !command.is_empty() {
            self.joined(command, Step::Text, part, true);
        }
        Role::Program
    }

    /// `su USER -c TEXT` and `runuser -u USER COMMAND`.
    pub(super) fn switch_user(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        let Some((given, operands)) = permuted(&SU, arguments) else {
            self.undecided(Construct::Option, part);
            return Role::Program;
        };
        self.command_option(&given, part);
        if words.more() {
            self.undecided(Construct::Text, part);
        }
        if given.has(&["u", "user"]) {
            let start = given.operand;
            self.wrapped(words, start..arguments.len(), false, part);
        } else if operands.len() > 1 && !given.has(&["c", "command"]) {
            // what follows the user goes to the user's shell as it is
            self.undecided(Construct::Text, part);
        }
        Role::Program
    }

    /// `flock FILE COMMAND` and `flock FILE -c TEXT`.
    pub(super) fn lock(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        let Some(scanned) = FLOCK.scan(arguments) else {
            self.undecided(Construct::Option, part);
            return Role::Program;
        };
        let start = scanned.operand + 1;
        let rest = arguments.get(start..).unwrap_or_default();
        match rest.first().map(Word::literal) {
            None if words.more() => self.undecided(Construct::Program, part),
            None => {}
            Some(Some("-c" | "--command")) => self.joined(&rest[1..], Step::Text, part, true),
            Some(_) => self.wrapped(words, start..arguments.len(), false, part),
        }
        Role::Program
    }

    /// `script -c TEXT`.
    pub(super) fn typescript(&mut self, arguments: &[Word], part: usize) -> Role {
        match permuted(&SCRIPT, arguments) {
            Some((given, _)) if given.has(&["c", "command"]) => self.command_option(&given, part),
            Some(_) => self.undecided(Construct::Input, part),
            None => self.undecided(Construct::Option, part),
        }
        Role::Program
    }

    /// Adds the commands of the value of `-c`.
    fn command_option(&mut self, given: &Scanned<'_>, part: usize) {
        let options = given.given.iter();
        for (name, value) in options.filter(|option| matches!(option.0, "c" | "command")) {
            let text = value.and_then(Word::literal);
            let own = text.is_none_or(|text| text.starts_with('-'));
            match text {
                Some(text) if !own => self.inner(text, Dialect::Common, Step::Text, part, true),
                Some(text) => match text.split_once(if *name == "c" { "c" } else { "=" }) {
                    Some((_, text)) => self.inner(text, Dialect::Common, Step::Text, part, true),
                    None => self.undecided(Construct::Text, part),
                },
                None => self.undecided(Construct::Text, part),
            }
        }
    }
}

/// Reads options that may stand behind operands too.
fn permuted<'a>(options: &Options, arguments: &'a [Word]) -> Option<(Scanned<'a>, Vec<&'a Word>)> {
    let mut all = options.scan(arguments)?;
    let mut operands = Vec::new();
    let first = all.operand;
    let mut at = first;
    while let Some(word) = arguments.get(at) {
        let text = word.head();
        if text.starts_with('-') && text.len() > 1 {
            let scanned = options.scan(&arguments[at..])?;
            all.given.extend(scanned.given);
            at += scanned.operand;
        } else {
            operands.push(word);
            at += 1;
        }
    }
    Some((all, operands))
}
