use std::path::{Path, PathBuf};

use super::Config;
use super::error::ConfigError;
use super::file::AuditTable;
use super::key::Key;
use super::origin::Origin;
use super::provenance::{Place, Provenance};
use super::values::{Choice, Parsed};

const PATH: &str = "audit.path";
const DURABILITY: &str = "audit.durability";

/// Where the record is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// An absolute path. By default `spawnhook/audit.jsonl` where the user's state is kept.
    pub path: PathBuf,
    /// What an entry must survive before the command runs.
    pub durability: Durability,
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
    if let Some(written) = table.path {
        let key = Key::from(PATH);
        let path = origin.path(&key, &written)?;
        if binding.is_some() && path != audit.path && is_set(provenance, PATH) {
            let problem = format!(
                "{written:?}: the log is at {}, set by {}, and can't be moved here; remove it",
                audit.path.display(),
                provenance.place(PATH)
            );
            return Err(origin.reject(&key, problem));
        }
        audit.path = path;
    }
    if let Some(Parsed(given)) = table.durability {
        if let Some(binding) = binding.filter(|_| given < audit.durability) {
            let problem = format!(
                "`{}` is weaker than `{}`, {}, and can only grow stronger here; remove it",
                given.name(),
                audit.durability.name(),
                provenance.holder(DURABILITY, binding)
            );
            return Err(origin.reject(&Key::from(DURABILITY), problem));
        }
        audit.durability = given;
    }
    Ok(())
}

fn is_set(provenance: &Provenance, key: &str) -> bool {
    provenance.place(key) != Place::BuiltIn
}
