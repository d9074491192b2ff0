//! What a front end adds to the shell that it starts: wall time beside that of `bash -c true`, taken
//! in turn. Fails where a bound of the contract is exceeded in every round.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run fails")]
#![expect(clippy::print_stdout, reason = "it prints what it has measured")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Each is measured as often in a round; what counts is the median.
const TIMES: usize = 200;
/// A machine that is busy with something else measures that.
const ROUNDS: usize = 5;

/// The most that each may take, as a multiple of what the shell takes by itself.
const START: f64 = 4.0;
const WARM_CALL: f64 = 1.6;

fn main() {
    let home = tempfile::tempdir().unwrap();
    let config = three_hooks(home.path());
    let mut rpc = Server::rpc(home.path());
    let mut mcp = Server::mcp(home.path());
    let results = [
        bounded("spawnhook -c true", START, || {
            run_true(program(home.path()).args(["-c", "true"]));
        }),
        bounded("spawnhook run, three hooks", START, || {
            run_true(program(home.path()).args(["run", "--config", &config, "--", "true"]));
        }),
        bounded("true, over rpc", WARM_CALL, || rpc.call()),
        bounded("true, over mcp", WARM_CALL, || mcp.call()),
    ];
    let failed: Vec<&str> = results.into_iter().flatten().collect();
    assert!(failed.is_empty(), "too slow: {failed:?}");
}

/// Its name, if it takes longer than its bound.
fn bounded(what: &str, bound: f64, mut run: impl FnMut()) -> Option<&str> {
    // The first call compiles hooks, if nobody has yet.
    run();
    let rounds = (0..ROUNDS).map(|_| round(what, &mut run));
    let ratio = rounds.fold(f64::INFINITY, f64::min);
    println!("{what}: {ratio:.2} times bash, of at most {bound}");
    (ratio > bound).then_some(what)
}

/// One round; returns how many times as long as the shell it takes.
fn round(what: &str, run: &mut impl FnMut()) -> f64 {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..TIMES {
        times[0].push(time(bash));
        times[1].push(time(&mut *run));
    }
    let [bash, run] = times.map(median);
    println!("  bash {bash:?}, {what} {run:?}");
    run.as_secs_f64() / bash.as_secs_f64()
}

fn bash() {
    run_true(Command::new("/bin/bash").args(["-c", "true"]));
}

fn run_true(command: &mut Command) {
    assert!(command.status().unwrap().success());
}

fn time(work: impl FnOnce()) -> Duration {
    let started = Instant::now();
    work();
    started.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The program with a state and a cache of its own, and no config.
fn program(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spawnhook"));
    for name in ["XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home.join(name));
    }
    command
}

/// A config with two hooks beside the audit hook.
fn three_hooks(home: &Path) -> String {
    let path = home.join("three-hooks.toml");
    std::fs::write(&path, THREE_HOOKS).unwrap();
    path.into_os_string().into_string().unwrap()
}

const THREE_HOOKS: &str = r#"
[[hook]]
name = "strict"
component = "builtin:command-rewrite"
stage = "rewrite"
may = { command = true }
settings = { prepend = ["set -o pipefail"] }

[[hook]]
name = "trace"
component = "builtin:env-inject"
stage = "rewrite"
may = { set_env = ["TRACE_ID"] }
settings = { set_from_session = { TRACE_ID = "id" } }
"#;

/// A server that is asked for the same over and over.
struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    request: Value,
}

impl Server {
    fn start(home: &Path, name: &str, request: Value) -> Self {
        let mut command = program(home);
        command
            .arg(name)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
            request,
        }
    }

    fn rpc(home: &Path) -> Self {
        let request = json!({"id": 1, "type": "bash", "command": "true"});
        Self::start(home, "rpc", request)
    }

    fn mcp(home: &Path) -> Self {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "bash", "arguments": {"command": "true"},
        }});
        let mut server = Self::start(home, "mcp", request);
        server.send(
            &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "benchmark", "version": "1"},
            }}),
        );
        server.answer();
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        server.send(&initialized);
        server
    }

    fn call(&mut self) {
        self.send(&self.request.clone());
        self.answer();
    }

    fn send(&mut self, value: &Value) {
        self.input
            .write_all(format!("{value}\n").as_bytes())
            .unwrap();
    }

    /// Events come in between.
    fn answer(&mut self) {
        let mut line = String::new();
        loop {
            line.clear();
            self.output.read_line(&mut line).unwrap();
            let value: Value = serde_json::from_str(&line).unwrap();
            let is_answer = value["type"] == "response" || value["jsonrpc"] == "2.0";
            if is_answer && value["id"] == 1 {
                let is_well = value["success"] == true || value["result"].is_object();
                assert!(is_well, "{line}");
                return;
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
