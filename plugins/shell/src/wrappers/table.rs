//! Commands whose operands are a command, by their options.

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

const TABLE: &[Entry] = &[
    Entry {
        names: &["nohup", "builtin", "noglob", "nocorrect"],
        ..NONE
    },
    Entry {
        names: &["command"],
        options: options!("pvV", "", "", [], []),
        idle: &["v", "V"],
        ..NONE
    },
    Entry {
        names: &["exec"],
        options: options!("cl", "a", "", [], []),
        ..NONE
    },
    Entry {
        names: &["nice"],
        options: options!("0123456789", "n", "", ["help", "version"], ["adjustment"]),
        ..NONE
    },
    Entry {
        names: &["ionice"],
        options: options!("t", "cn", "", ["ignore"], ["class", "classdata"]),
        ..NONE
    },
    Entry {
        names: &["time"],
        options: options!(
            "pvaq",
            "f",
            "",
            ["portability", "verbose", "quiet"],
            ["format"]
        ),
        ..NONE
    },
    Entry {
        names: &["timeout"],
        options: options!(
            "vfp",
            "ks",
            "",
            [
                "preserve-status",
                "foreground",
                "verbose",
                "help",
                "version"
            ],
            ["kill-after", "signal"]
        ),
        before: 1,
        ..NONE
    },
    Entry {
        names: &["setsid"],
        options: options!(
            "cfw",
            "",
            "",
            ["ctty", "fork", "wait", "help", "version"],
            []
        ),
        ..NONE
    },
    Entry {
        names: &["stdbuf"],
        options: options!(
            "",
            "ioe",
            "",
            ["help", "version"],
            ["input", "output", "error"]
        ),
        ..NONE
    },
    Entry {
        names: &["watch"],
        options: options!(
            "bcCegptwx",
            "nq",
            "d",
            [
                "beep",
                "color",
                "no-color",
                "errexit",
                "chgexit",
                "precise",
                "no-title",
                "no-wrap",
                "exec",
                "differences",
                "help",
                "version"
            ],
            ["interval", "equexit"]
        ),
        always_text: true,
        ..NONE
    },
    Entry {
        names: &["busybox", "toybox"],
        ..NONE
    },
    Entry {
        names: &["taskset"],
        options: options!("c", "", "", ["cpu-list"], []),
        before: 1,
        ..NONE
    },
    Entry {
        names: &["chrt"],
        options: options!(
            "bfiorRd",
            "TPD",
            "",
            ["batch", "fifo", "idle", "other", "rr"],
            []
        ),
        before: 1,
        ..NONE
    },
    Entry {
        names: &["sudo"],
        options: options!(
            "AbEeHiKklnPSsvVBN",
            "CDghpRrTtUu",
            "",
            [
                "askpass",
                "background",
                "preserve-env",
                "edit",
                "set-home",
                "login",
                "remove-timestamp",
                "reset-timestamp",
                "list",
                "non-interactive",
                "preserve-groups",
                "stdin",
                "shell",
                "validate",
                "version",
                "help",
                "bell"
            ],
            [
                "close-from",
                "chdir",
                "group",
                "host",
                "prompt",
                "chroot",
                "role",
                "command-timeout",
                "type",
                "other-user",
                "user"
            ]
        ),
        role: Role::Program,
        idle: &["e", "edit", "K", "l", "list", "v", "V", "version", "help"],
        text: &["i", "login", "s", "shell"],
        assignments: true,
        ..NONE
    },
    Entry {
        names: &["doas"],
        options: options!("Lns", "aCu", "", [], []),
        role: Role::Program,
        text: &["s"],
        ..NONE
    },
    Entry {
        names: &["chroot"],
        options: options!(
            "",
            "",
            "",
            ["skip-chdir", "help", "version"],
            ["groups", "userspec"]
        ),
        before: 1,
        role: Role::Program,
        ..NONE
    },
    Entry {
        names: &["unshare"],
        options: options!(
            "rcf",
            "RwSG",
            "muinpCUT",
            [
                "fork",
                "map-root-user",
                "map-current-user",
                "mount",
                "uts",
                "ipc",
                "net",
                "pid",
                "cgroup",
                "user",
                "time",
                "mount-proc",
                "kill-child",
                "keep-caps"
            ],
            [
                "root",
                "wd",
                "setuid",
                "setgid",
                "map-user",
                "map-group",
                "propagation"
            ]
        ),
        role: Role::Program,
        ..NONE
    },
    Entry {
        names: &["nsenter"],
        options: options!(
            "aFZ",
            "tSG",
            "muinpCUTrw",
            [
                "all",
                "mount",
                "uts",
                "ipc",
                "net",
                "pid",
                "cgroup",
                "user",
                "time",
                "root",
                "wd",
                "no-fork",
                "preserve-credentials"
            ],
            ["target", "setuid", "setgid"]
        ),
        role: Role::Program,
        ..NONE
    },
    Entry {
        names: &["strace", "ltrace"],
        options: options!("cCdDfFhiknqrtTvVwxXyzZ", "abeEIOpPsSuU", "", [], []),
        role: Role::Program,
        ..NONE
    },
    Entry {
        names: &["setpriv"],
        options: options!(
            "",
            "",
            "",
            [
                "clear-groups",
                "keep-groups",
                "init-groups",
                "no-new-privs",
                "reset-env"
            ],
            [
                "reuid",
                "regid",
                "groups",
                "inh-caps",
                "ambient-caps",
                "bounding-set",
                "pdeathsig"
            ]
        ),
        role: Role::Program,
        ..NONE
    },
];

pub(super) fn find(name: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.names.contains(&name))
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
