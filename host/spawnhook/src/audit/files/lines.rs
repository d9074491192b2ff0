use std::io::{self, BufRead};

use memchr::memchr;
use sha2::{Digest as _, Sha256};

use super::{LogFile, LogFiles, Position, ReadError, Reading, failed};
use crate::audit::record::hex;

/// How much of a line is kept. A record is shorter: its entry has 64 KiB at most.
const LINE_BYTES: usize = 4 << 20;

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

/// The lines of a log.
#[derive(Debug)]
pub struct Lines {
    files: std::vec::IntoIter<LogFile>,
    from: Position,
    current: Option<(LogFile, Reading)>,
    file: usize,
    position: Position,
}

impl Lines {
    pub(super) fn of(files: LogFiles) -> Self {
        Self {
            files: files.files.into_iter(),
            from: files.from,
            current: None,
            file: 0,
            position: Position::default(),
        }
    }

    /// Behind the last line that was read and has its newline, if its record is that with the
    /// number `last`.
    pub fn position(&self, last: u64) -> Position {
        let position = self.position.clone();
        Position { last, ..position }
    }

    /// The next line of the files, if there is one.
    fn read(&mut self) -> Result<Option<LogLine>, ReadError> {
        loop {
            if let Some((file, reading)) = &mut self.current {
                let read = read_line(&mut reading.reader, self.file - 1);
                let (line, length) = read.map_err(failed(&file.path))?;
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
            let reading = file.read_from(&self.from).map_err(failed(&file.path))?;
            self.file += 1;
            self.position.file = Some(reading.id);
            self.position.offset = reading.start;
            self.current = Some((file, reading));
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
pub(super) fn read_line(
    reader: &mut impl BufRead,
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
