use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use spawnhook_model::AuditHead;

use super::record::{Line, Record, sha256_hex};
use crate::config::{self, Durability};

/// What `prev` of the first record holds.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The step in which the end of the file is searched for the last line; more than most records.
const BACKWARD_STEP: u64 = 16 * 1024;

/// An audit log that any number of hosts may append to at once.
///
/// The file is locked for one append only, and the last line is read anew under the lock, so that
/// the chain is one whoever wrote that line.
#[derive(Clone, Debug)]
pub struct AuditFile {
    path: PathBuf,
    flush: bool,
}

/// Why a record was not appended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The folder of the log could not be made.
    #[error("cannot create the folder of the audit log {}", path.display())]
    Folder {
        /// The log.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The log could not be opened or locked.
    #[error("cannot open the audit log {}", path.display())]
    Open {
        /// The log.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The record could not be read back to or written.
    #[error("cannot append to the audit log {}", path.display())]
    Append {
        /// The log.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl AuditFile {
    /// The log of a deployment, if it keeps one. The file and its folder are made by the first
    /// append.
    pub fn new(config: &config::Audit) -> Option<Self> {
        let flush = match config.durability {
            Durability::Write => false,
            Durability::Fsync => true,
            Durability::None => return None,
        };
        Some(Self {
            path: config.path.clone(),
            flush,
        })
    }

    /// Where the log is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends one record, and says where in the chain it stands.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, locked, read or written. Nothing of the record stays then.
    pub fn append(&self, record: &Record) -> Result<AuditHead, AppendError> {
        let locked = self.open(|file| file.lock().map(|()| true))?;
        let mut file = locked.expect("invariant: who waits for the lock has it");
        self.append_to(&mut file, record)
    }

    /// As [`append`](Self::append), but none, and nothing is written, if another host or a disk
    /// would have to be waited for.
    ///
    /// # Errors
    ///
    /// As [`append`](Self::append).
    pub fn append_at_once(&self, record: &Record) -> Option<Result<AuditHead, AppendError>> {
        let try_lock = |file: &File| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        };
        if self.flush {
            return None;
        }
        let opened = self.open(try_lock).transpose()?;
        Some(opened.and_then(|mut file| self.append_to(&mut file, record)))
    }

    fn append_to(&self, file: &mut File, record: &Record) -> Result<AuditHead, AppendError> {
        self.append_locked(file, record)
            .map_err(|source| AppendError::Append {
                path: self.path.clone(),
                source,
            })
    }

    /// Opens the log and takes its lock by `lock`, which says whether it has; none if it has not.
    fn open(&self, lock: impl Fn(&File) -> io::Result<bool>) -> Result<Option<File>, AppendError> {
        if let Some(folder) = self.path.parent() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)
                .map_err(|source| AppendError::Folder {
                    path: self.path.clone(),
                    source,
                })?;
        }
        let failed = |source| AppendError::Open {
            path: self.path.clone(),
            source,
        };
        loop {
            let file = self.open_file().map_err(failed)?;
            if !lock(&file).map_err(failed)? {
                return Ok(None);
            }
            if self.is_in_place(&file).map_err(failed)? {
                return Ok(Some(file));
            }
        }
    }

    fn open_file(&self) -> io::Result<File> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&self.path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(file)
    }

    /// Whether the log was not moved away between opening and locking it.
    fn is_in_place(&self, file: &File) -> io::Result<bool> {
        let opened = file.metadata()?;
        let there = fs::metadata(&self.path);
        Ok(there.is_ok_and(|there| (there.dev(), there.ino()) == (opened.dev(), opened.ino())))
    }

    fn append_locked(&self, file: &mut File, record: &Record) -> io::Result<AuditHead> {
        let before = file.metadata()?.len();
        let tail = read_tail(file, before)?;
        let line = serde_json::to_string(&Line::new(record, tail.next_seq, &tail.last_hash))?;
        let newline_first = if tail.torn { "\n" } else { "" };
        let written = file
            .write_all(format!("{newline_first}{line}\n").as_bytes())
            .and_then(|()| if self.flush { file.sync_data() } else { Ok(()) });
        if let Err(error) = written {
            // A record in part would look like a crash; the lock is still held.
            file.set_len(before)?;
            return Err(error);
        }
        Ok(AuditHead {
            seq: tail.next_seq,
            hash: sha256_hex(&line),
        })
    }
}

/// What the next record follows.
struct Tail {
    next_seq: u64,
    last_hash: String,
    /// The last line has no newline, because its writer died.
    torn: bool,
}

#[derive(Deserialize)]
struct Numbered {
    seq: u64,
}

/// The number of a line that is a record: text, and a JSON object. The parser by itself would take
/// a list for one, and look at no text that it skips.
pub(crate) fn number(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?;
    let is_object = text.starts_with('{');
    let Numbered { seq } = serde_json::from_str(text).ok()?;
    is_object.then_some(seq)
}

/// Reads lines from the end until one has a number. A line that has none, because it was torn or
/// tampered with, still counts as one, so that a record's number is that of its line.
fn read_tail(file: &mut File, length: u64) -> io::Result<Tail> {
    let mut tail = Tail {
        next_seq: 1,
        last_hash: GENESIS.to_owned(),
        torn: false,
    };
    let mut end = length;
    let mut lines_after = 0;
    while end > 0 {
        let (start, line) = read_line_before(file, end)?;
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        if lines_after == 0 {
            tail.torn = !line.ends_with(b"\n");
            tail.last_hash = sha256_hex(text);
        }
        if let Some(seq) = number(text) {
            tail.next_seq = seq.saturating_add(lines_after + 1);
            return Ok(tail);
        }
        lines_after += 1;
        end = start;
    }
    tail.next_seq = lines_after + 1;
    Ok(tail)
}

/// The line that ends at `end`, and where it starts.
fn read_line_before(file: &mut File, end: u64) -> io::Result<(u64, Vec<u8>)> {
    let mut line: Vec<u8> = Vec::new();
    let mut start = end;
    while start > 0 {
        let step = BACKWARD_STEP.min(start);
        let mut block = vec![0; usize::try_from(step).expect("a step fits in memory")];
        file.seek(SeekFrom::Start(start - step))?;
        file.read_exact(&mut block)?;
        // The newline at the very end belongs to the line itself.
        let searched = block.len() - usize::from(start == end);
        if let Some(newline) = block[..searched].iter().rposition(|byte| *byte == b'\n') {
            block.drain(..=newline);
            start = start - step + newline as u64 + 1;
            block.append(&mut line);
            return Ok((start, block));
        }
        start -= step;
        block.append(&mut line);
        line = block;
    }
    Ok((start, line))
}

#[cfg(test)]
mod tests;
