use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A layer of the config. The order is that in which they are laid over each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// What applies without any file.
    BuiltIn,
    /// The system's file.
    System,
    /// The file that was named, or else the user's.
    User,
}

/// Where a value came from. Displays `built-in` or `FILE:LINE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// No file sets it.
    #[default]
    BuiltIn,
    /// This file sets it.
    File {
        /// The file, as it was named.
        path: Arc<Path>,
        /// The line of the key, counted from 1.
        line: usize,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("built-in"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
        }
    }
}

/// Where every value of a config came from, and which keys are locked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    pub(super) places: BTreeMap<String, Place>,
    pub(super) locks: BTreeMap<String, Place>,
}

impl Provenance {
    /// The place of a key such as `limits.max_timeout`, `env.set.NAME`, `hook.NAME` or
    /// `hook.NAME.limits.cpu`.
    pub fn place(&self, key: &str) -> Place {
        self.places.get(key).cloned().unwrap_or_default()
    }

    /// Who holds on to the value of `key` against the files below the system's, which is
    /// `binding`.
    pub(super) fn holder(&self, key: &str, binding: &Path) -> String {
        match self.place(key) {
            Place::BuiltIn => format!("built in and left so by {}", binding.display()),
            place => format!("set by {place}"),
        }
    }

    /// Where the key, or a table that it stands in, was locked; none if it is free.
    pub fn lock(&self, key: &str) -> Option<&Place> {
        self.locks
            .iter()
            .find(|(locked, _)| {
                key.strip_prefix(locked.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
            .map(|(_, place)| place)
    }
}
