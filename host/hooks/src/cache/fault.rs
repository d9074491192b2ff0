use std::io;
use std::path::PathBuf;

use super::entry::Damage;

/// Why something of the cache is not used. Each is told with its way out.
#[derive(Debug, thiserror::Error)]
pub(super) enum CacheFault {
    #[error("{path} is {found}, not {expected}, and is not used; remove it", path = path.display())]
    Kind {
        path: PathBuf,
        found: &'static str,
        expected: &'static str,
    },
    #[error(
        "{path} belongs to user {owner}, not to {user}, and is not used; remove it",
        path = path.display()
    )]
    Foreign {
        path: PathBuf,
        owner: u32,
        user: u32,
    },
    #[error(
        "{path} has mode {mode:03o}, so that others can write to it, and is not used; run \
         `chmod go-w {path}`",
        path = path.display()
    )]
    Writable { path: PathBuf, mode: u32 },
    #[error("{path} is not used: {damage}; it is compiled anew", path = path.display())]
    Damaged { path: PathBuf, damage: Damage },
    #[error("{path} is not used: {reason}; it is compiled anew", path = path.display())]
    Unusable { path: PathBuf, reason: String },
    #[error("cannot {verb} {path}: {error}", path = path.display())]
    Io {
        verb: &'static str,
        path: PathBuf,
        error: io::Error,
    },
}
