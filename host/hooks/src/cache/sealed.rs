use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, SealFlags};

/// A file in memory that nobody can change any more, whoever they are.
#[derive(Debug)]
pub(super) struct Sealed(File);

impl Sealed {
    /// Makes one of what `fill` writes.
    pub(super) fn new<E: From<io::Error>>(
        fill: impl FnOnce(&mut File) -> Result<(), E>,
    ) -> Result<Self, E> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let memory = rustix::fs::memfd_create("spawnhook-code", flags).map_err(io::Error::from)?;
        let mut file = File::from(memory);
        fill(&mut file)?;
        let seals = SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE;
        rustix::fs::fcntl_add_seals(&file, seals).map_err(io::Error::from)?;
        Ok(Self(file))
    }

    /// Under which path this process can open it.
    pub(super) fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.0.as_raw_fd()).into()
    }

    pub(super) fn content(&self) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        let mut file = &self.0;
        file.rewind()?;
        file.read_to_end(&mut content)?;
        Ok(content)
    }
}
