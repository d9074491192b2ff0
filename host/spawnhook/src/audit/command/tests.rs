use serde_json::{Value, json};

use super::*;

fn entry(seq: u64, second: u64, call: &str, event: &str, more: Value) -> Entry {
    let mut line = json!({
        "seq": seq, "time": format!("2026-01-01T00:00:{:02}Z", second % 60), "call": call, "event": event,
        "ending": null, "command_sha256": "00", "hook": "audit-log", "prev": "00", "entry": null,
    });
    for (key, value) in more.as_object().unwrap() {
        line[key] = value.clone();
    }
    Entry::parse(line.to_string().as_bytes()).unwrap()
}

fn spawn(seq: u64, call: &str) -> Entry {
    let more = json!({ "entry": { "command": "cd x && FOO=1 /usr/bin/cargo test | tee log", "cwd": "/w" } });
    entry(seq, seq, call, "spawn", more)
}

fn exit(seq: u64, call: &str, more: Value) -> Entry {
    let mut exit = json!({ "ending": "exited" });
    for (key, value) in more.as_object().unwrap() {
        exit[key] = value.clone();
    }
    entry(seq, seq, call, "exit", exit)
}

#[test]
fn a_spawn_and_an_exit_make_one_command() {
    let mut commands = Commands::default();
    assert_eq!(commands.push(spawn(1, "a")), None);
    let status = json!({ "entry": { "status": { "kind": "exited", "code": 3 }, "duration_ms": 41, "output_bytes": 6 } });
    let command = commands.push(exit(2, "a", status)).unwrap();
    assert_eq!((command.seq, command.exit_code), (1, Some(3)));
    assert_eq!(
        (command.duration_ms, command.output_bytes),
        (Some(41), Some(6))
    );
    assert_eq!(command.ending.as_deref(), Some("exited"));
    assert_eq!(command.programs(), ["cd", "cargo", "tee"]);
    assert!(commands.finish().is_empty());
}

#[test]
fn a_command_that_an_agent_runs_is_known_by_one_record() {
    let mut commands = Commands::default();
    let more = json!({ "entry": { "command": "npm test", "origin": "agent:claude" } });
    let command = commands
        .push(entry(1, 1, "a", "handed-over", more.clone()))
        .unwrap();
    assert_eq!(command.ending.as_deref(), Some("handed-over"));
    assert_eq!(command.command.as_deref(), Some("npm test"));
    assert_eq!(command.duration_ms, None);
    assert_eq!(commands.push(entry(2, 1, "a", "handed-over", more)), None);
    assert!(commands.finish().is_empty());
}

#[test]
fn commands_side_by_side_end_each_by_itself() {
    let mut commands = Commands::default();
    for call in ["a", "b", "c"] {
        assert_eq!(commands.push(spawn(1, call)), None);
    }
    assert_eq!(commands.push(exit(4, "b", json!({}))).unwrap().call, "b");
    let unended: Vec<_> = commands
        .finish()
        .into_iter()
        .map(|command| command.call)
        .collect();
    assert_eq!(unended, ["a", "c"]);
}

#[test]
fn a_command_has_ended_when_every_hook_has_recorded_it() {
    let mut commands = Commands::default();
    let other = |event, seq| {
        entry(
            seq,
            seq,
            "a",
            event,
            json!({ "hook": "other", "ending": "exited" }),
        )
    };
    commands.push(spawn(1, "a"));
    commands.push(other("spawn", 2));
    assert_eq!(commands.push(exit(3, "a", json!({}))), None);
    let command = commands.push(other("exit", 4)).unwrap();
    assert_eq!(command.recorded_by, ["audit-log", "other"]);
    // Nor does a record too many begin another.
    assert_eq!(commands.push(other("exit", 5)), None);
    assert!(commands.finish().is_empty());
}

#[test]
fn a_refusal_needs_no_spawn() {
    let refused = json!({
        "ending": "denied", "refused_by": "no-push", "changed": [{"hook": "strict", "fields": ["command"]}],
        "entry": { "command": "git push", "status": { "kind": "denied", "reason": "no" } }
    });
    let command = Commands::default()
        .push(entry(1, 1, "a", "refused", refused))
        .unwrap();
    assert_eq!(command.started, None);
    assert_eq!(command.reason.as_deref(), Some("no"));
    for hook in ["no-push", "strict", "audit-log"] {
        assert!(command.concerns(hook), "{hook}");
    }
    assert!(!command.concerns("push"));
}

#[test]
fn without_details_the_records_tell_the_time() {
    let mut commands = Commands::default();
    commands.push(entry(1, 10, "a", "spawn", json!({})));
    let command = commands
        .push(entry(2, 12, "a", "exit", json!({ "ending": "exited" })))
        .unwrap();
    assert_eq!(command.duration_ms, Some(2000));
    assert_eq!(
        (command.command.as_deref(), command.programs().len()),
        (None, 0)
    );
}

#[test]
fn entries_of_other_forms_are_no_details() {
    for other in [
        json!([1, 2]),
        json!("text"),
        json!({ "command": 5, "cwd": "/w" }),
        json!({ "status": "gone" }),
    ] {
        let more = json!({ "ending": "exited", "entry": other });
        let command = Commands::default()
            .push(entry(1, 1, "a", "exit", more))
            .unwrap();
        assert_eq!((command.command, command.cwd), (None, None));
    }
}

#[test]
fn of_too_many_commands_the_oldest_is_given_up() {
    let mut commands = Commands::default();
    let given_up: Vec<_> = (0..=RUNNING as u64 + 1)
        .filter_map(|number| commands.push(spawn(number, &number.to_string())))
        .map(|command| command.call)
        .collect();
    assert_eq!(given_up, ["0", "1"]);
    assert_eq!(commands.running.len(), RUNNING);
    assert_eq!(commands.finish().len(), RUNNING);
}
