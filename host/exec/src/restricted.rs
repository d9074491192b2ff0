use std::collections::BTreeSet;
use std::ffi::OsString;

use spawnhook_model::{Env, Timeout};

use crate::{Backend, BoxFuture, Cwd, Ran, Spawn, SpawnError, Wires};

/// A backend that narrows what another one is asked for. What is not restricted passes as it came;
/// restrictions can be put around each other, and then all of them hold.
///
/// ```
/// use spawnhook_exec::{Cwd, LocalBackend, Restricted, Spawner};
/// use spawnhook_model::Timeout;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let spawner = Spawner::fork(std::env::current_exe()?)?;
/// let backend = Restricted::new(LocalBackend::new(spawner, None, None))
///     .cwd(Cwd::open("/tmp".as_ref(), None)?)
///     .max_timeout(Timeout::from_seconds(60.0)?)
///     .env(["PATH", "HOME", "LANG"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Restricted<B> {
    backend: B,
    cwd: Option<Cwd>,
    max_timeout: Option<Timeout>,
    env: Option<BTreeSet<OsString>>,
}

impl<B: Backend> Restricted<B> {
    /// A backend without restrictions so far.
    pub fn new(backend: B) -> Self {
        Self {
            backend,
            cwd: None,
            max_timeout: None,
            env: None,
        }
    }

    /// Every command starts in this directory, whatever it asks for.
    #[must_use]
    pub fn cwd(mut self, cwd: Cwd) -> Self {
        self.cwd = Some(cwd);
        self
    }

    /// Every command has a time limit, and at most this one. A command whose limit was lowered
    /// has a notice of it.
    #[must_use]
    pub fn max_timeout(mut self, most: Timeout) -> Self {
        self.max_timeout = Some(most);
        self
    }

    /// Commands get no variables but those with one of these names.
    #[must_use]
    pub fn env<N: Into<OsString>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.env = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Narrows a command, and says what its caller should know of that.
    fn restrict(&self, spawn: &mut Spawn) -> Result<Option<String>, SpawnError> {
        if let Some(cwd) = &self.cwd {
            spawn.cwd = cwd.try_clone().map_err(|source| SpawnError::FixedCwd {
                path: cwd.path().to_owned(),
                source,
            })?;
        }
        if let Some(names) = &self.env {
            spawn.env = allowed(&spawn.env, names);
        }
        Ok(self
            .max_timeout
            .and_then(|most| lower(&mut spawn.timeout, most)))
    }
}

impl<B: Backend> Backend for Restricted<B> {
    fn run<'a>(&'a self, mut spawn: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        Box::pin(async move {
            let notice = self.restrict(&mut spawn)?;
            let mut ran = self.backend.run(spawn, wires).await?;
            ran.notices.extend(notice);
            Ok(ran)
        })
    }
}

fn allowed(env: &Env, names: &BTreeSet<OsString>) -> Env {
    env.iter()
        .filter(|(name, _)| names.contains(*name))
        .collect()
}

/// A command that asked for no limit has lost nothing that it counts on, so nothing is said then.
fn lower(timeout: &mut Option<Timeout>, most: Timeout) -> Option<String> {
    if timeout.is_some_and(|asked| asked <= most) {
        return None;
    }
    let asked = timeout.replace(most)?;
    Some(format!(
        "The time limit was lowered from {asked} to {most} seconds, the most that this backend \
         allows."
    ))
}

#[cfg(test)]
mod tests;
