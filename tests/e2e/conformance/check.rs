//! Runs a row and compares.
//!
//! What is seen is the object of `--json`, with the path of the full-output file as `FILE` and the
//! workspace as `WORKSPACE`, and with keys of ours besides: `footer`, `output_bytes`,
//! `file_bytes`, `file_lines`, `file_head` (hex of 4 bytes), `temporary_files`, `updates`, `ran`
//! (whether the command has made the file of that name), `beating` (whether the file `beats` goes
//! on growing).
//!
//! A key of what is expected is compared as a whole, or, if it ends in `~`, has to be contained as
//! a text, or, if it ends in `<`, has to be above the number that is seen.

use std::fs;
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::case::{Case, Machine, wait_until};
use super::super::guests::Guest;
use super::row::{Act, Row};

/// What a busy machine may add to a bound of the contract: start, hooks and audit included.
const SLACK: Duration = Duration::from_secs(5);

/// How often the commands of the table beat that do so.
const BEAT: Duration = Duration::from_millis(20);

pub(super) fn check(row: &Row) {
    let started = Instant::now();
    let seen = match &row.act {
        Act::Library(act) => act(),
        Act::Run(command) => through_program(row, "--json", command),
        Act::Events(command) => through_program(row, "--events", command),
    };
    let took = started.elapsed();
    assert!(took >= row.at_least, "it came back early, after {took:?}");
    assert!(
        took < row.at_most + SLACK,
        "it came back late, after {took:?}"
    );
    let expected = row.expected.as_object().expect("something is expected");
    assert!(!expected.is_empty(), "nothing is expected");
    for (key, value) in expected {
        compare(key, value, &seen);
    }
}

fn compare(key: &str, expected: &Value, seen: &Value) {
    if let Some(key) = key.strip_suffix('~') {
        let text = match &seen[key] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let part = expected.as_str().unwrap();
        assert!(text.contains(part), "{key} has no {part:?}: {text:?}");
    } else if let Some(key) = key.strip_suffix('<') {
        let number = seen[key].as_u64().unwrap();
        assert!(number < expected.as_u64().unwrap(), "{key} is {number}");
    } else {
        let seen = &seen[key];
        assert!(seen == expected, "{key} is {seen}, not {expected}");
    }
}

fn through_program(row: &Row, form: &str, command: &str) -> Value {
    let machine = Machine::with_config(&row.config);
    fs::create_dir(machine.path("workspace/folder")).unwrap();
    if let Some(guest) = row.guest {
        deploy(&machine, &Guest::named(guest), &row.config);
    }
    let mut case = machine
        .case(["run", form, "--", command])
        .with(&row.options)
        .code(row.code);
    for (name, value) in &row.env {
        let folder = machine.path("").display().to_string();
        case = case.env(name, value.replace("{machine}", &folder));
    }
    let mut lines = match row.signal {
        Some(signal) => signalled(&machine, case, signal, row.code),
        None => case.lines(),
    };
    let mut object = lines.pop().unwrap_or_else(|| json!({}));
    if form == "--events" {
        object = object["result"].take();
    }
    let updates = lines
        .iter()
        .filter(|line| line["event"] == "output")
        .count();
    end_leftovers(&object);
    add_facts(&mut object, &machine, updates);
    object
}

fn signalled(machine: &Machine, case: Case<'_>, signal: &str, code: i32) -> Vec<Value> {
    let mut child: Child = case.start();
    wait_until("the command has started", || {
        machine.path("workspace/started").exists()
    });
    kill(signal, &child.id().to_string());
    let mut text = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let status = child.wait().unwrap();
    let ended = status.code().or(status.signal().map(|signal| -signal));
    assert_eq!(ended, Some(code), "{text}");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What a row leaves behind is not to outlive it.
fn end_leftovers(object: &Value) {
    for leftover in object["leftovers"].as_array().into_iter().flatten() {
        kill("KILL", &leftover["pid"].to_string());
    }
}

fn kill(signal: &str, pid: &str) {
    // A process that has ended by itself meanwhile is none to end.
    drop(
        Command::new("kill")
            .args(["-s", signal, pid])
            .output()
            .unwrap(),
    );
}

/// Whether something still beats, a second after it should have stopped at the latest.
fn is_beating(machine: &Machine) -> bool {
    let beats = || fs::read(machine.path("workspace/beats")).map_or(0, |beats| beats.len());
    let grows = || {
        let before = beats();
        thread::sleep(BEAT * 10);
        beats() > before
    };
    beats() > 0 && (0..5).all(|_| grows())
}

fn add_facts(object: &mut Value, machine: &Machine, updates: usize) {
    let text = |key: &str| object[key].as_str().unwrap_or_default().to_owned();
    let path = text("full_output_path");
    let workspace = machine.workspace().display().to_string();
    let mut message = text("message").replace(&workspace, "WORKSPACE");
    let (output, file) = (text("output"), fs::read(&path).unwrap_or_default());
    if !path.is_empty() {
        message = message.replace(&path, "FILE");
        object["full_output_path"] = "FILE".into();
    }
    let footer = message
        .split("\n\n")
        .find(|part| part.starts_with("[Showing"));
    object["footer"] = footer.map_or(Value::Null, |footer| json!(footer));
    object["output_bytes"] = output.len().into();
    object["file_bytes"] = file.len().into();
    object["file_lines"] = file.iter().filter(|byte| **byte == b'\n').count().into();
    let head: String = file
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    object["file_head"] = head.into();
    object["temporary_files"] = fs::read_dir(machine.path("tmp")).unwrap().count().into();
    object["updates"] = updates.into();
    object["ran"] = machine.path("workspace/ran").exists().into();
    object["beating"] = is_beating(machine).into();
    object["message"] = message.into();
}

/// Puts a guest into the deployment, with the rights of its header.
fn deploy(machine: &Machine, guest: &Guest, config: &str) {
    let component = machine.path("guest.wasm");
    fs::write(&component, &guest.component).unwrap();
    let lists = ["see_env", "set_env", "unset_env"].map(|list| {
        let globs = guest
            .rights
            .iter()
            .filter_map(|right| right.strip_prefix(&format!("{list}=")));
        let globs: Vec<String> = globs.map(|glob| format!("{glob:?}")).collect();
        format!("{list} = [{}]", globs.join(", "))
    });
    let has = |right: &str| guest.rights.iter().any(|other| other == right);
    let may = if guest.rights.is_empty() {
        String::new()
    } else {
        let (command, cwd) = (has("command"), has("cwd"));
        format!(
            "may = {{ {}, command = {command}, cwd = {cwd} }}",
            lists.join(", ")
        )
    };
    let (stage, component) = (guest.stage.name(), component.display());
    let text = format!(
        "{config}\n[[hook]]\nname = \"guest\"\nstage = \"{stage}\"\ncomponent = \"{component}\"\n{may}\n"
    );
    fs::write(machine.path("config/spawnhook/config.toml"), text).unwrap();
}
