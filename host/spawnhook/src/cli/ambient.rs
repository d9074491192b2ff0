//! What the process was started with: its environment, directories and layers of config.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use spawnhook::builtin::Builtins;
use spawnhook::compiler::{CompileLimits, CompilerProcess};
use spawnhook::config::{Config, Sources};
use spawnhook_hooks::{EngineOptions, KeptCode, Placement, Snapshots};
use spawnhook_model::Env;

use super::args::ConfigFile;
use super::terminal::Abilities;

/// The config that binds every user of the machine.
const SYSTEM_CONFIG: &str = "/etc/spawnhook/config.toml";

/// What is told of a process whose directory was removed.
pub(crate) const NO_CURRENT_DIRECTORY: &str =
    "cannot tell the current directory; go to one that exists";

/// The process's environment.
pub(crate) fn environment() -> Env {
    #[expect(clippy::disallowed_methods, reason = "this is the front end")]
    env::vars_os().collect()
}

/// Loads the config of this deployment.
pub(crate) fn config(file: &ConfigFile) -> anyhow::Result<Config> {
    config_from(file, current_directory()?)
}

/// Loads the config of this deployment as if the process had been started in another directory.
pub(crate) fn config_from(file: &ConfigFile, start_directory: PathBuf) -> anyhow::Result<Config> {
    let user = under_home("XDG_CONFIG_HOME", ".config")?;
    let current = current_directory()?;
    let sources = Sources {
        system: Some(PathBuf::from(SYSTEM_CONFIG)),
        user: Some(user.join("spawnhook/config.toml")),
        explicit: file.path.as_ref().map(|path| current.join(path)),
        state_home: state_home()?,
        start_directory,
        home: Some(home()?),
        env: environment(),
    };
    Ok(Config::load(&sources)?)
}

/// Where the process was started.
pub(crate) fn current_directory() -> anyhow::Result<PathBuf> {
    env::current_dir().context(NO_CURRENT_DIRECTORY)
}

/// The user's home.
pub(crate) fn home() -> anyhow::Result<PathBuf> {
    env::home_dir().context("cannot tell the home directory: set HOME")
}

/// Where programs keep what is to outlive them.
pub(crate) fn state_home() -> anyhow::Result<PathBuf> {
    under_home("XDG_STATE_HOME", ".local/state")
}

/// Where tickets are: in memory where the system has such a place for a user.
pub(crate) fn ticket_directory() -> anyhow::Result<PathBuf> {
    let place = match absolute(&environment(), "XDG_RUNTIME_DIR") {
        Some(place) => place,
        None => state_home()?,
    };
    Ok(place.join("spawnhook/tickets"))
}

/// The directory that an absolute path in a variable names, else one below the home.
pub(crate) fn under_home(variable: &str, default: &str) -> anyhow::Result<PathBuf> {
    match absolute(&environment(), variable) {
        Some(path) => Ok(path),
        None => Ok(home()?.join(default)),
    }
}

/// Where the first-party components come from: `SPAWNHOOK_DIST` names a folder of fresh ones.
pub(crate) fn builtins() -> Builtins {
    environment()
        .get("SPAWNHOOK_DIST")
        .map_or(Builtins::Embedded, |folder| Builtins::Folder(folder.into()))
}

/// How hooks are compiled and called by a process of few calls.
pub(crate) fn engine(snapshots: Snapshots) -> anyhow::Result<EngineOptions> {
    let environment = environment();
    let cache = absolute(&environment, "XDG_CACHE_HOME")
        .or_else(|| env::home_dir().map(|home| home.join(".cache")))
        .map(|directory| directory.join("spawnhook"));
    let program = program()?;
    let compiler = CompilerProcess::new(program, cache.clone(), CompileLimits::default());
    Ok(EngineOptions {
        placement: Placement::InPlace,
        snapshots,
        cache,
        compiler: Some(Arc::new(compiler)),
        ..EngineOptions::default()
    })
}

/// The same for a process of one command, which nothing else waits for.
pub(crate) fn engine_for_one() -> anyhow::Result<EngineOptions> {
    Ok(EngineOptions {
        placement: Placement::Here,
        kept_code: KeptCode::Mapped,
        ..engine(Snapshots::IfKept)?
    })
}

/// Where this program is.
pub(crate) fn program() -> anyhow::Result<PathBuf> {
    env::current_exe().context("cannot tell where this program is")
}

/// The signals that the process was started with as ignored.
pub(crate) struct Ignored(u64);

impl Ignored {
    /// As proc_pid_status(5) has them. Of those that anyone asks about this program ignores none
    /// itself.
    pub(crate) fn now() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mut lines = status.lines();
        let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
        Self(
            mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
                .unwrap_or_default(),
        )
    }

    pub(crate) fn has(&self, signal: i32) -> bool {
        self.0 >> (signal - 1) & 1 == 1
    }
}

/// What the terminal can do, by `TERM`, and what its user wants, by `NO_COLOR`.
pub(crate) fn terminal() -> Abilities {
    let environment = environment();
    let has = |name: &str| environment.get(name).filter(|value| !value.is_empty());
    let moves = has("TERM").is_some_and(|name| name != "dumb");
    Abilities {
        moves,
        colors: moves && has("NO_COLOR").is_none(),
    }
}

/// `TMPDIR`, or `/tmp`.
pub(crate) fn temporary_directory() -> PathBuf {
    env::temp_dir()
}

/// A relative path in such a variable is to be ignored, says the XDG base directory
/// specification.
fn absolute(environment: &Env, variable: &str) -> Option<PathBuf> {
    let value: &OsStr = environment.get(variable)?;
    Some(PathBuf::from(value)).filter(|path| path.is_absolute())
}
