//! Compiled components, kept between the starts of a host.
//!
//! What is read here becomes machine code of this process. So an entry is loaded only if nobody
//! but this user can have written it, and if it is whole; in every other case the component is
//! compiled anew, and a report says why. An entry that is not there is no news. A mark is a file
//! without content that says by its name that something was found before; it is trusted as an entry
//! is.

mod directory;
mod entry;
mod fault;
mod load;
mod sealed;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use wasmtime::Engine;
use wasmtime::component::Component;

use self::directory::Directory;
use self::entry::{Entry, Key, Keys, Unread};
use self::fault::CacheFault;
use crate::KeptCode;

/// Bytes that all entries may have together. A first-party hook has some 300 KiB, an interpreter
/// some 60 MiB.
const MOST_BYTES: u64 = 512 << 20;

/// The entries of one directory, for one engine.
#[derive(Debug, Default)]
pub(crate) struct CodeCache {
    /// None if there is no directory, or none that can be trusted.
    directory: Option<Directory>,
    kept_code: KeptCode,
    keys: OnceLock<Keys>,
    notices: Mutex<Vec<String>>,
}

impl CodeCache {
    /// The cache in `directory`, which is made if it is missing. One that cannot be made is a
    /// cache without entries; one that cannot be trusted is as well, and is reported.
    pub(crate) fn open(directory: &Path, kept_code: KeptCode) -> Self {
        let opened = Directory::open(directory);
        let cache = Self {
            kept_code,
            ..Self::default()
        };
        match opened {
            Ok(directory) => Self { directory, ..cache },
            Err(fault) => {
                cache.report(&fault);
                cache
            }
        }
    }

    /// The compiled component of this digest, if there is one that can be trusted.
    pub(crate) fn load(&self, engine: &Engine, sha256: &[u8; 32]) -> Option<Component> {
        let directory = self.directory.as_ref()?;
        let key = self.key(engine, sha256);
        match self.read(engine, directory, &key) {
            Ok(component) => component,
            Err(fault) => {
                self.report(&fault);
                None
            }
        }
    }

    /// Keeps a compiled component. What cannot be kept is compiled again the next time.
    pub(crate) fn store(&self, engine: &Engine, sha256: &[u8; 32], component: &Component) {
        let Some(directory) = &self.directory else {
            return;
        };
        let key = self.key(engine, sha256);
        if let Err(fault) = write(directory, &key, component) {
            self.report(&fault);
        }
    }

    /// Whether a mark was left under this name that can be trusted.
    pub(crate) fn has_mark(&self, engine: &Engine, name: &[u8; 32]) -> bool {
        let name = self.key(engine, name).mark_name();
        let has = |directory: &Directory| directory.open_file(&name);
        match self.directory.as_ref().map(has).transpose() {
            Ok(file) => file.flatten().is_some(),
            Err(fault) => {
                self.report(&fault);
                false
            }
        }
    }

    /// Leaves a mark.
    pub(crate) fn mark(&self, engine: &Engine, name: &[u8; 32]) {
        let name = self.key(engine, name).mark_name();
        let written = self.directory.as_ref().map(|directory| {
            directory
                .write(&name, b"")
                .and_then(|()| directory.shrink_to(MOST_BYTES))
        });
        if let Some(Err(fault)) = written {
            self.report(&fault);
        }
    }

    /// What the operator should know; each thing once.
    pub(crate) fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn key(&self, engine: &Engine, name: &[u8; 32]) -> Key {
        self.keys.get_or_init(|| Keys::new(engine)).key(name)
    }

    fn read(
        &self,
        engine: &Engine,
        directory: &Directory,
        key: &Key,
    ) -> Result<Option<Component>, CacheFault> {
        let name = key.name();
        let Some(file) = directory.open_file(&name)? else {
            return Ok(None);
        };
        let path = || directory.path().join(&name);
        let entry = Entry::read(file, key, self.kept_code).map_err(|unread| match unread {
            Unread::Damage(damage) => CacheFault::Damaged {
                path: path(),
                damage,
            },
            Unread::Io(error) => CacheFault::Io {
                verb: "read",
                path: path(),
                error,
            },
        })?;
        let component = load::component(engine, &entry).map_err(|error| CacheFault::Unusable {
            path: path(),
            reason: format!("{error:#}"),
        })?;
        Ok(Some(component))
    }

    fn report(&self, fault: &CacheFault) {
        let notice = format!("cache of compiled hooks: {fault}");
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if !notices.contains(&notice) {
            notices.push(notice);
        }
    }
}

fn write(directory: &Directory, key: &Key, component: &Component) -> Result<(), CacheFault> {
    // A component that came out of the compiler can be written down, unless memory ran out.
    let Ok(code) = component.serialize() else {
        return Ok(());
    };
    let file = entry::file(key, &code);
    if file.len() as u64 > MOST_BYTES {
        return Ok(());
    }
    directory.write(&key.name(), &file)?;
    directory.shrink_to(MOST_BYTES)
}
