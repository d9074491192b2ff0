//! `source SNAPSHOT … && eval 'COMMAND' < /dev/null && pwd -P >| FILE`, as observed in process
//! lists of Claude Code 1.0 to 2.1: every part but the last two may be missing.

use super::scanner::Scanner;
use super::{Inside, Wrapping};

/// The directories that snapshots are kept in, and how their names begin.
const SNAPSHOT: &str = "/shell-snapshots/snapshot-";

/// How a shell is told to take less for a pattern.
const NO_PATTERNS: [&str; 3] = [
    "shopt -u extglob 2>/dev/null || true && ",
    "{ shopt -u extglob || setopt NO_EXTENDED_GLOB; } 2>/dev/null || true && ",
    "{ shopt -u extglob || setopt NO_EXTENDED_GLOB; } >/dev/null 2>&1 || true && ",
];

/// A function that snapshots bring from shells that lack it.
const NO_UNSETENV: &str = r"{ \builtin unalias -- 'unsetenv'; \builtin unset -f -- 'unsetenv'; } >/dev/null 2>&1 || true && ";

pub(super) fn unwrap(text: &str) -> Option<(Wrapping, String)> {
    let mut scanner = Scanner::new(text);
    if scanner.literal("source ").is_some() {
        let snapshot = scanner.path()?;
        if !snapshot.contains(SNAPSHOT) || !snapshot.ends_with(".sh") {
            return None;
        }
        scanner.optional(&[" 2>/dev/null || true"]);
        scanner.literal(" && ")?;
    }
    scanner.optional(&NO_PATTERNS);
    scanner.optional(&[NO_UNSETENV]);
    scanner.literal("eval ")?;
    let before = scanner.read().to_owned();
    let (inner, quoting) = scanner.word()?;
    let after = scanner.rest().to_owned();
    scanner.optional(&[" < /dev/null", r" \< /dev/null"]);
    scanner.literal(" && pwd -P >| ")?;
    scanner.path()?;
    let wrapping = Wrapping {
        before,
        inside: Inside::Word(quoting),
        after,
    };
    scanner.rest().is_empty().then_some((wrapping, inner))
}
