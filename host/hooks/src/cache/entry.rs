use std::fmt::Write as _;
use std::hash::{Hash as _, Hasher};

use sha2::{Digest as _, Sha256};
use wasmtime::Engine;

/// What a file of the cache begins with.
const MAGIC: &[u8; 16] = b"spawnhook-code\0\0";

/// The form of the files, and the strictness of what comes before compiling: an entry also says
/// that its component was let in. Counted up whenever either changes.
const FORMAT: u32 = 1;

const DIGEST: usize = 32;
const HEADER: usize = MAGIC.len() + 2 * DIGEST;

/// Names one component as one engine compiles it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key([u8; DIGEST]);

/// The verified content of a file.
#[derive(Debug)]
pub(super) struct Entry(Vec<u8>);

/// What is wrong with the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Damage {
    #[error("it is cut off")]
    Short,
    #[error("it does not begin as an entry does")]
    Magic,
    #[error("it is the entry of another component or version")]
    Key,
    #[error("it was changed or is cut off: its digest does not fit")]
    Digest,
}

impl Key {
    pub(super) fn new(engine: &Engine, component: &[u8; DIGEST]) -> Self {
        Self::of_format(FORMAT, engine, component)
    }

    pub(super) fn of_format(format: u32, engine: &Engine, component: &[u8; DIGEST]) -> Self {
        let mut digest = Digester(Sha256::new());
        digest.write(&format.to_le_bytes());
        digest.write(component);
        // The version of the compiler, the machine and every setting that shapes the code.
        engine.precompile_compatibility_hash().hash(&mut digest);
        Self(digest.0.finalize().into())
    }

    /// The name of its file.
    pub(super) fn name(&self) -> String {
        let mut name = String::with_capacity(2 * DIGEST + 5);
        for byte in self.0 {
            write!(name, "{byte:02x}").expect("invariant: a String takes all text");
        }
        name.push_str(".code");
        name
    }
}

impl Entry {
    /// What `Component::serialize` had returned.
    pub(super) fn code(&self) -> &[u8] {
        &self.0[HEADER..]
    }
}

/// The file of an entry: magic, key, digest over key and code, code.
pub(super) fn file(key: &Key, code: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(HEADER + code.len());
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&key.0);
    file.extend_from_slice(&digest(key, code));
    file.extend_from_slice(code);
    file
}

/// Checks that a file is whole and is the entry of `key`.
pub(super) fn verify(file: Vec<u8>, key: &Key) -> Result<Entry, Damage> {
    let Some((header, code)) = file.split_at_checked(HEADER) else {
        return Err(Damage::Short);
    };
    let (magic, digests) = header.split_at(MAGIC.len());
    let (of_key, of_code) = digests.split_at(DIGEST);
    if magic != MAGIC {
        Err(Damage::Magic)
    } else if of_key != key.0 {
        Err(Damage::Key)
    } else if of_code != digest(key, code) {
        Err(Damage::Digest)
    } else {
        Ok(Entry(file))
    }
}

fn digest(key: &Key, code: &[u8]) -> [u8; DIGEST] {
    let mut digest = Sha256::new_with_prefix(key.0);
    digest.update(code);
    digest.finalize().into()
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
