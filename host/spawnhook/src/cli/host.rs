use std::ffi::{OsStr, OsString};
use std::mem::ManuallyDrop;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use spawnhook::deployment::ExtraHook;
use spawnhook::{Host, HostBuilder, Via};
use spawnhook_exec::{Spawner, SpawnerError};
use spawnhook_hooks::EngineOptions;
use spawnhook_model::Stage;
use tokio::runtime::Runtime;

use super::ambient;
use super::args::HostArguments;

/// [`Spawner::fork`], or its like for a process of one command.
type ForkSpawner = fn(PathBuf) -> Result<Spawner, SpawnerError>;

/// A host as the process's environment and its arguments want it. To be called before the first
/// thread, which loading hooks starts.
pub(super) fn builder(
    arguments: &HostArguments,
    engine: EngineOptions,
    fork: ForkSpawner,
) -> anyhow::Result<HostBuilder> {
    builder_in(arguments, engine, fork, &ambient::current_directory()?)
}

/// As [`builder`], as if the process had been started in another directory.
pub(super) fn builder_in(
    arguments: &HostArguments,
    engine: EngineOptions,
    fork: ForkSpawner,
    start_directory: &Path,
) -> anyhow::Result<HostBuilder> {
    builder_from(arguments, engine, start_directory.to_owned(), || {
        Ok(Via::Shell(fork(ambient::program()?)?))
    })
}

/// As [`builder_in`], for commands that are run in another way.
pub(super) fn builder_from(
    arguments: &HostArguments,
    engine: EngineOptions,
    start_directory: PathBuf,
    via: impl FnOnce() -> anyhow::Result<Via>,
) -> anyhow::Result<HostBuilder> {
    // What is in memory before a fork is copied once it changes.
    let via = via()?;
    let config = ambient::config_from(&arguments.config, start_directory)?;
    let mut builder = Host::builder(config, ambient::environment(), via)
        .temporary_directory(ambient::temporary_directory())
        .builtins(ambient::builtins())
        .engine(engine);
    for hook in &arguments.hook {
        builder = builder.hook(extra_hook(hook)?);
    }
    Ok(builder)
}

/// The runtime of a process of one command. It has one thread, and nobody takes it down: the process
/// ends with the command, and threads that wait for a terminal keep it from that no longer.
pub(super) fn runtime_for_one() -> anyhow::Result<ManuallyDrop<Runtime>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    Ok(ManuallyDrop::new(runtime))
}

/// The directory that was named, else the current one where the deployment lets it.
pub(super) fn cwd(named: Option<PathBuf>, host: &Host) -> anyhow::Result<Option<PathBuf>> {
    let current = ambient::current_directory()?;
    Ok(match named {
        Some(named) => Some(current.join(named)),
        None => host.check_cwd(&current).ok(),
    })
}

/// `STAGE:FILE`.
fn extra_hook(text: &OsStr) -> anyhow::Result<ExtraHook> {
    let shown = text.display();
    let (stage, file) =
        split(text, b':').with_context(|| format!("--hook {shown}: expected STAGE:FILE"))?;
    let stage = Stage::ALL
        .into_iter()
        .find(|known| stage == known.name())
        .with_context(|| format!("--hook {shown}: the stage is none of rewrite, guard, audit"))?;
    Ok(ExtraHook::new(stage, PathBuf::from(file)))
}

/// What stands before and behind the first `at`.
pub(super) fn split(text: &OsStr, at: u8) -> Option<(OsString, OsString)> {
    let bytes = text.as_bytes();
    let at = bytes.iter().position(|byte| *byte == at)?;
    let part = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    Some((part(&bytes[..at]), part(&bytes[at + 1..])))
}
