use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use spawnhook_hooks::{AuditLog, ExitFacts, HookLimits, HookSpec, OnFailure, Rights};
use spawnhook_model::{Call, Ending, Env, Origin, Session, SpawnContext, Stage, Timeout};

/// One file of guests and what its header says.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) name: String,
    pub(crate) stage: Stage,
    pub(crate) expect: String,
    pub(crate) says: Vec<String>,
    pub(crate) after_exit: bool,
    settings: String,
    rights: Rights,
    limits: HookLimits,
    component: Arc<[u8]>,
}

/// Every guest; a file without a complete header fails.
pub(crate) fn guests() -> Vec<Guest> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "wat"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().map(|file| Guest::read(file)).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/guests")
}

impl Guest {
    pub(crate) fn named(name: &str) -> Self {
        Self::read(&folder().join(name).with_extension("wat"))
    }

    pub(crate) fn renamed(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The guest as a deployment would have it, its failures skipped.
    pub(crate) fn spec(&self) -> HookSpec {
        HookSpec {
            settings: self.settings.clone(),
            rights: self.rights.clone(),
            limits: self.limits.clone(),
            on_failure: OnFailure::Skip,
            ..HookSpec::new(&self.name, self.stage, Arc::clone(&self.component))
        }
    }

    fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let mut guest = Self {
            name: name.to_owned(),
            stage: Stage::Rewrite,
            expect: String::new(),
            says: Vec::new(),
            after_exit: false,
            settings: "{}".to_owned(),
            rights: Rights::default(),
            limits: HookLimits::default(),
            component: wat::parse_str(&text)
                .unwrap_or_else(|error| panic!("{name}: {error}"))
                .into(),
        };
        let mut staged = false;
        for line in text.lines().map_while(|line| line.strip_prefix(";; ")) {
            let (key, value) = line
                .split_once(": ")
                .unwrap_or_else(|| panic!("{name}: {line}"));
            staged |= key == "stage";
            guest.take(key, value);
        }
        assert!(staged, "{name}: the header has no stage");
        assert!(!guest.expect.is_empty(), "{name}: the header has no expect");
        assert!(!guest.says.is_empty(), "{name}: the header has no says");
        guest
    }

    fn take(&mut self, key: &str, value: &str) {
        match key {
            "stage" => {
                let stages = Stage::ALL.into_iter();
                self.stage = stages.clone().find(|stage| stage.name() == value).unwrap();
            }
            "expect" => value.clone_into(&mut self.expect),
            "says" => self.says.push(value.to_owned()),
            "phase" => self.after_exit = value == "after-exit",
            "profile" if value == "interpreted" => self.limits = HookLimits::interpreted(),
            "settings" => value.clone_into(&mut self.settings),
            "rights" => value.split(' ').for_each(|right| self.grant(right)),
            _ => panic!("{}: the header has an unknown key, {key}", self.name),
        }
    }

    fn grant(&mut self, right: &str) {
        match right.split_once('=') {
            None if right == "command" => self.rights.command = true,
            None if right == "cwd" => self.rights.cwd = true,
            Some(("see_env", glob)) => self.rights.see_env.push(glob.to_owned()),
            Some(("set_env", glob)) => self.rights.set_env.push(glob.to_owned()),
            Some(("unset_env", glob)) => self.rights.unset_env.push(glob.to_owned()),
            _ => panic!("{}: the header has an unknown right, {right}", self.name),
        }
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

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
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
        workspace: "/work".into(),
        timeout: Some(Timeout::from_seconds(1.5).unwrap()),
        started: UNIX_EPOCH + Duration::from_millis(1_234_567),
        session: Session::default(),
    })
}

pub(crate) fn spawn() -> SpawnContext {
    SpawnContext {
        command: "set -e\necho hello".to_owned(),
        cwd: "/work".into(),
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
