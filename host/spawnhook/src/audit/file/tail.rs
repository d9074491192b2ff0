//! What stands at the end of a file.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};

use serde::Deserialize;

use crate::audit::record::sha256_hex;

/// What `prev` of the first record holds.
pub(crate) const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The step in which the end of the file is searched for the last line; more than most records.
pub(super) const BACKWARD_STEP: u64 = 16 * 1024;

/// What the next record follows.
#[derive(Debug)]
pub(super) struct Tail {
    pub(super) next_seq: u64,
    pub(super) last_hash: String,
    /// The last line has no newline, because its writer died.
    pub(super) torn: bool,
}

impl Default for Tail {
    /// Before the first record.
    fn default() -> Self {
        Self {
            next_seq: 1,
            last_hash: GENESIS.to_owned(),
            torn: false,
        }
    }
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

impl Tail {
    /// Reads lines from the end until one has a number. A line that has none, because it was torn
    /// or tampered with, still counts as one, so that a record's number is that of its line. If
    /// none has one, they are counted on from what stands `before` the file.
    pub(super) fn read(
        file: &mut File,
        length: u64,
        before: impl FnOnce() -> io::Result<Self>,
    ) -> io::Result<Self> {
        let mut last = None;
        let mut end = length;
        let mut lines_after = 0;
        while end > 0 {
            let (start, line) = read_line_before(file, end)?;
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let (last_hash, torn) =
                last.get_or_insert_with(|| (sha256_hex(text), !line.ends_with(b"\n")));
            if let Some(seq) = number(text) {
                return Ok(Self {
                    next_seq: seq.saturating_add(lines_after + 1),
                    last_hash: std::mem::take(last_hash),
                    torn: *torn,
                });
            }
            lines_after += 1;
            end = start;
        }
        let before = before()?;
        let (last_hash, torn) = last.unwrap_or((before.last_hash, false));
        Ok(Self {
            next_seq: before.next_seq.saturating_add(lines_after),
            last_hash,
            torn,
        })
    }

    /// What the first record follows that is written after a file was put aside whose last line
    /// has the number `last`.
    pub(super) fn of_rotated(file: &mut File, last: u64) -> io::Result<Self> {
        let length = file.metadata()?.len();
        let (_, line) = read_line_before(file, length)?;
        Ok(Self {
            next_seq: last.saturating_add(1),
            last_hash: sha256_hex(line.strip_suffix(b"\n").unwrap_or(&line)),
            torn: false,
        })
    }
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
