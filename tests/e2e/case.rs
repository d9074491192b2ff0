//! A fluent builder for one run of the program, with a home, a state folder, a temporary folder
//! and a workspace of its own.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// How long anything may take that has no bound of its own.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A machine with spawnhook on it, as one user sees it.
#[derive(Debug)]
pub(crate) struct Machine {
    folder: TempDir,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "state", "config/spawnhook", "tmp", "workspace"] {
            fs::create_dir_all(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    /// With a config of the user.
    pub(crate) fn with_config(config: &str) -> Self {
        let machine = Self::new();
        fs::write(machine.path("config/spawnhook/config.toml"), config).unwrap();
        machine
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.path("workspace").canonicalize().unwrap()
    }

    /// The component of a text in `tests/`, as a file.
    pub(crate) fn component(&self, text: &str) -> PathBuf {
        let name = Path::new(text).file_stem().unwrap().to_str().unwrap();
        let path = self.path(&format!("{name}.wasm"));
        fs::write(&path, wat::parse_file(in_tests(text)).unwrap()).unwrap();
        path
    }

    pub(crate) fn audit_lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.audit_path()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    pub(crate) fn audit_path(&self) -> PathBuf {
        self.path("state/spawnhook/audit.jsonl")
    }

    /// The records of the audit log.
    pub(crate) fn audit(&self) -> Vec<Value> {
        let lines = self.audit_lines();
        let records = lines.iter().map(|line| serde_json::from_str(line).unwrap());
        records.collect()
    }

    /// A case that runs the program with these arguments.
    pub(crate) fn case<I: IntoIterator<Item: AsRef<OsStr>>>(&self, arguments: I) -> Case<'_> {
        Case {
            machine: self,
            arguments: arguments
                .into_iter()
                .map(|argument| argument.as_ref().to_owned())
                .collect(),
            env: Vec::new(),
            program: PathBuf::from(env!("CARGO_BIN_EXE_spawnhook")),
            under: None,
            code: 0,
            stdout: String::new(),
            stderr: String::new(),
        }
    }

    /// A case of `run -- COMMAND`.
    pub(crate) fn run(&self, command: &str) -> Case<'_> {
        self.case(["run", "--", command])
    }

    /// A case of `run --json -- COMMAND`.
    pub(crate) fn json(&self, command: &str) -> Case<'_> {
        self.case(["run", "--json", "--", command])
    }
}

/// A file of `tests/`.
pub(crate) fn in_tests(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests")
        .join(name)
}

/// One run and what is expected of it: exit code 0 and two silent streams, if nothing is said.
#[derive(Debug)]
#[must_use = "a case does nothing until it is checked"]
pub(crate) struct Case<'a> {
    machine: &'a Machine,
    arguments: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    program: PathBuf,
    under: Option<String>,
    code: i32,
    stdout: String,
    stderr: String,
}

impl Case<'_> {
    /// Options in front of the command.
    pub(crate) fn with(mut self, options: &[&str]) -> Self {
        let options = options.iter().map(OsString::from);
        self.arguments.splice(1..1, options);
        self
    }

    /// More arguments behind the others.
    pub(crate) fn and(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(OsString::from));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.into(), value.as_ref().to_owned()));
        self
    }

    /// Another program in its place, or another name of it.
    pub(crate) fn program(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = program.into();
        self
    }

    /// Started by a shell that runs `script` first.
    pub(crate) fn under(mut self, script: &str) -> Self {
        self.under = Some(format!("{script}; exec \"$0\" \"$@\""));
        self
    }

    pub(crate) fn code(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    pub(crate) fn stdout(mut self, text: &str) -> Self {
        text.clone_into(&mut self.stdout);
        self
    }

    pub(crate) fn stderr(mut self, text: &str) -> Self {
        text.clone_into(&mut self.stderr);
        self
    }

    /// Runs, and compares code and both streams.
    pub(crate) fn check(self) {
        let output = self.output();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), &*stdout, &*stderr),
            (Some(self.code), &*self.stdout, &*self.stderr),
            "of {:?}",
            self.arguments
        );
    }

    /// Runs, compares the code, and returns the one object that stdout must be.
    pub(crate) fn object(self) -> Value {
        let mut lines = self.lines();
        assert_eq!(lines.len(), 1, "one line: {lines:?}");
        lines.remove(0)
    }

    /// Runs, compares the code, and returns the objects of the lines of stdout.
    pub(crate) fn lines(self) -> Vec<Value> {
        let (stdout, stderr) = self.texts();
        assert_eq!(stderr, "", "stderr");
        let lines = stdout.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Runs, compares the code, and returns stdout and stderr for closer looks.
    pub(crate) fn texts(self) -> (String, String) {
        let output = self.output();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(self.code), "{stdout}{stderr}");
        (stdout, stderr)
    }

    /// Starts it and lets it run.
    pub(crate) fn start(self) -> Child {
        self.command().spawn().unwrap()
    }

    /// The process to be started, for those who start it in their own way.
    pub(crate) fn into_command(self) -> Command {
        self.command()
    }

    fn output(&self) -> Output {
        self.command().output().unwrap()
    }

    fn command(&self) -> Command {
        // Whoever runs the tests in the background has them ignore what they test.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT,HUP,TERM");
        if let Some(script) = &self.under {
            command.args(["bash", "-c", script]);
        }
        command
            .arg(&self.program)
            .args(&self.arguments)
            .current_dir(self.machine.workspace())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.machine.path("home"))
            .env("XDG_CONFIG_HOME", self.machine.path("config"))
            .env("XDG_STATE_HOME", self.machine.path("state"))
            .env("TMPDIR", self.machine.path("tmp"))
            .envs(std::env::var_os("SPAWNHOOK_DIST").map(|folder| ("SPAWNHOOK_DIST", folder)))
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// Waits until `condition` holds.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < PATIENCE, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
