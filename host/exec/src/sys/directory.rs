use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use nix::fcntl::{OFlag, open as open_file, openat};
use nix::sys::stat::Mode;

/// Opens a directory for being entered, not for being read.
pub(crate) fn open(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    let directory = open_file(path, flags, Mode::empty())?;
    // Opening so far needs rights for the way alone; looking up a name in it needs the same right
    // as entering it.
    openat(&directory, ".", flags, Mode::empty())?;
    Ok(directory)
}
