use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use spawnhook_hooks::{
    Allocation, AuditLog, EngineOptions, ExitFacts, HookEngine, HookLimits, HookSpec, OnFailure,
    Placement, Rights,
};
use spawnhook_model::{Call, Ending, Env, Origin, Session, SpawnContext, Timeout};

#[path = "../../../../tests/guests/guest.rs"]
pub(crate) mod guest;

pub(crate) use guest::Guest;

impl Guest {
    pub(crate) fn renamed(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The guest as a deployment would have it, its failures skipped.
    pub(crate) fn spec(&self) -> HookSpec {
        HookSpec {
            settings: self.settings.clone(),
            rights: self.granted(),
            limits: if self.interpreted {
                HookLimits::interpreted()
            } else {
                HookLimits::default()
            },
            on_failure: OnFailure::Skip,
            ..HookSpec::new(&self.name, self.stage, self.component.clone())
        }
    }

    fn granted(&self) -> Rights {
        let mut rights = Rights::default();
        for right in &self.rights {
            match right.split_once('=') {
                None if right == "command" => rights.command = true,
                None if right == "cwd" => rights.cwd = true,
                Some(("see_env", glob)) => rights.see_env.push(glob.to_owned()),
                Some(("set_env", glob)) => rights.set_env.push(glob.to_owned()),
                Some(("unset_env", glob)) => rights.unset_env.push(glob.to_owned()),
                _ => panic!("{}: the header has an unknown right, {right}", self.name),
            }
        }
        rights
    }
}

/// An audit log in memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Records(Arc<Mutex<Vec<(String, String)>>>);

impl Records {
    pub(crate) fn log(&self) -> Arc<dyn AuditLog> {
        Arc::new(self.clone())
    }

    /// How many entries a hook wrote.
    pub(crate) fn by(&self, hook: &str) -> usize {
        let records = self.0.lock().unwrap();
        records.iter().filter(|(name, _)| name == hook).count()
    }
}

impl AuditLog for Records {
    fn append(&self, hook: &str, entry: &str) -> Result<(), String> {
        self.0
            .lock()
            .unwrap()
            .push((hook.to_owned(), entry.to_owned()));
        Ok(())
    }
}

/// An engine of each kind: as a process of one command has it, and as a server has it.
pub(crate) fn engines() -> [HookEngine; 2] {
    [
        (Allocation::OnDemand, Placement::HookThreads),
        (Allocation::Pooling, Placement::InPlace),
    ]
    .map(|(allocation, placement)| {
        HookEngine::with(EngineOptions {
            allocation,
            placement,
            ..EngineOptions::default()
        })
        .unwrap()
    })
}

/// A runtime on which a call can be made in place.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_time()
        .build()
        .unwrap()
}

pub(crate) fn call() -> Arc<Call> {
    Arc::new(Call {
        id: "call-1".to_owned(),
        origin: Origin::Agent("test".to_owned()),
        requested: "echo hello".to_owned(),
        prefix: "set -e\n".to_owned(),
        workspace: "/project".into(),
        timeout: Some(Timeout::from_seconds(1.5).unwrap()),
        started: UNIX_EPOCH + Duration::from_millis(1_234_567),
        session: Session::default(),
    })
}

pub(crate) fn spawn() -> SpawnContext {
    SpawnContext {
        command: "set -e\necho hello".to_owned(),
        cwd: "/project".into(),
        env: Env::from_iter([("PATH", "/bin"), ("VISIBLE", "1")]),
    }
}

pub(crate) fn exit() -> ExitFacts {
    ExitFacts {
        ending: Ending::Exited(3),
        duration: Duration::from_millis(42),
        output_bytes: Some(6),
        output_lines: Some(1),
        truncated: true,
        leftover_processes: 2,
    }
}
