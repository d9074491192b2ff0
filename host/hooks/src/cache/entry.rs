#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::fs::File;
use std::hash::{Hash as _, Hasher};
use std::io::{self, Read as _, Write};
use std::os::unix::fs::FileExt as _;

use sha2::{Digest as _, Sha256};
use wasmtime::Engine;
use xxhash_rust::xxh3::Xxh3;

use super::sealed::Sealed;
use crate::KeptCode;

/// What follows the code in a file of the cache, before key and checksum. The code comes first so
/// that the file can be mapped as it is.
const MAGIC: &[u8; 16] = b"spawnhook-code\0\0";

/// The form of the files, and the strictness of what comes before compiling: an entry also says
/// that its component was let in. Counted up whenever either changes.
const FORMAT: u32 = 4;

const DIGEST: usize = 32;
/// XXH3 with 128 bits.
const CHECKSUM: usize = 16;
const TRAILER: usize = MAGIC.len() + DIGEST + CHECKSUM;

/// What is copied at once: little enough to stay near the processor until it is written.
const STEP: usize = 16 << 10;

/// Makes the keys of one engine.
#[derive(Clone, Debug)]
pub(super) struct Keys(Sha256);

/// Names one component as one engine compiles it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key([u8; DIGEST]);

/// The verified code of an entry, what `Component::serialize` had returned.
#[derive(Debug)]
pub(super) enum Entry {
    /// A copy out of everybody's reach, to be mapped.
    Sealed(Sealed),
    /// Where there can be no such file.
    Owned(Vec<u8>),
    /// The entry itself, to be mapped.
    File(File),
}

/// What is wrong with the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Damage {
    #[error("it is cut off")]
    Short,
    #[error("it does not end as an entry does: it is cut off, or is none")]
    Magic,
    #[error("it is the entry of another component or version")]
    Key,
    #[error("it was changed: its checksum does not fit")]
    Checksum,
}

/// Why an entry could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unread {
    #[error(transparent)]
    Damage(#[from] Damage),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Keys {
    pub(super) fn new(engine: &Engine) -> Self {
        Self::of_format(FORMAT, engine)
    }

    pub(super) fn of_format(format: u32, engine: &Engine) -> Self {
        let mut digest = Digester(Sha256::new());
        digest.write(&format.to_le_bytes());
        // The version of the compiler, the machine and every setting that shapes the code.
        engine.precompile_compatibility_hash().hash(&mut digest);
        Self(digest.0)
    }

    pub(super) fn key(&self, component: &[u8; DIGEST]) -> Key {
        let digest = self.0.clone().chain_update(component);
        Key(digest.finalize().into())
    }
}

impl Key {
    /// The name of its file.
    pub(super) fn name(&self) -> String {
        format!("{}.code", self.hex())
    }

    /// The name of the file of a mark.
    pub(super) fn mark_name(&self) -> String {
        format!("{}.mark", self.hex())
    }

    fn hex(&self) -> String {
        let mut hex = String::with_capacity(2 * DIGEST);
        for byte in self.0 {
            write!(hex, "{byte:02x}").expect("invariant: a String takes all text");
        }
        hex
    }
}

impl Entry {
    /// Takes the code out of the file of an entry, if that is whole and is the entry of `key`.
    pub(super) fn read(file: File, key: &Key, kept_code: KeptCode) -> Result<Self, Unread> {
        let code_length = file.metadata()?.len().checked_sub(TRAILER as u64);
        let code_length = code_length.ok_or(Damage::Short)?;
        if kept_code == KeptCode::Mapped {
            copy_verified(&file, code_length, key, &mut io::sink())?;
            return Ok(Self::File(file));
        }
        match Sealed::begin(code_length) {
            Some(mut memory) => {
                copy_verified(&file, code_length, key, &mut memory)?;
                Ok(Self::Sealed(Sealed::seal(memory)?))
            }
            None => {
                let mut code = Vec::new();
                copy_verified(&file, code_length, key, &mut code)?;
                Ok(Self::Owned(code))
            }
        }
    }
}

/// The file of an entry: code, magic, key, checksum of key and code.
pub(super) fn file(key: &Key, code: &[u8]) -> Vec<u8> {
    let mut checksum = Checksum::new(key);
    checksum.update(code);
    let mut file = Vec::with_capacity(code.len() + TRAILER);
    file.extend_from_slice(code);
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&key.0);
    file.extend_from_slice(&checksum.finish());
    file
}

/// Checks that a file is whole and is the entry of `key`, while it copies the code. What is copied
/// is what was checked, whatever happens to the file meanwhile.
fn copy_verified(
    file: &File,
    code_length: u64,
    key: &Key,
    copy: &mut impl Write,
) -> Result<(), Unread> {
    let mut trailer = [0; TRAILER];
    file.read_exact_at(&mut trailer, code_length)?;
    let (magic, of_entry) = trailer.split_at(MAGIC.len());
    let (of_key, of_code) = of_entry.split_at(DIGEST);
    if magic != MAGIC {
        return Err(Damage::Magic.into());
    }
    if of_key != key.0 {
        return Err(Damage::Key.into());
    }
    let mut checksum = Checksum::new(key);
    let mut code = file.take(code_length);
    let mut step = vec![0; STEP];
    loop {
        let length = code.read(&mut step)?;
        if length == 0 {
            break;
        }
        checksum.update(&step[..length]);
        copy.write_all(&step[..length])?;
    }
    if of_code != checksum.finish() {
        return Err(Damage::Checksum.into());
    }
    Ok(())
}

/// Finds what was cut off or changed. Whoever can write an entry can write its checksum too, and
/// [`Directory`](super::directory::Directory) sees to it that this is the user alone: so it has to
/// withstand accidents and nobody, and is as fast as the code can be read.
struct Checksum(Xxh3);

impl Checksum {
    fn new(key: &Key) -> Self {
        let mut checksum = Self(Xxh3::new());
        checksum.update(&key.0);
        checksum
    }

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> [u8; CHECKSUM] {
        self.0.digest128().to_le_bytes()
    }
}

/// Takes what is hashed into a digest that does not collide.
struct Digester(Sha256);

impl Hasher for Digester {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Unused: the digest itself is taken.
    fn finish(&self) -> u64 {
        let digest: [u8; DIGEST] = self.0.clone().finalize().into();
        u64::from_le_bytes(*digest.first_chunk().expect("invariant: a digest is longer"))
    }
}
