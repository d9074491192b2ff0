//! When a log is put aside, and how many files of it are kept.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Seek as _};
use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;

use super::rotated::Rotated;
use crate::config;

/// What a deployment says of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Rotation {
    size: Option<u64>,
    age: Option<Duration>,
    keep: Option<u64>,
}

#[derive(Deserialize)]
struct Dated {
    time: Timestamp,
}

impl Rotation {
    pub(super) fn new(config: &config::Audit) -> Self {
        Self {
            size: config.rotate_size,
            age: config.rotate_age,
            keep: config.rotate_keep,
        }
    }

    /// Whether a file of `length` bytes is to be put aside. Its age is that of its first record.
    pub(super) fn is_due(&self, file: &File, length: u64) -> io::Result<bool> {
        if length == 0 {
            return Ok(false);
        }
        let is_large = self.size.is_some_and(|size| length >= size);
        Ok(is_large || self.is_old(file, Timestamp::now())?)
    }

    fn is_old(&self, file: &File, now: Timestamp) -> io::Result<bool> {
        let Some(age) = self.age else {
            return Ok(false);
        };
        let began = first_time(file)?;
        // A clock that was put back makes a negative age.
        let since = |began| Duration::try_from(now.duration_since(began)).unwrap_or_default();
        Ok(began.is_some_and(|began| since(began) >= age))
    }

    /// The files that are more than are kept, the oldest first.
    pub(super) fn surplus<'a>(&self, rotated: &'a [Rotated]) -> &'a [Rotated] {
        let keep = self.keep.and_then(|keep| usize::try_from(keep).ok());
        let keep = keep.unwrap_or(usize::MAX);
        &rotated[..rotated.len().saturating_sub(keep)]
    }
}

/// The time of the first line that has one.
fn first_time(mut file: &File) -> io::Result<Option<Timestamp>> {
    file.rewind()?;
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        if let Ok(Dated { time }) = serde_json::from_slice(&line) {
            return Ok(Some(time));
        }
        line.clear();
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    fn is_due(rotation: &Rotation, content: &str) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.jsonl");
        std::fs::write(&path, content).unwrap();
        let file = File::open(path).unwrap();
        rotation.is_due(&file, content.len() as u64).unwrap()
    }

    fn line(age: Duration) -> String {
        let time = Timestamp::now().checked_sub(age).unwrap();
        format!("{{\"seq\":1,\"time\":\"{time}\"}}\n")
    }

    #[test]
    fn a_file_is_due_at_its_size() {
        let rotation = Rotation {
            size: Some(3),
            ..Rotation::default()
        };
        assert!(!is_due(&rotation, "12"));
        assert!(is_due(&rotation, "123"));
        assert!(!is_due(&Rotation::default(), &line(9 * HOUR)));
    }

    #[test]
    fn a_file_is_as_old_as_its_first_record() {
        let rotation = Rotation {
            age: Some(HOUR),
            ..Rotation::default()
        };
        assert!(!is_due(&rotation, ""));
        assert!(!is_due(&rotation, "torn\n"));
        assert!(!is_due(&rotation, &(line(HOUR / 2) + &line(2 * HOUR))));
        assert!(is_due(&rotation, &format!("torn\n{}", line(2 * HOUR))));
    }

    #[test]
    fn what_is_more_than_is_kept_is_the_oldest() {
        let path = PathBuf::from("x");
        let files: Vec<_> = (1..4)
            .map(|last| Rotated {
                last,
                path: path.clone(),
            })
            .collect();
        for (keep, gone) in [(Some(1), 2), (Some(3), 0), (Some(u64::MAX), 0), (None, 0)] {
            let rotation = Rotation {
                keep,
                ..Rotation::default()
            };
            assert_eq!(rotation.surplus(&files), &files[..gone]);
        }
    }
}
