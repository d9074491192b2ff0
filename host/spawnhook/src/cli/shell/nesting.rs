//! Whether this process was started by a command that this program runs.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// What the process above every command is called, and no other of this program.
const SUPERVISOR: &str = "supervisor";

/// More ancestors than anyone has.
const GENERATIONS: usize = 1000;

/// Whether one of the ancestors runs a command for this program. Orphans of a command have its
/// supervisor as their parent, so nothing of a command gets out of this. What cannot be seen is
/// no such ancestor.
pub(super) fn is_nested() -> bool {
    let Some(program) = file("/proc/self/exe") else {
        return false;
    };
    let mut process = std::process::id();
    for _ in 0..GENERATIONS {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let Some((name, parent)) = name_and_parent(&stat) else {
            return false;
        };
        if name == SUPERVISOR && file(format!("/proc/{process}/exe")) == Some(program) {
            return true;
        }
        process = parent;
    }
    false
}

/// Of proc_pid_stat(5), where a name may hold anything.
fn name_and_parent(stat: &str) -> Option<(&str, u32)> {
    let (_, rest) = stat.split_once('(')?;
    let (name, rest) = rest.rsplit_once(") ")?;
    Some((name, rest.split(' ').nth(1)?.parse().ok()?))
}

fn file(path: impl AsRef<Path>) -> Option<(u64, u64)> {
    let file = path.as_ref().metadata().ok()?;
    Some((file.dev(), file.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_it_is_called() {
        let of = name_and_parent;
        assert_eq!(of("12 (bash) S 7 12"), Some(("bash", 7)));
        assert_eq!(of("12 (a) S 1 (b) R 7 12"), Some(("a) S 1 (b", 7)));
        assert_eq!(of(""), None);
    }

    #[test]
    fn a_test_is_run_by_no_command() {
        assert!(!is_nested());
    }
}
