use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::file_size;
use super::retention::{file_name, remove_old};
use super::visible_path;
use crate::sys::random::random_u64;

/// How much a full-output file holds at most, unless its deployment says otherwise: 1 GiB.
pub const DEFAULT_SPILL_QUOTA: u64 = 1 << 30;

/// Names are random in 64 bits: a second collision is somebody's doing, and a reason to give up.
const ATTEMPTS: usize = 8;

/// Where the whole of an output is kept once it is too much to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpillOptions {
    /// The directory of the file, which must exist.
    pub directory: PathBuf,
    /// The most bytes of the file.
    pub quota_bytes: u64,
}

/// How large the file may get, and what says so.
#[derive(Clone, Copy, Debug)]
struct Most {
    bytes: u64,
    named: &'static str,
}

impl Most {
    fn new(quota_bytes: u64, limit: Option<u64>) -> Self {
        match limit {
            Some(bytes) if bytes < quota_bytes => Self {
                bytes,
                named: "the limit of this process for the size of a file (ulimit -f)",
            },
            _ => Self {
                bytes: quota_bytes,
                named: "its quota",
            },
        }
    }
}

/// The full-output file. Whatever goes wrong with it costs the file or its rest, and is told in
/// one sentence; the command knows nothing of it.
#[derive(Debug)]
pub(super) struct Spill {
    most: Most,
    path: PathBuf,
    file: Option<File>,
    written: u64,
    /// Whether others write to it now.
    handed_over: bool,
    notice: Option<String>,
}

/// A full-output file for those who go on writing to it.
#[derive(Debug)]
pub struct OpenFile {
    /// The file, open at its end.
    pub file: File,
    /// How many more bytes it may have.
    pub room: u64,
}

impl Spill {
    /// Creates the file, which nobody else can read, at a path where nothing was, and removes old
    /// ones beside it.
    pub(super) fn create(options: &SpillOptions) -> Self {
        let names = std::iter::repeat_with(random_u64).take(ATTEMPTS);
        let most = Most::new(options.quota_bytes, file_size::limit());
        let spill = Self::create_named(&options.directory, most, names);
        if let Some(Ok(created)) = spill.file.as_ref().map(File::metadata) {
            remove_old(&options.directory, &created, SystemTime::now());
        }
        spill
    }

    fn create_named(
        directory: &Path,
        most: Most,
        names: impl Iterator<Item = io::Result<u64>>,
    ) -> Self {
        match create_first(directory, names) {
            Ok((path, file)) => Self::to_file(most, path, file),
            Err(error) => Self {
                most,
                path: PathBuf::new(),
                file: None,
                written: 0,
                handed_over: false,
                notice: Some(format!(
                    "The full output could not be kept in {}: {error}.",
                    visible_path(directory)
                )),
            },
        }
    }

    fn to_file(most: Most, path: PathBuf, file: File) -> Self {
        Self {
            most,
            path,
            file: Some(file),
            written: 0,
            handed_over: false,
            notice: None,
        }
    }

    /// The file, if there is one with anything in it, or others will write to it.
    pub(super) fn path(&self) -> Option<&Path> {
        (self.written > 0 || self.handed_over).then_some(&*self.path)
    }

    /// What others may write from now on; none if no more is to be written.
    pub(super) fn hand_over(&mut self) -> Option<OpenFile> {
        let file = self.file.take()?;
        self.handed_over = true;
        Some(OpenFile {
            file,
            room: self.most.bytes - self.written,
        })
    }

    /// What the reader of the result should know about the file.
    pub(super) fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        let Some(file) = &mut self.file else {
            return;
        };
        let room = self.most.bytes - self.written;
        let fits = usize::try_from(room).unwrap_or(usize::MAX).min(bytes.len());
        let (written, result) = write_counted(file, &bytes[..fits]);
        self.written += written;
        if let Err(error) = result {
            self.give_up(&error.to_string());
        } else if fits < bytes.len() {
            self.give_up(&format!("{} is {} bytes", self.most.named, self.most.bytes));
        }
    }

    fn give_up(&mut self, reason: &str) {
        self.file = None;
        let path = visible_path(&self.path);
        self.notice = Some(if self.written > 0 {
            format!(
                "The full output in {path} ends after {} bytes: {reason}.",
                self.written
            )
        } else {
            // Nobody is told of an empty file, so nobody would remove it; if this fails too there
            // is nothing left to try.
            drop(std::fs::remove_file(&self.path));
            format!("The full output could not be kept in {path}: {reason}.")
        });
    }
}

fn create_first(
    directory: &Path,
    names: impl Iterator<Item = io::Result<u64>>,
) -> io::Result<(PathBuf, File)> {
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for name in names {
        let path = directory.join(file_name(name?));
        // Creates it or fails, and follows no link.
        let mut options = OpenOptions::new();
        match options.write(true).create_new(true).mode(0o600).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

/// As `write_all`, but tells how far it came.
fn write_counted(file: &mut File, mut bytes: &[u8]) -> (u64, io::Result<()>) {
    let mut written = 0;
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return (written, Err(io::ErrorKind::WriteZero.into())),
            Ok(count) => {
                written += count as u64;
                bytes = &bytes[count..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (written, Err(error)),
        }
    }
    (written, Ok(()))
}

#[cfg(test)]
mod tests;
