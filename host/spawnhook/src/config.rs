//! The deployment config: which hooks run with which rights, and the limits of every command.
//!
//! Three layers, each over the one before: what is built in, the system's file, and the file that
//! was named or, without one, the user's. Each may change what the one before it set, except that
//! **the system's file binds the file below it**, with everything that it left at what is built
//! in: hooks stay and run first in their stage, maxima only shrink, exclusions stay, the audit log
//! stays where it was put and as durable, and the keys of `locked` are refused. Where there is no system's file nothing binds, and the one file that
//! there is may replace whatever is built in.

mod audit;
mod error;
mod file;
mod hook_entry;
mod hook_policy;
mod hooks;
mod key;
mod layers;
mod limits;
mod origin;
mod provenance;
mod settings;
mod show;
mod source;
mod values;
mod warnings;
mod words;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use spawnhook_exec::{DEFAULT_SPILL_QUOTA, DEFAULT_STOP_GRACE, Leftovers, Rlimits};
use spawnhook_model::{Env, OutputLimits, Timeout};

use crate::env_policy::{EnvPolicy, SessionVariables};

pub use audit::{Audit, Durability};
pub use error::ConfigError;
pub(crate) use file::{HookLimitsTable, MayTable};
pub use hook_entry::{Component, HookEntry, HookLimitsConfig, Profile, WhenConfig};
pub use hook_policy::HookPolicy;
pub(crate) use hooks::{limits as hook_limits, may as hook_rights};
pub use provenance::{Layer, Place, Provenance};
pub(crate) use values::Parsed;

/// What the front end finds out for the config, which itself reads nothing but the files named
/// here.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The system's file, `/etc/spawnhook/config.toml`. It need not exist.
    pub system: Option<PathBuf>,
    /// The user's file, `$XDG_CONFIG_HOME/spawnhook/config.toml`. It need not exist.
    pub user: Option<PathBuf>,
    /// The file that was named on the command line; it replaces the user's, and must exist.
    pub explicit: Option<PathBuf>,
    /// Where the host was started, an absolute path.
    pub start_directory: PathBuf,
    /// Where the user's state is kept: `$XDG_STATE_HOME` or `~/.local/state`.
    pub state_home: PathBuf,
    /// The home that `~` stands for, if one is known.
    pub home: Option<PathBuf>,
    /// The host's own environment, for `{ env = "NAME" }`.
    pub env: Env,
}

impl Sources {
    /// No files, no home and no environment. Commands run in the workspace, and the audit log is
    /// below the state's directory; both are absolute paths.
    pub fn none(workspace: impl Into<PathBuf>, state_home: impl Into<PathBuf>) -> Self {
        Self {
            system: None,
            user: None,
            explicit: None,
            start_directory: workspace.into(),
            state_home: state_home.into(),
            home: None,
            env: Env::new(),
        }
    }
}

/// The effective config.
///
/// Its `Debug` form is that of [`Config::show`], which masks secrets.
#[derive(Clone, PartialEq)]
pub struct Config {
    /// The shell that runs commands.
    pub shell: Shell,
    /// The limits of every command.
    pub limits: Limits,
    /// What the system lets each process of a command have.
    pub process: Rlimits,
    /// Where commands run.
    pub workspace: Workspace,
    /// Which variables of the host commands get.
    pub env: EnvPolicy,
    /// How commands learn which session they belong to.
    pub session: SessionVariables,
    /// Where the record is kept.
    pub audit: Audit,
    /// What holds for all hooks.
    pub hook_policy: HookPolicy,
    /// The hooks in the order of their calls: by stage, then by layer, then as they are written.
    ///
    /// Without a file this is `builtin:audit-log` in stage `audit`. It stays when files add hooks.
    /// A file that nothing binds replaces it with a hook of the same name; that it can't be left
    /// out by mistake, nor by a layer below the system's file, is the point.
    pub hooks: Vec<HookEntry>,
    /// Where every value came from.
    pub provenance: Provenance,
    /// The names in `env.set` whose values came from a file or a variable.
    masked_env: Vec<String>,
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show())
    }
}

/// The shell that runs commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shell {
    /// An absolute path; none for the first bash that is found.
    pub path: Option<PathBuf>,
    /// Shell text that is put before every command, on lines of its own. Empty for none.
    pub prefix: String,
}

/// The limits of every command.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The time limit of a request that names none; at most [`Self::max_timeout`].
    pub default_timeout: Timeout,
    /// The longest time limit that a request may ask for.
    pub max_timeout: Timeout,
    /// How much of the output a caller gets.
    pub output: OutputLimits,
    /// The size in bytes that a full-output file may reach.
    pub spill_quota: u64,
    /// How long a command may take to end after it was asked to, before it is killed.
    pub stop_grace: Duration,
    /// The most that may become of the processes that a command leaves; none for what the front
    /// end has as its default.
    pub leftovers: Option<Leftovers>,
}

impl Default for Limits {
    /// 120 s where a request names no limit and at most 3600 s: long enough for a build, short
    /// enough that a command which waits for input is noticed. 1 GiB of full output. 250 ms of
    /// grace: a shell that traps the signal cleans up in less, and a person who cancels waits.
    fn default() -> Self {
        let seconds = |seconds| {
            Timeout::from_seconds(seconds).expect("invariant: the built-in timeouts are valid")
        };
        Self {
            default_timeout: seconds(120.0),
            max_timeout: seconds(3600.0),
            output: OutputLimits::default(),
            spill_quota: DEFAULT_SPILL_QUOTA,
            stop_grace: DEFAULT_STOP_GRACE,
            leftovers: None,
        }
    }
}

/// Where commands run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// The root, an absolute path. By default where the host was started.
    pub root: PathBuf,
    /// Whether a command's working directory must be the root or below it. True by default.
    pub confine_cwd: bool,
    /// Who chooses the working directory.
    pub cwd: CwdPolicy,
}

/// Who chooses a command's working directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CwdPolicy {
    /// The request may.
    #[default]
    Request,
    /// It is always the root of the workspace.
    Fixed,
}

impl Config {
    /// Reads the files of `sources` and lays them over what is built in.
    ///
    /// # Errors
    ///
    /// The first fault that is found: a file that can't be read, or a key or value that can't
    /// stand, with its file, line and column.
    pub fn load(sources: &Sources) -> Result<Self, ConfigError> {
        layers::load(sources)
    }

    /// What applies where no file is.
    pub fn built_in(sources: &Sources) -> Self {
        layers::built_in(sources)
    }

    /// The effective config as TOML, one key a line, each with the place that its value came
    /// from. Values that were read from files or variables are shown as `***`.
    pub fn show(&self) -> String {
        show::show(self)
    }
}
