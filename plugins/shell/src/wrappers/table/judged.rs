//! Commands that do something of their own beside running another one: with other rights, on
//! another root, under a tracer.

use super::{Entry, NONE, options};
use crate::{Role, wrappers::options::Options};

pub(super) const JUDGED: &[Entry] = &[
    Entry {
        names: &[
            "catchsegv",
            "chronic",
            "dbus-run-session",
            "eatmydata",
            "entr",
            "fakeroot",
            "i386",
            "linux32",
            "linux64",
            "numactl",
            "pkexec",
            "proxychains",
            "proxychains4",
            "rlwrap",
            "torsocks",
            "unbuffer",
            "valgrind",
            "x86_64",
            "xvfb-run",
        ],
        role: Role::Program,
        ..NONE
    },
    Entry {
        names: &["choom"],
        options: options!("", "n", "", ["help", "version"], ["adjust"]),
        role: Role::Program,
        ..NONE
    },
    Entry {
        names: &["gosu", "su-exec"],
        before: 1,
        role: Role::Program,
        ..NONE
    },
    Entry {
        names: &["hyperfine"],
        role: Role::Program,
        always_text: true,
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
