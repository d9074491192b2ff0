//! `if . 'SNAPSHOT' >/dev/null 2>&1; then :; fi`, an empty line, and `exec 'SHELL' -c 'COMMAND'`,
//! as in the public source of Codex CLI (`maybe_wrap_shell_lc_with_snapshot`). Around the first
//! line variables are put by that the snapshot must not change.

use super::scanner::Scanner;
use super::{Inside, Wrapping};

const PUT_BY: [&str; 2] = [
    r##"__CODEX_SNAPSHOT_#="${#+x}""##,
    r##"__CODEX_SNAPSHOT_#="${#-}""##,
];

const RESTORED: [&str; 3] = [
    r##"if [ -n "${__CODEX_SNAPSHOT_#}" ]; then export #="${__CODEX_SNAPSHOT_#}"; else unset #; fi"##,
    r##"if [ -n "$__CODEX_SNAPSHOT_#" ] || [ -n "${#+x}" ]; then"##,
    "fi",
];

pub(super) fn unwrap(text: &str) -> Option<(Wrapping, String)> {
    let mut scanner = Scanner::new(text);
    scanner.paragraph(&PUT_BY)?;
    scanner.literal("if . ")?;
    scanner.word()?;
    scanner.literal(" >/dev/null 2>&1; then :; fi\n\n")?;
    scanner.paragraph(&RESTORED)?;
    scanner.literal("exec ")?;
    scanner.word()?;
    scanner.literal(" -c ")?;
    let before = scanner.read().to_owned();
    let (inner, quoting) = scanner.word()?;
    let wrapping = Wrapping {
        before,
        inside: Inside::Word(quoting),
        after: String::new(),
    };
    scanner.rest().is_empty().then_some((wrapping, inner))
}
