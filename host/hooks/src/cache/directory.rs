use std::fs::{self, DirBuilder, File};
use std::io::{self, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::rand::{GetRandomFlags, getrandom};

use super::fault::CacheFault;

/// What group and others must not have: the right to write.
const OTHERS_WRITE: u32 = 0o022;
/// In a directory with this bit nobody removes or renames what is another's.
const STICKY: u32 = 0o1000;

/// What even an empty file takes of the disk.
const LEAST_BYTES: u64 = 4096;

/// A directory that belongs to this user, and that nobody else can write to. Everything goes
/// through its descriptor, so that it stays the one that was checked.
#[derive(Debug)]
pub(super) struct Directory {
    path: PathBuf,
    descriptor: OwnedFd,
}

impl Directory {
    /// Opens a directory, and makes it if it is missing; none if it cannot be made.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, CacheFault> {
        if DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .is_err()
            && !path.exists()
        {
            return Ok(None);
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let descriptor =
            rustix::fs::open(path, flags, Mode::empty()).map_err(|error| match error {
                rustix::io::Errno::NOTDIR | rustix::io::Errno::LOOP => CacheFault::Kind {
                    path: path.to_owned(),
                    found: "a symbolic link or a file",
                    expected: "a directory",
                },
                error => failed("open", path, error.into()),
            })?;
        check(&descriptor, path)?;
        check_ancestors(path)?;
        Ok(Some(Self {
            path: path.to_owned(),
            descriptor,
        }))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A file of this user that nobody else can write to; none if there is no file.
    pub(super) fn open_file(&self, name: &str) -> Result<Option<File>, CacheFault> {
        let path = self.path.join(name);
        // A fifo that nobody writes to must not keep us waiting.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = rustix::fs::openat(&self.descriptor, name, flags, Mode::empty());
        let descriptor = match opened {
            Ok(descriptor) => descriptor,
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(rustix::io::Errno::LOOP) => return Err(no_file(path, "a symbolic link")),
            Err(error) => return Err(failed("open", &path, error.into())),
        };
        check(&descriptor, &path)?;
        let file = File::from(descriptor);
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(no_file(path, "something else"));
        }
        Ok(Some(file))
    }

    /// Puts a file in the place of any that has its name. Others see the old one or the new one,
    /// and nothing between.
    pub(super) fn write(&self, name: &str, content: &[u8]) -> Result<(), CacheFault> {
        let failed = |error| failed("write", &self.path.join(name), error);
        let mut random = [0; size_of::<u64>()];
        getrandom(&mut random, GetRandomFlags::empty()).map_err(|error| failed(error.into()))?;
        let temporary = format!("{:016x}.new", u64::from_ne_bytes(random));
        let written = self.write_anew(&temporary, content).and_then(|()| {
            rustix::fs::renameat(&self.descriptor, &temporary, &self.descriptor, name)?;
            Ok(())
        });
        written.map_err(|error| {
            // What is left is removed with the oldest entries in the end.
            self.remove(&temporary).ok();
            failed(error)
        })
    }

    fn write_anew(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let mut file = File::from(rustix::fs::openat(&self.descriptor, name, flags, mode)?);
        file.write_all(content)?;
        file.sync_data()
    }

    fn remove(&self, name: impl rustix::path::Arg) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(
            &self.descriptor,
            name,
            AtFlags::empty(),
        )?)
    }

    /// Removes the oldest files until all together have no more than `most_bytes`.
    pub(super) fn shrink_to(&self, most_bytes: u64) -> Result<(), CacheFault> {
        self.try_shrink_to(most_bytes)
            .map_err(|error| failed("shrink", &self.path, error))
    }

    fn try_shrink_to(&self, most_bytes: u64) -> io::Result<()> {
        let mut files = Vec::new();
        for file in Dir::read_from(&self.descriptor)? {
            let file = file?;
            let flags = AtFlags::SYMLINK_NOFOLLOW;
            // Another host may have removed it.
            let Ok(stat) = rustix::fs::statat(&self.descriptor, file.file_name(), flags) else {
                continue;
            };
            if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
                let size = u64::try_from(stat.st_size).unwrap_or(0).max(LEAST_BYTES);
                let age = (stat.st_mtime, stat.st_mtime_nsec);
                files.push((age, size, file.file_name().to_owned()));
            }
        }
        files.sort();
        let mut bytes: u64 = files.iter().map(|(_, size, _)| size).sum();
        for (_, size, name) in files {
            if bytes <= most_bytes {
                break;
            }
            self.remove(name).ok();
            bytes -= size;
        }
        Ok(())
    }
}

/// Checks that what is open is this user's alone.
fn check(descriptor: impl AsFd, path: &Path) -> Result<(), CacheFault> {
    let stat =
        rustix::fs::fstat(descriptor).map_err(|error| failed("check", path, error.into()))?;
    let user = rustix::process::geteuid().as_raw();
    if stat.st_uid != user {
        return Err(CacheFault::Foreign {
            path: path.to_owned(),
            owner: stat.st_uid,
            user,
        });
    }
    if stat.st_mode & OTHERS_WRITE != 0 {
        return Err(writable(path, stat.st_mode));
    }
    Ok(())
}

/// Whoever can write to a directory above can put another in the place of this one.
fn check_ancestors(path: &Path) -> Result<(), CacheFault> {
    let whole = fs::canonicalize(path).map_err(|error| failed("find", path, error))?;
    for above in whole.ancestors().skip(1) {
        let metadata = fs::metadata(above).map_err(|error| failed("check", above, error))?;
        let mode = metadata.mode();
        if mode & OTHERS_WRITE != 0 && mode & STICKY == 0 {
            return Err(writable(above, mode));
        }
    }
    Ok(())
}

fn writable(path: &Path, mode: u32) -> CacheFault {
    CacheFault::Writable {
        path: path.to_owned(),
        mode: mode & 0o777,
    }
}

fn no_file(path: PathBuf, found: &'static str) -> CacheFault {
    CacheFault::Kind {
        path,
        found,
        expected: "a regular file",
    }
}

fn failed(verb: &'static str, path: &Path, error: io::Error) -> CacheFault {
    CacheFault::Io {
        verb,
        path: path.to_owned(),
        error,
    }
}

#[cfg(test)]
mod tests;
