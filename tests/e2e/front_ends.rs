//! The same commands through every front end that runs commands: the same bytes run, they end in
//! the same way, and the audit log says the same of them but for where they came from, and for what
//! they wrote where that goes past the front end.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::panic::resume_unwind;
use std::thread;

use serde_json::Value;

use super::case::{Machine, wait_until};
use super::heart::signal_to;

mod commands;
mod mcp;
mod normal;
mod rpc;
mod run;
mod shell;

use commands::Command;

/// What runs commands.
trait FrontEnd {
    /// Runs a command to its end, and cancels it before if that is wanted. Returns the object of
    /// `run --json`, if the front end tells one.
    fn run(&mut self, command: &Command) -> Option<Value>;
}

type Start = for<'a> fn(&'a Machine) -> Box<dyn FrontEnd + 'a>;

/// What becomes of the output of commands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// It comes to the front end, and is measured.
    Seen,
    /// It goes past, and nothing is known of it.
    Past,
}

/// Every front end that runs commands, by the origin that records have.
const FRONT_ENDS: [(&str, Output, Start); 4] = [
    ("cli", Output::Seen, |machine| {
        Box::new(run::Run::new(machine))
    }),
    ("rpc", Output::Seen, |machine| {
        Box::new(rpc::Rpc::new(machine))
    }),
    ("mcp", Output::Seen, |machine| {
        Box::new(mcp::Calls::new(machine))
    }),
    ("shell", Output::Past, |machine| {
        Box::new(shell::Shell::new(machine))
    }),
];

/// One hook of each kind, and a shell that notes what it is given.
const CONFIG: &str = r#"
limits = { default_timeout = "TIMEOUT", max_timeout = "TIMEOUT", leftovers = "keep" }
shell = { path = "MACHINE/shell", prefix = "umask 077" }
workspace = { root = "MACHINE/workspace" }

[[hook]]
name = "strict"
component = "builtin:command-rewrite"
stage = "rewrite"
may = { command = true }
settings = { prepend = ["set -o pipefail"] }

[[hook]]
name = "mark"
component = "builtin:env-inject"
stage = "rewrite"
may = { set_env = ["MARK"] }
settings = { set = { MARK = "made" } }

[[hook]]
name = "policy"
component = "builtin:command-policy"
stage = "guard"
settings = { default = "allow", undecidable = "allow", rules = [
    { program = "git", arguments = ["push", "**"], verdict = "deny", reason = "pushing is for people" },
] }
"#;

/// Writes down every argument, and is bash.
const SHELL: &str = r#"#!/bin/bash
printf '%s\0' "$@" >> MACHINE/ran
exec /bin/bash "$@"
"#;

/// What came of one command.
#[derive(Debug, PartialEq)]
struct Seen {
    command: String,
    object: Option<Value>,
    /// What the shell was given.
    ran: Vec<u8>,
    records: Vec<Value>,
}

fn machine(timeout: &str) -> Machine {
    let machine = Machine::new();
    let here = machine.path("").display().to_string();
    let fill = |text: &str| {
        let text = text.replace("MACHINE", here.trim_end_matches('/'));
        text.replace("TIMEOUT", timeout)
    };
    fs::write(machine.path("config/spawnhook/config.toml"), fill(CONFIG)).unwrap();
    fs::write(machine.path("shell"), fill(SHELL)).unwrap();
    fs::set_permissions(machine.path("shell"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::create_dir(machine.path("workspace/folder")).unwrap();
    machine
}

/// Runs the commands one after another.
fn run_all(origin: &str, start: Start, timeout: &str, commands: &[Command]) -> Vec<Seen> {
    let machine = machine(timeout);
    let mut front_end = start(&machine);
    let mut known = 0;
    let mut all = Vec::new();
    for command in commands {
        let object = front_end.run(command);
        let what = format!("`{}` from {origin} is recorded", command.about);
        wait_until(&what, || is_over(&machine.audit()[known..]));
        let records = machine.audit().split_off(known);
        known += records.len();
        end_leftover(&machine);
        let entry = &records[0]["entry"];
        assert_eq!(entry["origin"], origin, "{}", command.about);
        all.push(Seen {
            command: command.about.to_owned(),
            object: object.map(|object| normal::object(&machine, object)),
            ran: take(&machine, "ran"),
            records: normal::records(&machine, records),
        });
        take(&machine, "workspace/started");
    }
    all
}

fn is_over(records: &[Value]) -> bool {
    records
        .last()
        .is_some_and(|record| record["event"] != "spawn")
}

fn take(machine: &Machine, file: &str) -> Vec<u8> {
    let path = machine.path(file);
    let bytes = fs::read(&path).unwrap_or_default();
    drop(fs::remove_file(path));
    bytes
}

/// What a command leaves is not to outlive the test.
fn end_leftover(machine: &Machine) {
    let pid = String::from_utf8(take(machine, "workspace/left")).unwrap();
    if !pid.is_empty() {
        signal_to("-KILL", pid.trim());
    }
}

fn compare(timeout: &str, commands: &[Command]) {
    let seen: Vec<_> = thread::scope(|scope| {
        let run = |(origin, output, start): (&'static str, Output, Start)| {
            scope.spawn(move || (origin, output, run_all(origin, start, timeout, commands)))
        };
        let running = FRONT_ENDS.map(run);
        let seen = running
            .into_iter()
            .map(|running| running.join().unwrap_or_else(|panic| resume_unwind(panic)));
        seen.collect()
    });
    let (_, _, first) = &seen[0];
    for (command, seen) in commands.iter().zip(first) {
        command.check(seen);
    }
    for (origin, output, other) in &seen[1..] {
        for (expected, seen) in first.iter().zip(other) {
            let what = format!("`{}` from {origin}", seen.command);
            let [ran, expected_ran] = [&seen.ran, &expected.ran].map(|ran| ran.escape_ascii());
            assert_eq!(ran.to_string(), expected_ran.to_string(), "{what} ran");
            let records = match output {
                Output::Seen => expected.records.clone(),
                Output::Past => normal::without_output(&expected.records),
            };
            assert_eq!(seen.records, records, "{what} is recorded as");
            if seen.object.is_some() && expected.object.is_some() {
                assert_eq!(seen.object, expected.object, "{what} is told as");
            }
        }
    }
}

#[test]
fn the_same_commands_run_end_and_are_recorded_alike() {
    let commands = commands::ordinary();
    assert!(commands.len() >= 30, "{}", commands.len());
    compare("60s", &commands);
}

#[test]
fn a_time_limit_ends_them_alike() {
    compare("3s", &commands::endless());
}
