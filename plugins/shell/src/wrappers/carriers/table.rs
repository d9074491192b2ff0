//! Which programs these are.

use super::Carrier;

const NONE: Carrier = Carrier::new("", &[], &[]);

const CARRIERS: &[Carrier] = &[
    Carrier {
        names: &["tar", "gtar", "bsdtar"],
        values: "bCfFgHIKLNTVX",
        commands: &[
            "I",
            "F",
            "use-compress-program",
            "to-command",
            "rsh-command",
            "rmt-command",
            "info-script",
            "new-volume-script",
        ],
        opaque: &["checkpoint-action"],
        old_style: true,
        ..NONE
    },
    Carrier {
        names: &["rsync"],
        values: "BefMT",
        commands: &["e", "rsh", "rsync-path"],
        ..NONE
    },
    Carrier {
        names: &["scp", "sftp"],
        values: "BbcDFiJloPRSX",
        commands: &["S"],
        opaque: &["o", "F", "D"],
        ..NONE
    },
    Carrier {
        names: &["sort"],
        values: "kotST",
        commands: &["compress-program"],
        ..NONE
    },
    Carrier {
        names: &["split"],
        values: "abClntu",
        commands: &["filter"],
        ..NONE
    },
    Carrier {
        names: &["rg"],
        values: "ABCEefgjMmrtTd",
        commands: &["pre", "hostname-bin"],
        ..NONE
    },
    Carrier {
        names: &["man"],
        values: "CeELmMpPrRsST",
        commands: &["P", "pager"],
        opaque: &["C", "config-file", "H", "html"],
        ..NONE
    },
    Carrier {
        names: &[
            "less", "more", "most", "vi", "vim", "view", "nvim", "rview", "rvim", "vimdiff", "gvim",
        ],
        opaque: &[
            "c",
            "cmd",
            "e",
            "E",
            "k",
            "lesskey",
            "lesskey-content",
            "s",
            "S",
            "u",
            "+",
        ],
        ..NONE
    },
    Carrier {
        names: &["emacs"],
        opaque: &[
            "eval", "execute", "f", "funcall", "l", "load", "script", "batch",
        ],
        ..NONE
    },
    Carrier {
        names: &["zip"],
        values: "binPstx",
        opaque: &["T", "unzip-command"],
        ..NONE
    },
    Carrier {
        names: &["wget"],
        values: "aABDGiIlnoOPQRtTUwX",
        commands: &["use-askpass"],
        opaque: &["e", "execute", "config"],
        ..NONE
    },
    Carrier {
        names: &["gcc", "g++", "cc", "c++", "clang", "clang++"],
        values: "ADILTUWdfglmostux",
        heads: &["-B", "-fplugin", "-specs", "--specs", "-wrapper"],
        ..NONE
    },
];

pub(in crate::wrappers) fn find(name: &str) -> Option<&'static Carrier> {
    CARRIERS
        .iter()
        .find(|carrier| carrier.names.contains(&name))
}
