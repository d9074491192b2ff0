//! A log with the files that were put aside of it, read as one, line by line.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Take};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use memchr::memchr;
use sha2::{Digest as _, Sha256};

use super::entry::Entry;
use super::record::hex;
use super::rotated::{self, Rotated};

/// How much of a line is kept. A record is shorter: its entry has 64 KiB at most.
const LINE_BYTES: usize = 4 << 20;

/// The files of a log, oldest first, as they were at one moment.
#[derive(Debug)]
pub struct LogFiles {
    files: Vec<LogFile>,
}

#[derive(Debug)]
struct LogFile {
    path: PathBuf,
    id: FileId,
    /// Where the content starts in the file.
    start: u64,
    /// What was there when it was opened; whoever appends goes on behind it.
    content: Take<File>,
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

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The line without its newline. One that is too long for a record is cut, and so is none.
    pub text: Vec<u8>,
    /// The hex SHA-256 of the whole line without its newline.
    pub hash: String,
    /// Whether it has its newline.
    pub ended: bool,
    /// Which of the files it stands in, counted from 0.
    pub file: usize,
}

impl LogFiles {
    /// Opens a log and what was put aside of it.
    ///
    /// # Errors
    ///
    /// If there is neither, or a file of them cannot be opened.
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
    /// If a file cannot be opened.
    pub fn open_from(log: &Path, position: &Position) -> Result<Self, ReadError> {
        // While it is locked nobody writes to it or puts it aside.
        let current = open_locked(log).map_err(failed(log))?;
        let mut files = Vec::new();
        for rotated in list(log)? {
            if rotated.last > position.last {
                let file = File::open(&rotated.path).map_err(failed(&rotated.path))?;
                files.push(LogFile::new(rotated.path, file, position)?);
            }
        }
        if let Some(file) = current {
            files.push(LogFile::new(log.to_owned(), file, position)?);
        }
        Ok(Self { files })
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
            let first = file.first_line().map_err(failed(&file.path))?;
            let entry = first.and_then(|line| Entry::parse(&line.text));
            oldest = oldest.max(entry.and_then(|entry| entry.oldest));
        }
        Ok(oldest)
    }

    /// Their lines, one file after another.
    pub fn lines(self) -> Lines {
        Lines {
            files: self.files.into_iter(),
            file: 0,
            reader: None,
            position: Position::default(),
        }
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
        let file = match File::open(path) {
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

impl LogFile {
    fn new(path: PathBuf, mut file: File, position: &Position) -> Result<Self, ReadError> {
        let mut look = || {
            let there = file.metadata()?;
            file.unlock()?;
            let id = (there.dev(), there.ino());
            let is_known = position.file == Some(id);
            let start = if is_known {
                position.offset.min(there.len())
            } else {
                0
            };
            file.seek(SeekFrom::Start(start))?;
            Ok((id, start, there.len() - start))
        };
        match look() {
            Ok((id, start, length)) => Ok(Self {
                path,
                id,
                start,
                content: file.take(length),
            }),
            Err(source) => Err(ReadError { path, source }),
        }
    }

    /// The first line of the whole file; what is read afterwards is what would have been.
    fn first_line(&self) -> io::Result<Option<LogLine>> {
        // By its path another file may stand there by now.
        let mut file = self.content.get_ref().try_clone()?;
        file.rewind()?;
        let mut reader = BufReader::new(file.take(self.start + self.content.limit()));
        let (line, _) = read_line(&mut reader, 0)?;
        self.content.get_ref().seek(SeekFrom::Start(self.start))?;
        Ok(line)
    }
}

/// The lines of a log.
#[derive(Debug)]
pub struct Lines {
    files: std::vec::IntoIter<LogFile>,
    file: usize,
    reader: Option<(PathBuf, BufReader<Take<File>>)>,
    position: Position,
}

impl Lines {
    /// Behind the last line that was read and has its newline, if its record is that with the
    /// number `last`.
    pub fn position(&self, last: u64) -> Position {
        let position = self.position.clone();
        Position { last, ..position }
    }

    /// The next line of the files, if there is one.
    fn read(&mut self) -> Result<Option<LogLine>, ReadError> {
        loop {
            if let Some((path, reader)) = &mut self.reader {
                let (line, length) = read_line(reader, self.file - 1).map_err(failed(path))?;
                if line.as_ref().is_some_and(|line| line.ended) {
                    self.position.offset += length;
                }
                if line.is_some() {
                    return Ok(line);
                }
            }
            let Some(file) = self.files.next() else {
                return Ok(None);
            };
            self.file += 1;
            self.position.file = Some(file.id);
            self.position.offset = file.start;
            let reader = BufReader::with_capacity(1 << 16, file.content);
            self.reader = Some((file.path, reader));
        }
    }
}

impl Iterator for Lines {
    type Item = Result<LogLine, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// The next line and its length with its newline. Hashes all of it, and keeps as much as a record
/// may have.
fn read_line(
    reader: &mut BufReader<Take<File>>,
    file: usize,
) -> io::Result<(Option<LogLine>, u64)> {
    let mut digest = Sha256::new();
    let mut text = Vec::new();
    let mut ended = false;
    let mut total = 0;
    while !ended {
        let block = reader.fill_buf()?;
        if block.is_empty() {
            break;
        }
        let newline = memchr(b'\n', block);
        ended = newline.is_some();
        let length = newline.unwrap_or(block.len());
        digest.update(&block[..length]);
        let room = LINE_BYTES - text.len();
        text.extend_from_slice(&block[..length.min(room)]);
        let taken = length + usize::from(ended);
        reader.consume(taken);
        total += taken as u64;
    }
    let hash = hex(&digest.finalize());
    let line = (total > 0).then_some(LogLine {
        text,
        hash,
        ended,
        file,
    });
    Ok((line, total))
}
