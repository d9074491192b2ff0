use std::path::PathBuf;

use crate::Env;

/// One command on its way to being spawned: what every hook receives and returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpawnContext {
    /// Shell source text, as `bash -c` is given it.
    pub command: String,
    /// The working directory, an absolute path.
    pub cwd: PathBuf,
    /// The whole environment of the command, not an addition to some other.
    pub env: Env,
}
