use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::process::{Resource, getrlimit};
use spawnhook_model::AuditHead;

use super::record::{Line, Record, sha256_hex};
use super::rotated;
use super::rotation::Rotation;
use super::syslog::{Syslog, SyslogError};
use crate::config::{self, Durability};

mod error;
mod tail;

pub use error::AppendError;
pub(super) use tail::GENESIS;
use tail::Tail;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use tail::number;

/// An audit log that any number of hosts may append to at once.
///
/// The file is locked for one append only, and the last line is read anew under the lock, so that
/// the chain is one whoever wrote that line.
#[derive(Clone, Debug)]
pub struct AuditFile {
    path: PathBuf,
    flush: bool,
    rotation: Rotation,
    syslog: Option<Syslog>,
}

/// A record that was appended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Where in the chain it stands.
    pub head: AuditHead,
    /// Its line, without the newline.
    pub line: String,
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
            rotation: Rotation::new(config),
            syslog: config.syslog.as_deref().map(Syslog::new),
        })
    }

    /// Where the log is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends one record, to a new file if that is due, and says where in the chain it stands.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, locked, put aside, read or written. Nothing of the record
    /// stays then.
    pub fn append(&self, record: &Record) -> Result<Appended, AppendError> {
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
    pub fn append_at_once(&self, record: &Record) -> Option<Result<Appended, AppendError>> {
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

    /// Passes a line that was appended on to syslog, where the deployment says so.
    ///
    /// # Errors
    ///
    /// If the daemon does not take it.
    pub fn pass_on(&self, line: &str) -> Result<(), SyslogError> {
        let syslog = self.syslog.as_ref();
        syslog.map_or(Ok(()), |syslog| syslog.send(line))
    }

    fn append_to(&self, file: &mut File, record: &Record) -> Result<Appended, AppendError> {
        self.append_locked(file, record)
            .map_err(|source| AppendError::Append {
                path: self.path.clone(),
                source,
            })
    }

    /// Opens the log, with room for a record, and takes its lock by `lock`, which says whether it
    /// has; none if it has not. A file that was put aside is nobody's any more: whoever waits for
    /// its lock sees that another stands in its place.
    fn open(&self, lock: impl Fn(&File) -> io::Result<bool>) -> Result<Option<File>, AppendError> {
        self.create_folder()?;
        let path = || self.path.clone();
        let failed = |source| AppendError::Open {
            path: path(),
            source,
        };
        loop {
            let mut file = self.open_file().map_err(failed)?;
            if !lock(&file).map_err(failed)? {
                return Ok(None);
            }
            if !self.is_in_place(&file).map_err(failed)? {
                continue;
            }
            let rotated = self.rotate(&mut file);
            let rotated = rotated.map_err(|source| AppendError::Rotate {
                path: path(),
                source,
            })?;
            if !rotated {
                return Ok(Some(file));
            }
        }
    }

    fn create_folder(&self) -> Result<(), AppendError> {
        let Some(folder) = self.path.parent() else {
            return Ok(());
        };
        let mut builder = DirBuilder::new();
        let created = builder.recursive(true).mode(0o700).create(folder);
        created.map_err(|source| AppendError::Folder {
            path: self.path.clone(),
            source,
        })
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

    fn append_locked(&self, file: &mut File, record: &Record) -> io::Result<Appended> {
        let length = file.metadata()?.len();
        let rotated = match length {
            0 => rotated::list(&self.path)?,
            _ => Vec::new(),
        };
        let tail = Tail::read(file, length, || self.before())?;
        let gone = self.rotation.surplus(&rotated);
        let oldest = gone.last().map(|file| file.last.saturating_add(1));
        let line = Line::new(record, tail.next_seq, &tail.last_hash, oldest);
        let line = serde_json::to_string(&line)?;
        let newline_first = if tail.torn { "\n" } else { "" };
        self.write(file, length, format!("{newline_first}{line}\n").as_bytes())?;
        for file in gone {
            // What can't be removed now is tried again with the next.
            drop(fs::remove_file(&file.path));
        }
        let head = AuditHead {
            seq: tail.next_seq,
            hash: sha256_hex(&line),
        };
        Ok(Appended { head, line })
    }

    /// What the first record of the file follows.
    fn before(&self) -> io::Result<Tail> {
        match rotated::list(&self.path)?.pop() {
            None => Ok(Tail::default()),
            Some(file) => Tail::of_rotated(&mut File::open(file.path)?, file.last),
        }
    }

    fn write(&self, file: &mut File, length: u64, bytes: &[u8]) -> io::Result<()> {
        check_file_size(length + bytes.len() as u64)?;
        let written = file
            .write_all(bytes)
            .and_then(|()| self.flush(file, length));
        if written.is_err() {
            // A record in part would look like a crash; the lock is still held.
            drop(file.set_len(length));
        }
        written
    }

    fn flush(&self, file: &File, length: u64) -> io::Result<()> {
        match (self.flush, length) {
            (false, _) => Ok(()),
            // The name of a new file has to survive as well.
            (true, 0) => file.sync_data().and_then(|()| self.flush_folder()),
            (true, _) => file.sync_data(),
        }
    }

    fn flush_folder(&self) -> io::Result<()> {
        let folder = self.path.parent();
        folder.map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }

    /// Puts the file aside if it is due, and says whether it was.
    fn rotate(&self, file: &mut File) -> io::Result<bool> {
        let length = file.metadata()?.len();
        if !self.rotation.is_due(file, length)? {
            return Ok(false);
        }
        let tail = Tail::read(file, length, || self.before())?;
        let aside = rotated::path(&self.path, tail.next_seq - 1);
        if fs::symlink_metadata(&aside).is_ok() {
            let problem = format!("{} is in the way; move it", aside.display());
            return Err(io::Error::other(problem));
        }
        fs::rename(&self.path, aside)?;
        if self.flush {
            self.flush_folder()?;
        }
        Ok(true)
    }
}

/// Refuses what would make a file larger than this process may: the system would not only refuse
/// it but end the process, setrlimit(2).
fn check_file_size(length: u64) -> io::Result<()> {
    match getrlimit(Resource::Fsize).current {
        Some(most) if length > most => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("the limit of this process for the size of a file (ulimit -f) is {most} bytes"),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
