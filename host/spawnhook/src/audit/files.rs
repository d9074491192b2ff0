//! A log with the files that were put aside of it, read as one, line by line.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Take};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::entry::Entry;
use super::rotated::{self, Rotated};

mod lines;

use lines::read_line;
pub use lines::{Lines, LogLine};

/// The files of a log, oldest first, as they were at one moment.
#[derive(Debug)]
pub struct LogFiles {
    files: Vec<LogFile>,
    from: Position,
}

#[derive(Debug)]
struct LogFile {
    path: PathBuf,
    /// The log itself, with the length that it had: whoever appends goes on behind it. A file that
    /// was put aside stays as it is, and is opened in its turn, since there may be many.
    current: Option<(File, u64)>,
}

/// The device and the number of a file, which stay when it is renamed.
type FileId = (u64, u64);

/// How far a log was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    file: Option<FileId>,
    /// Where in it the next line starts.
    offset: u64,
    /// The number of the last record.
    last: u64,
}

/// A log that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the audit log {}", path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub source: io::Error,
}

impl LogFiles {
    /// Opens a log and what was put aside of it.
    ///
    /// # Errors
    ///
    /// If there is neither, or the log cannot be opened.
    pub fn open(log: &Path) -> Result<Self, ReadError> {
        let files = Self::open_from(log, &Position::default())?;
        match files.files.is_empty() {
            true => Err(failed(log)(io::ErrorKind::NotFound.into())),
            false => Ok(files),
        }
    }

    /// Opens what stands behind a position, which may be nothing.
    ///
    /// # Errors
    ///
    /// If the log cannot be opened.
    pub fn open_from(log: &Path, position: &Position) -> Result<Self, ReadError> {
        // While it is locked nobody writes to it or puts it aside.
        let current = open_locked(log).map_err(failed(log))?;
        let rotated = list(log)?.into_iter();
        let unread = rotated.filter(|rotated| rotated.last > position.last);
        let mut files: Vec<_> = unread
            .map(|rotated| LogFile::put_aside(rotated.path))
            .collect();
        if let Some(file) = current {
            files.push(LogFile::current(log.to_owned(), file).map_err(failed(log))?);
        }
        let from = position.clone();
        Ok(Self { files, from })
    }

    /// The files, oldest first.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// The number of the oldest record that is kept, as the first record of a file says by whose
    /// writing older ones were removed; none if no file says so.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn oldest(&self) -> Result<Option<u64>, ReadError> {
        let mut oldest = None;
        for file in &self.files {
            let first = file.read_from(&Position::default());
            let first = first.and_then(|mut reading| read_line(&mut reading.reader, 0));
            let (first, _) = first.map_err(failed(&file.path))?;
            let entry = first.and_then(|line| Entry::parse(&line.text));
            oldest = oldest.max(entry.and_then(|entry| entry.oldest));
        }
        Ok(oldest)
    }

    /// Their lines, one file after another.
    pub fn lines(self) -> Lines {
        Lines::of(self)
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> ReadError + use<> {
    let path = path.to_owned();
    move |source| ReadError {
        path: path.clone(),
        source,
    }
}

/// What was put aside; nothing where there is no folder.
fn list(log: &Path) -> Result<Vec<Rotated>, ReadError> {
    match rotated::list(log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed.map_err(failed(log)),
    }
}

/// None if there is no such file.
fn open_locked(path: &Path) -> io::Result<Option<File>> {
    loop {
        // A fifo that nobody writes to must not keep us waiting.
        let flags = OFlags::NONBLOCK.bits().cast_signed();
        let opened = OpenOptions::new().read(true).custom_flags(flags).open(path);
        let file = match opened {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let opened = file.metadata()?;
        if !opened.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        file.lock_shared()?;
        let there = fs::metadata(path).ok();
        if there.is_some_and(|there| (there.dev(), there.ino()) == (opened.dev(), opened.ino())) {
            return Ok(Some(file));
        }
    }
}

/// A file that is read.
#[derive(Debug)]
struct Reading {
    id: FileId,
    /// Where in the file it was begun.
    start: u64,
    reader: BufReader<Take<File>>,
}

impl LogFile {
    fn put_aside(path: PathBuf) -> Self {
        let current = None;
        Self { path, current }
    }

    /// Gives the lock back.
    fn current(path: PathBuf, file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        file.unlock()?;
        let current = Some((file, length));
        Ok(Self { path, current })
    }

    /// Begins to read where `position` is, or at the start if it is in another file.
    fn read_from(&self, position: &Position) -> io::Result<Reading> {
        let mut file = match &self.current {
            // By its path another file may stand there by now.
            Some((file, _)) => file.try_clone()?,
            None => File::open(&self.path)?,
        };
        let there = file.metadata()?;
        let length = self
            .current
            .as_ref()
            .map_or(there.len(), |(_, length)| *length);
        let id = (there.dev(), there.ino());
        let is_known = position.file == Some(id);
        let start = if is_known {
            position.offset.min(length)
        } else {
            0
        };
        file.seek(SeekFrom::Start(start))?;
        let reader = BufReader::with_capacity(1 << 16, file.take(length - start));
        Ok(Reading { id, start, reader })
    }
}
