use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Config;
use super::error::ConfigError;
use super::file::AuditTable;
use super::key::Key;
use super::origin::Origin;
use super::provenance::{Place, Provenance};
use super::values::{Choice, Parsed, Positive, duration_text, size_text};

const PATH: &str = "audit.path";
const DURABILITY: &str = "audit.durability";
const SIZE: &str = "audit.rotate_size";
const AGE: &str = "audit.rotate_age";
const KEEP: &str = "audit.rotate_keep";
const SYSLOG: &str = "audit.syslog";

/// Where the record is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// An absolute path. By default `spawnhook/audit.jsonl` where the user's state is kept.
    pub path: PathBuf,
    /// What an entry must survive before the command runs.
    pub durability: Durability,
    /// The size in bytes at which the file is put aside and a new one begun; none for no such
    /// size.
    pub rotate_size: Option<u64>,
    /// The age of its first record at which it is; none for no such age.
    pub rotate_age: Option<Duration>,
    /// How many of the files that were put aside are kept, at least one; none for all.
    pub rotate_keep: Option<u64>,
    /// The socket of a syslog daemon that gets every record as well; none for no such daemon.
    pub syslog: Option<PathBuf>,
}

/// What an audit entry must survive before the command runs, the weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Nothing: no log is kept.
    None,
    /// The death of the host: it was written.
    #[default]
    Write,
    /// A power cut: it was written and flushed to the disk.
    Fsync,
}

impl Audit {
    /// A log at an absolute path, with the defaults.
    pub fn at(path: PathBuf) -> Self {
        Self {
            path,
            durability: Durability::default(),
            rotate_size: None,
            rotate_age: None,
            rotate_keep: None,
            syslog: None,
        }
    }
}

/// Lays what a file sets over the audit log of `config`; `binding` is the system's file, if this
/// one stands below it.
pub(super) fn lay(
    config: &mut Config,
    table: AuditTable,
    binding: Option<&Path>,
    origin: &Origin<'_>,
) -> Result<(), ConfigError> {
    let Config {
        audit, provenance, ..
    } = config;
    let bounds = Bounds {
        origin,
        provenance,
        binding,
    };
    if let Some(written) = table.path {
        let path = origin.path(&Key::from(PATH), &written)?;
        let problem = |before: &PathBuf| {
            let (before, place) = (before.display(), provenance.place(PATH));
            format!("{written:?}: the log is at {before}, set by {place}, and can't be moved here")
        };
        bounds.set(PATH, &mut audit.path, path, problem)?;
    }
    if let Some(Parsed(given)) = table.durability {
        bounds.strengthen(&mut audit.durability, given)?;
    }
    if let Some(Parsed(given)) = table.rotate_keep {
        bounds.keep_more(&mut audit.rotate_keep, given.0 as u64)?;
    }
    if let Some(Parsed(Positive(given))) = table.rotate_size {
        bounds.rotate(SIZE, &mut audit.rotate_size, given.0, size_text)?;
    }
    if let Some(Parsed(Positive(given))) = table.rotate_age {
        bounds.rotate(AGE, &mut audit.rotate_age, given, duration_text)?;
    }
    if let Some(written) = table.syslog {
        let given = Some(origin.path(&Key::from(SYSLOG), &written)?);
        let problem = |_: &Option<PathBuf>| {
            let place = provenance.place(SYSLOG);
            format!(
                "{written:?}: {place} says where records go besides, and it can't be changed here"
            )
        };
        bounds.set(SYSLOG, &mut audit.syslog, given, problem)?;
    }
    Ok(())
}

/// A file that sets keys of the audit log, and what binds it.
struct Bounds<'a> {
    origin: &'a Origin<'a>,
    provenance: &'a Provenance,
    binding: Option<&'a Path>,
}

impl Bounds<'_> {
    /// Sets what no layer below the one that set it first may change.
    fn set<T: PartialEq>(
        &self,
        key: &str,
        slot: &mut T,
        given: T,
        problem: impl Fn(&T) -> String,
    ) -> Result<(), ConfigError> {
        if self.binding.is_some() && given != *slot && self.is_set(key) {
            return Err(self.reject(key, &problem(slot)));
        }
        *slot = given;
        Ok(())
    }

    fn strengthen(&self, slot: &mut Durability, given: Durability) -> Result<(), ConfigError> {
        if let Some(binding) = self.binding.filter(|_| given < *slot) {
            let problem = format!(
                "`{}` is weaker than `{}`, {}, and can only grow stronger here",
                given.name(),
                slot.name(),
                self.provenance.holder(DURABILITY, binding)
            );
            return Err(self.reject(DURABILITY, &problem));
        }
        *slot = given;
        Ok(())
    }

    /// None keeps all.
    fn keep_more(&self, slot: &mut Option<u64>, given: u64) -> Result<(), ConfigError> {
        if let Some(binding) = self
            .binding
            .filter(|_| slot.is_none_or(|kept| given < kept))
        {
            let kept = slot.map_or("all".to_owned(), |kept| kept.to_string());
            let problem = format!(
                "{given} files are fewer than {kept}, {}, and no fewer can be kept here",
                self.provenance.holder(KEEP, binding)
            );
            return Err(self.reject(KEEP, &problem));
        }
        *slot = Some(given);
        Ok(())
    }

    /// Where old files are removed, it depends on when new ones are begun how much is kept.
    fn rotate<T: PartialEq + Copy>(
        &self,
        key: &str,
        slot: &mut Option<T>,
        given: T,
        text: fn(T) -> String,
    ) -> Result<(), ConfigError> {
        if self.binding.is_some() && *slot != Some(given) && self.is_set(KEEP) {
            let problem = format!(
                "{}: {} says how many files are kept, so how much is in one can't be changed here",
                text(given),
                self.provenance.place(KEEP)
            );
            return Err(self.reject(key, &problem));
        }
        self.set(key, slot, Some(given), |before| {
            let before = before.map(text).unwrap_or_default();
            let place = self.provenance.place(key);
            format!(
                "{}: it is {before}, set by {place}, and can't be changed here",
                text(given)
            )
        })
    }

    fn is_set(&self, key: &str) -> bool {
        self.provenance.place(key) != Place::BuiltIn
    }

    fn reject(&self, key: &str, problem: &str) -> ConfigError {
        self.origin
            .reject(&Key::from(key), format!("{problem}; remove it"))
    }
}
