use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use spawnhook_model::{Call, Env, Origin, Session, SpawnContext};

/// The earliest time at which a call that is tried was accepted, in seconds of Unix time.
const STARTED: u64 = 1_700_000_000;

/// The time within which calls are accepted: some 31 years, in milliseconds.
const SPAN: u64 = 1_000_000_000_000;

/// What a hook is called with: a command, and the facts of the call that it may ask for.
#[derive(Clone, Debug)]
pub struct Input {
    /// The facts.
    pub call: Arc<Call>,
    /// The command, its directory and its environment.
    pub spawn: Arc<SpawnContext>,
}

impl Input {
    /// A command as the command line would have started it, in a workspace that is its directory.
    /// Id and time of the call follow from the command, so that they are the same in every run.
    pub fn new(command: impl Into<String>, cwd: impl Into<PathBuf>, env: Env) -> Self {
        let spawn = SpawnContext {
            command: command.into(),
            cwd: cwd.into(),
            env,
        };
        let (id, started) = identity(&spawn.command, "first call");
        Self {
            call: Arc::new(Call {
                id,
                origin: Origin::Cli,
                requested: spawn.command.clone(),
                prefix: String::new(),
                workspace: spawn.cwd.clone(),
                timeout: None,
                started,
                session: session(),
            }),
            spawn: Arc::new(spawn),
        }
    }

    /// The same command in another call: with another id, from which random numbers follow, and
    /// at another time.
    #[must_use]
    pub fn again(&self) -> Self {
        let mut call = self.call.as_ref().clone();
        (call.id, call.started) = identity(&self.spawn.command, "second call");
        Self {
            call: Arc::new(call),
            spawn: Arc::clone(&self.spawn),
        }
    }

    /// The call of a command that a hook made of this one.
    #[must_use]
    pub fn followed_by(&self, spawn: &SpawnContext) -> Self {
        Self {
            call: Arc::clone(&self.call),
            spawn: Arc::new(spawn.clone()),
        }
    }
}

/// The id of a call, and when it was accepted.
fn identity(command: &str, which: &str) -> (String, SystemTime) {
    let mut digest = Sha256::new();
    digest.update(which);
    digest.update(command);
    let digest = digest.finalize();
    let (id, time) = (&digest[..8], &digest[8..16]);
    let id = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let chosen = time
        .iter()
        .fold(0, |sum: u64, byte| sum << 8 | u64::from(*byte));
    let since = Duration::from_secs(STARTED) + Duration::from_millis(chosen % SPAN);
    (id, UNIX_EPOCH + since)
}

/// Facts to work with, for hooks that ask for them.
fn session() -> Session {
    let mut session = Session::default();
    for name in Session::FACTS {
        if let Some(fact) = session.fact_mut(name) {
            *fact = Some(format!("{name} of the session"));
        }
    }
    session
}
