use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use spawnhook_model::{Call, Env, Origin, Session, SpawnContext};

/// When a call that is tried was accepted, in seconds of Unix time: some second that is the same
/// in every run.
const STARTED: u64 = 1_700_000_000;

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
    pub fn new(command: impl Into<String>, cwd: impl Into<PathBuf>, env: Env) -> Self {
        let spawn = SpawnContext {
            command: command.into(),
            cwd: cwd.into(),
            env,
        };
        Self {
            call: Arc::new(Call {
                id: "0123456789abcdef".to_owned(),
                origin: Origin::Cli,
                requested: spawn.command.clone(),
                prefix: String::new(),
                workspace: spawn.cwd.clone(),
                timeout: None,
                started: started(STARTED),
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
        call.id = "fedcba9876543210".to_owned();
        call.started = started(STARTED + 86_399);
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

fn started(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
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
