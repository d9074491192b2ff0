//! The names of files that were put aside: that of the log, a dot, and the number of the last line
//! inside, so that a name says where the chain goes on.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// A file that was put aside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rotated {
    /// The number of the last line.
    pub(super) last: u64,
    pub(super) path: PathBuf,
}

/// The digits of a number in a name, so that names sort as numbers do. Longer numbers have more.
const DIGITS: usize = 12;

/// Where a log is put whose last line has the number `last`.
pub(super) fn path(log: &Path, last: u64) -> PathBuf {
    let mut path = OsString::from(log);
    path.push(format!(".{last:0DIGITS$}"));
    path.into()
}

/// The files that were put aside of a log, oldest first.
pub(super) fn list(log: &Path) -> io::Result<Vec<Rotated>> {
    let (Some(folder), Some(name)) = (log.parent(), log.file_name()) else {
        return Ok(Vec::new());
    };
    let folder = match folder {
        empty if empty.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    let mut rotated = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Some(last) = last(name.as_bytes(), entry.file_name().as_bytes()) {
            let path = folder.join(entry.file_name());
            rotated.push(Rotated { last, path });
        }
    }
    rotated.sort();
    Ok(rotated)
}

/// The number in the name of a file that was put aside of the log `log`.
fn last(log: &[u8], name: &[u8]) -> Option<u64> {
    let digits = name.strip_prefix(log)?.strip_prefix(b".")?;
    let fits = digits.len() >= DIGITS && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits)
        .ok()
        .filter(|_| fits)?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_names_that_were_given_are_found() {
        for other in [
            "a.jsonl",
            "a.jsonl.1",
            "a.jsonl.000000000001.gz",
            "b.jsonl.000000000001",
            "a.jsonl.+00000000001",
            "a.jsonl.99999999999999999999",
        ] {
            assert_eq!(last(b"a.jsonl", other.as_bytes()), None, "{other}");
        }
    }

    proptest! {
        #[test]
        fn a_name_tells_its_number(number: u64) {
            let path = path(Path::new("/x/a.jsonl"), number);
            let name = path.file_name().unwrap().as_bytes();
            prop_assert_eq!(last(b"a.jsonl", name), Some(number));
        }
    }
}
