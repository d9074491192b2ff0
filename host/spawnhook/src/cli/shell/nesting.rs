//! Whether this process was started by a command that this program runs.

use std::fs::File;
use std::io::Read as _;
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
        let stat = stat(process);
        let Some((name, parent)) = name_and_parent(&stat) else {
            return false;
        };
        if name == SUPERVISOR.as_bytes() && file(format!("/proc/{process}/exe")) == Some(program) {
            return true;
        }
        process = parent;
    }
    false
}

/// The start of proc_pid_stat(5), in one read: a name has 15 bytes at most.
fn stat(process: u32) -> Vec<u8> {
    let mut start = [0; 64];
    let read =
        File::open(format!("/proc/{process}/stat")).and_then(|mut file| file.read(&mut start));
    start[..read.unwrap_or_default()].to_vec()
}

/// A name may hold anything.
fn name_and_parent(stat: &[u8]) -> Option<(&[u8], u32)> {
    let start = stat.iter().position(|byte| *byte == b'(')? + 1;
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = str::from_utf8(stat.get(end + 1..)?).ok()?;
    let parent = rest.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some((stat.get(start..end)?, parent))
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
        assert_eq!(of(b"12 (bash) S 7 12"), Some((&b"bash"[..], 7)));
        let odd = &b"12 (a) S 1 (\xff\n) R 7 12"[..];
        assert_eq!(of(odd), Some((&b"a) S 1 (\xff\n"[..], 7)));
        assert_eq!(of(b""), None);
        assert_eq!(of(b"1 )("), None);
    }

    #[test]
    fn a_test_is_run_by_no_command() {
        assert!(!is_nested());
    }
}
