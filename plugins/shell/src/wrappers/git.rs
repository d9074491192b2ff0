//! git, which runs commands that its options and its config name.

mod setting;

use super::carriers::{Carrier, may_be_an_option};
use crate::{Construct, Role, Step, Word, Words, parser::Parser};

const REBASE: Carrier = Carrier::new("Cs", &["x", "exec"], &[]);
const DIFFTOOL: Carrier = Carrier::new("t", &["x", "extcmd"], &[]);
const GREP: Carrier = Carrier::new("ABCefm", &[], &["O", "open-files-in-pager"]);
const CLONE: Carrier = Carrier::new("bjo", &["u", "upload-pack"], &["c", "config", "template"]);
const INIT: Carrier = Carrier::new("b", &[], &["template"]);
const TRANSFER: Carrier = Carrier::new("jo", &["upload-pack", "receive-pack", "exec"], &[]);

/// Subcommands that run what configs, servers or scripts say.
const OPAQUE: [&str; 12] = [
    "daemon",
    "filter-branch",
    "filter-repo",
    "for-each-repo",
    "http-backend",
    "instaweb",
    "p4",
    "remote-ext",
    "remote-fd",
    "send-email",
    "svn",
    "web--browse",
];

impl Parser<'_, '_> {
    pub(super) fn git(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        let Some(at) = self.git_options(arguments, part) else {
            return Role::Program;
        };
        let Some(subcommand) = arguments.get(at) else {
            if words.more() {
                self.undecided(Construct::Argument, part);
            }
            return Role::Program;
        };
        match subcommand.literal() {
            Some(subcommand) => self.git_command(subcommand, at + 1, arguments, words, part),
            None => self.undecided(Construct::Argument, part),
        }
        Role::Program
    }

    /// Reads the options before the subcommand, and gives its index; none if it can't be told.
    fn git_options(&mut self, arguments: &[Word], part: usize) -> Option<usize> {
        let mut at = 0;
        while let Some(word) = arguments.get(at) {
            let text = word.head();
            if word.literal().is_none() && (text.is_empty() || text.starts_with('-')) {
                self.undecided(Construct::Argument, part);
                return None;
            }
            match text {
                "-c" => {
                    self.git_setting_argument(arguments.get(at + 1), part);
                    at += 1;
                }
                "-C" | "--work-tree" | "--namespace" | "--attr-source" => {
                    if !arguments.get(at + 1).is_none_or(Word::is_single) {
                        self.undecided(Construct::Argument, part);
                    }
                    at += 1;
                }
                "-p"
                | "--paginate"
                | "-P"
                | "--no-pager"
                | "--bare"
                | "--no-replace-objects"
                | "--help"
                | "--literal-pathspecs"
                | "--glob-pathspecs"
                | "--noglob-pathspecs"
                | "--icase-pathspecs"
                | "--no-optional-locks"
                | "--no-lazy-fetch"
                | "--no-advice"
                | "--version"
                | "--exec-path"
                | "--html-path"
                | "--man-path"
                | "--info-path"
                | "-h"
                | "-v" => {}
                _ if text.starts_with("--work-tree=") || text.starts_with("--namespace=") => {}
                _ if text.starts_with('-') => {
                    self.undecided(Construct::Option, part);
                    return None;
                }
                _ => return Some(at),
            }
            at += 1;
        }
        Some(at)
    }

    fn git_command(
        &mut self,
        subcommand: &str,
        start: usize,
        arguments: &[Word],
        words: &Words,
        part: usize,
    ) {
        let rest = arguments.get(start..).unwrap_or_default();
        let carrier = match subcommand {
            "rebase" => &REBASE,
            "difftool" | "mergetool" => &DIFFTOOL,
            "grep" => &GREP,
            "clone" => &CLONE,
            "init" => &INIT,
            "fetch" | "pull" | "push" | "ls-remote" | "archive" | "fetch-pack" | "send-pack"
            | "remote" => &TRANSFER,
            "bisect" => return self.git_bisect(start, arguments, words, part),
            "submodule" => return self.git_submodule(rest, part),
            "config" => return self.git_config(rest, words.more(), part),
            _ if OPAQUE.contains(&subcommand) => return self.undecided(Construct::Argument, part),
            _ => return,
        };
        if rest.iter().any(|word| word.head().contains("ext::")) {
            self.undecided(Construct::Argument, part);
        }
        self.carrier(carrier, rest, words.more(), part);
    }

    /// `git bisect run COMMAND`.
    fn git_bisect(&mut self, start: usize, arguments: &[Word], words: &Words, part: usize) {
        match arguments.get(start).map(Word::literal) {
            Some(Some("run")) => self.wrapped(words, start + 1..arguments.len(), false, part),
            Some(None) => self.undecided(Construct::Argument, part),
            _ => {}
        }
    }

    /// `git submodule foreach COMMAND`, which a shell runs.
    fn git_submodule(&mut self, rest: &[Word], part: usize) {
        if rest.iter().take(2).any(may_be_an_option)
            || rest.iter().any(|word| word.head().contains("ext::"))
        {
            return self.undecided(Construct::Argument, part);
        }
        let Some(at) = rest
            .iter()
            .position(|word| word.literal() == Some("foreach"))
        else {
            return;
        };
        let mut command = &rest[at + 1..];
        while let Some("--recursive" | "-q" | "--quiet" | "--") =
            command.first().and_then(Word::literal)
        {
            command = &command[1..];
        }
        self.joined(command, Step::Text, part, true);
    }
}
