//! Settings of git: many of them are commands, and others say where commands come from.

use crate::{Construct, Word, parser::Parser};

/// Settings, or the heads of their names, that say nothing about what runs.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "advice.", "author.", "blame.", "branch.", "color.", "column.", "commit.", "committer.",
    "core.abbrev", "core.autocrlf", "core.bare", "core.commentchar", "core.compression", "core.eol",
    "core.excludesfile", "core.filemode", "core.ignorecase", "core.longpaths", "core.precomposeunicode",
    "core.quotepath", "core.safecrlf", "core.symlinks", "core.whitespace", "diff.algorithm",
    "diff.colormoved", "diff.mnemonicprefix", "diff.noprefix", "diff.renames", "feature.", "fetch.",
    "format.pretty", "gc.", "grep.", "help.", "http.postbuffer", "http.sslverify", "index.",
    "init.defaultbranch", "log.", "merge.conflictstyle", "merge.ff", "pack.", "protocol.version", "pull.",
    "push.", "rebase.", "rerere.", "safe.directory", "stash.", "status.", "submodule.recurse", "tag.",
    "user.",
];

/// Settings whose values are commands.
const COMMANDS: [&str; 10] = [
    "core.askpass",
    "core.editor",
    "core.fsmonitor",
    "core.pager",
    "core.sshcommand",
    "credential.helper",
    "diff.external",
    "gpg.program",
    "interactive.difffilter",
    "sequence.editor",
];

impl Parser<'_, '_> {
    /// The value of `-c`.
    pub(super) fn git_setting_argument(&mut self, word: Option<&Word>, part: usize) {
        let text = word.map_or("", Word::head);
        let known = word.is_some_and(|word| word.literal().is_some());
        match text.split_once('=') {
            Some((name, value)) => self.git_setting(name, known.then_some(value), part),
            None if known => self.git_setting(text, Some("true"), part),
            None => self.undecided(Construct::Argument, part),
        }
    }

    /// Looks at what a setting gets; none if its value is not known.
    fn git_setting(&mut self, name: &str, value: Option<&str>, part: usize) {
        let name = name.to_ascii_lowercase();
        if HARMLESS.iter().any(|head| name.starts_with(head)) {
            return;
        }
        let is_command = COMMANDS.contains(&name.as_str()) || name.starts_with("pager.");
        match value {
            Some("" | "true" | "false") => {}
            Some(value) if name.starts_with("alias.") => self.git_alias(value, part),
            Some(value) if is_command => {
                let text = value.strip_prefix('!').unwrap_or(value);
                self.command_in_option(Some(text), part);
            }
            _ => self.undecided(Construct::Argument, part),
        }
    }

    /// An alias is shell text behind `!`, else a subcommand and its arguments.
    fn git_alias(&mut self, value: &str, part: usize) {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b' ';
        match value.strip_prefix('!') {
            Some(text) => self.command_in_option(Some(text), part),
            None if value.bytes().all(plain) => {}
            None => self.undecided(Construct::Argument, part),
        }
    }

    /// `git config NAME VALUE`.
    pub(super) fn git_config(&mut self, rest: &[Word], more: bool, part: usize) {
        let is =
            |word: &Word, heads: &[&str]| heads.iter().any(|head| word.head().starts_with(head));
        if rest.iter().any(|word| {
            is(
                word,
                &["--get", "--unset", "--list", "-l", "--remove-section"],
            )
        }) {
            return;
        }
        let operands = rest.iter().filter(|word| !word.head().starts_with('-'));
        let verbs = [
            "set",
            "get",
            "list",
            "unset",
            "edit",
            "remove-section",
            "rename-section",
        ];
        let operands: Vec<&Word> = operands
            .skip_while(|word| word.literal().is_some_and(|text| verbs.contains(&text)))
            .collect();
        if more {
            self.undecided(Construct::Argument, part);
        }
        // the file of `-f` stands among the operands
        for pair in operands.windows(2) {
            match pair[0].literal() {
                Some(name) => self.git_setting(name, pair[1].literal(), part),
                None => self.undecided(Construct::Argument, part),
            }
        }
    }
}
