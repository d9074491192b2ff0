//! Commands that do nothing of their own but run another one.

use super::{Entry, NONE, options};
use crate::wrappers::options::Options;

pub(super) const MERE: &[Entry] = &[
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
];
