//! From the config of a deployment to the chain of its hooks.

use bytes::Bytes;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use spawnhook_hooks::{
    Chain, ChainError, EngineError, EngineOptions, HookEngine, HookLimits, HookLoadError, HookSpec,
    When, WhenError,
};
use spawnhook_model::Stage;

use crate::builtin::{BuiltinError, Builtins};
use crate::config::{Component, Config, HookEntry, HookLimitsConfig, HookPolicy, Profile};

/// A hook that no config names: a file, put behind the configured hooks of its stage, with all
/// that its stage lets it do to the command and the directory, and no variables.
#[derive(Clone, Debug)]
pub struct ExtraHook {
    stage: Stage,
    file: PathBuf,
}

impl ExtraHook {
    /// The component in `file`, in `stage`. The hook is named as the file.
    pub fn new(stage: Stage, file: PathBuf) -> Self {
        Self { stage, file }
    }
}

/// Why a host cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// WebAssembly cannot be run here.
    #[error("cannot run WebAssembly hooks")]
    Engine(#[from] EngineError),
    /// There is no such component.
    #[error("hook `{hook}`: cannot be loaded")]
    Builtin {
        /// The hook.
        hook: String,
        /// Why.
        #[source]
        source: BuiltinError,
    },
    /// The component's file cannot be read.
    #[error("hook `{hook}`: cannot read its component {}", path.display())]
    Read {
        /// The hook.
        hook: String,
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The deployment wants digests, and a hook of the command line has none.
    #[error(
        "hook `{hook}`: this deployment has `hooks.require_pins`, and a hook of the command line \
         has no digest; add it to the config, with its sha256"
    )]
    Unpinned {
        /// The hook.
        hook: String,
    },
    /// The component is not one that can stand where the deployment wants it.
    #[error(transparent)]
    Load(#[from] HookLoadError),
    /// The condition of a hook is none. A config that was loaded has no such hook.
    #[error("hook `{hook}`: its condition cannot be used")]
    When {
        /// The hook.
        hook: String,
        /// Why.
        #[source]
        source: WhenError,
    },
    /// The hooks cannot stand beside each other.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

/// Loads every hook of the config and the extra ones, in the order of their calls.
pub(crate) fn load(
    engine: &HookEngine,
    config: &Config,
    builtins: &Builtins,
    extra: Vec<ExtraHook>,
) -> Result<Chain, BuildError> {
    let mut specs = Vec::new();
    for entry in &config.hooks {
        specs.push(spec(entry, builtins)?);
    }
    for hook in extra {
        specs.push(extra_spec(hook, &config.hook_policy)?);
    }
    Ok(Chain::new(engine.load_all(specs)?)?)
}

/// Loads every hook of the config without a command to run, and says how many there are and what
/// the operator should know.
///
/// # Errors
///
/// If one of them cannot be loaded.
pub fn check(
    config: &Config,
    builtins: &Builtins,
    options: EngineOptions,
) -> Result<(usize, Vec<String>), BuildError> {
    let engine = HookEngine::with(options)?;
    let chain = load(&engine, config, builtins, Vec::new())?;
    Ok((chain.hooks().len(), engine.take_notices()))
}

/// The bytes of a component.
///
/// # Errors
///
/// If there is none of this name, or its file cannot be read or is larger than a component may
/// be.
pub fn component(
    hook: &str,
    component: &Component,
    builtins: &Builtins,
    most_bytes: u64,
) -> Result<Bytes, BuildError> {
    match component {
        Component::Builtin(name) => {
            let bytes = builtins.component(name);
            let bytes = bytes.map_err(|source| BuildError::Builtin {
                hook: hook.to_owned(),
                source,
            })?;
            Ok(bytes)
        }
        Component::File(path) => {
            let bytes = read_bounded(path, most_bytes);
            let bytes = bytes.map_err(|source| BuildError::Read {
                hook: hook.to_owned(),
                path: path.clone(),
                source,
            })?;
            Ok(bytes.into())
        }
    }
}

/// The spec of a hook of the config.
///
/// # Errors
///
/// If there is no component.
pub fn spec(entry: &HookEntry, builtins: &Builtins) -> Result<HookSpec, BuildError> {
    let limits = limits(&entry.limits);
    Ok(HookSpec {
        name: entry.name.clone(),
        stage: entry.stage,
        origin: entry.component.to_string(),
        component: component(
            &entry.name,
            &entry.component,
            builtins,
            limits.component_bytes,
        )?,
        part_of_program: match &entry.component {
            Component::Builtin(name) => builtins.sha256(name),
            Component::File(_) => None,
        },
        sha256: entry.sha256.clone(),
        settings: entry.settings.to_string(),
        secret_settings: entry.settings != entry.masked_settings,
        on_failure: entry.on_failure,
        when: When::new(&entry.when.origin, entry.when.command.as_deref()).map_err(|source| {
            BuildError::When {
                hook: entry.name.clone(),
                source,
            }
        })?,
        rights: entry.may.clone(),
        limits,
    })
}

fn extra_spec(hook: ExtraHook, policy: &HookPolicy) -> Result<HookSpec, BuildError> {
    let name = hook.file.file_name().unwrap_or(hook.file.as_os_str());
    let name = name.display().to_string();
    if policy.require_pins {
        return Err(BuildError::Unpinned { hook: name });
    }
    let file = Component::File(hook.file);
    let most = HookLimits::default().component_bytes;
    let bytes = component(&name, &file, &Builtins::Embedded, most)?;
    let mut spec = HookSpec::new(name, hook.stage, bytes);
    policy.lower(&mut spec.limits);
    if hook.stage == Stage::Rewrite {
        spec.rights.command = true;
        spec.rights.cwd = true;
    }
    Ok(spec)
}

pub(crate) fn limits(config: &HookLimitsConfig) -> HookLimits {
    let mut limits = match config.profile {
        None | Some(Profile::Native) => HookLimits::default(),
        Some(Profile::Interpreted) => HookLimits::interpreted(),
    };
    limits.cpu = config.cpu.unwrap_or(limits.cpu);
    limits.wall = config.wall.unwrap_or(limits.wall);
    limits.memory_bytes = config.memory.unwrap_or(limits.memory_bytes);
    limits
}

/// One byte more than the limit is read at most, which is enough for the limit to be noticed.
fn read_bounded(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    file.take(most_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}
