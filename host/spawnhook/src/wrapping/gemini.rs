//! What Gemini CLI puts around a command to learn of processes in the background, as in its public
//! source: in a group that `pgrep` follows, and later in a subshell with a trap.

use super::scanner::Scanner;
use super::{Inside, Wrapping};

const GUARD: &str = "shopt -u promptvars nullglob extglob nocaseglob dotglob; ";
const AFTER_GROUP: &str = " }; __code=$?; pgrep -g 0 >";
const AFTER_SUBSHELL: &str = "\n)\n__code=$?\nexit $__code";

pub(super) fn unwrap(text: &str) -> Option<(Wrapping, String)> {
    let mut scanner = Scanner::new(text);
    scanner.optional(&[GUARD]);
    if scanner.literal("{ ").is_some() {
        return group(scanner);
    }
    scanner.literal("_bgpids_file=")?;
    scanner.path()?;
    scanner.literal("\n(\n  trap 'jobs -p > \"$_bgpids_file\"' EXIT\n")?;
    let inner = scanner.rest().strip_suffix(AFTER_SUBSHELL)?;
    let wrapping = Wrapping {
        before: scanner.read().to_owned(),
        inside: Inside::Lines,
        after: AFTER_SUBSHELL.to_owned(),
    };
    Some((wrapping, inner.to_owned()))
}

fn group(scanner: Scanner<'_>) -> Option<(Wrapping, String)> {
    // The last one: whatever comes before is the model's.
    let (inner, _) = scanner.rest().rsplit_once(AFTER_GROUP)?;
    let after = &scanner.rest()[inner.len()..];
    let mut end = Scanner::new(after);
    end.literal(AFTER_GROUP)?;
    end.path()?;
    end.literal(" 2>&1; exit $__code;")?;
    let inner = match inner.strip_suffix(';') {
        Some(inner) => inner,
        None if inner.ends_with('&') => inner,
        None => return None,
    };
    let wrapping = Wrapping {
        before: scanner.read().to_owned(),
        inside: Inside::Part,
        after: after.to_owned(),
    };
    end.rest().is_empty().then(|| (wrapping, inner.to_owned()))
}
