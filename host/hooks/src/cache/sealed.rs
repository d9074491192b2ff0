use std::fs::File;
use std::io;

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::process::{Resource, getrlimit};

/// A file in memory that nobody can change any more, whoever they are.
#[derive(Debug)]
pub(super) struct Sealed(File);

impl Sealed {
    /// An empty file in memory for `length` bytes; none where the system gives none. The limit of
    /// the size of files holds for it too, and who writes beyond that is ended.
    pub(super) fn begin(length: u64) -> Option<File> {
        let limit = getrlimit(Resource::Fsize).current;
        if limit.is_some_and(|limit| limit < length) {
            return None;
        }
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let memory = rustix::fs::memfd_create("spawnhook-code", flags);
        memory.ok().map(File::from)
    }

    /// Ends all writing to a file in memory.
    pub(super) fn seal(memory: File) -> io::Result<Self> {
        let seals = SealFlags::SEAL | SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE;
        rustix::fs::fcntl_add_seals(&memory, seals)?;
        Ok(Self(memory))
    }

    pub(super) fn file(&self) -> &File {
        &self.0
    }
}
