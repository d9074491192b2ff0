use std::ffi::OsStr;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How long a full-output file is kept after the last write to it.
pub(super) const RETENTION: Duration = Duration::from_secs(24 * 60 * 60);

/// The most entries of a directory that are looked at: a temporary directory may hold any number,
/// and a command waits meanwhile.
const MAX_ENTRIES: usize = 10_000;

/// The name of the full-output file with this number.
pub(super) fn file_name(number: u64) -> String {
    format!("spawnhook-{number:016x}.log")
}

fn is_file_name(name: &OsStr) -> bool {
    name.to_str()
        .and_then(|name| name.strip_prefix("spawnhook-")?.strip_suffix(".log"))
        .and_then(|hex| u64::from_str_radix(hex, 16).ok())
        .is_some_and(|number| name == &*file_name(number))
}

/// Removes the full-output files in `directory` that belong to the owner of `created`, one that
/// was just made there, and are older than [`RETENTION`] at `now`. What cannot be removed stays:
/// the next time is as good.
pub(super) fn remove_old(directory: &Path, created: &Metadata, now: SystemTime) {
    let entries = fs::read_dir(directory).into_iter().flatten();
    for entry in entries.take(MAX_ENTRIES).flatten() {
        if is_file_name(&entry.file_name()) && is_old(&entry, created.uid(), now).unwrap_or(false) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

/// Follows no link: a link is no file of ours.
fn is_old(entry: &DirEntry, owner: u32, now: SystemTime) -> io::Result<bool> {
    let metadata = entry.metadata()?;
    // A time in the future has no age.
    let age = now.duration_since(metadata.modified()?).unwrap_or_default();
    Ok(metadata.is_file() && metadata.uid() == owner && age > RETENTION)
}

#[cfg(test)]
mod tests;
