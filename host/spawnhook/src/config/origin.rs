use std::fmt::Display;
use std::path::{Path, PathBuf};

use super::Sources;
use super::error::ConfigError;
use super::key::Key;
use super::source::Source;

const STATE_HOME: &str = "$XDG_STATE_HOME";

/// The file that a value stands in, and what the front end knows: what it takes to say what the
/// value means.
pub(super) struct Origin<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) sources: &'a Sources,
}

impl Origin<'_> {
    /// The absolute form of a path that the file sets at `key`, relative to the file's folder.
    pub(super) fn path(&self, key: &Key, written: &str) -> Result<PathBuf, ConfigError> {
        self.path_from(&self.source.folder(), key, written)
    }

    /// The same, relative to `base`; where `base` is relative it starts where the host did.
    pub(super) fn path_from(
        &self,
        base: &Path,
        key: &Key,
        written: &str,
    ) -> Result<PathBuf, ConfigError> {
        let path = self
            .expand(written)
            .map_err(|problem| self.reject(key, format!("{written:?}: {problem}")))?;
        let absolute = self.sources.start_directory.join(base).join(path);
        // Drops what changes nothing, so that the path is shown as a person would write it.
        Ok(absolute.components().collect())
    }

    pub(super) fn reject(&self, key: &Key, problem: impl Display) -> ConfigError {
        self.source.reject(key, problem)
    }

    fn expand(&self, written: &str) -> Result<PathBuf, String> {
        if written.is_empty() || written.contains('\0') {
            return Err("a path is neither empty nor contains NUL".to_owned());
        }
        if let Some(rest) = below(written, "~") {
            let home = self.sources.home.as_ref();
            return home.map(|home| home.join(rest)).ok_or_else(|| {
                "no home is known that `~` could stand for; write the path out".to_owned()
            });
        }
        if let Some(rest) = below(written, STATE_HOME) {
            return Ok(self.sources.state_home.join(rest));
        }
        if written.starts_with(['~', '$']) {
            return Err(format!(
                "only `~/` and `{STATE_HOME}/` are expanded at the head of a path; write it out, \
                 or put `./` before it"
            ));
        }
        Ok(written.into())
    }
}

/// What follows `head` in the path, if that is how the path starts.
fn below<'a>(path: &'a str, head: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(head)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix('/')
            .map(|rest| rest.trim_start_matches('/'))
    }
}
