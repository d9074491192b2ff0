//! Commands that outlive the patience of their clients.

use serde_json::{Value, json};

use super::super::case::{Machine, wait_until};
use super::super::heart::Heart;
use super::{Mcp, text};

fn handle(result: &Value) -> String {
    assert_eq!(result["structuredContent"]["ending"], "running", "{result}");
    let handle = result["structuredContent"]["handle"].as_str();
    handle.unwrap().to_owned()
}

#[test]
fn a_call_in_the_background_is_answered_at_once_and_followed_by_its_handle() {
    let machine = Machine::new();
    let mut mcp = Mcp::start(&machine);
    let command = "echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 3";
    let started = mcp.call("bash", json!({"command": command, "background": true}));
    assert_eq!(started["isError"], false);
    assert_eq!(started["structuredContent"]["command"], command);
    let handle = handle(&started);
    assert!(text(&started).contains(&handle), "{started}");
    let mut read = String::new();
    wait_until("it has written", || {
        let result = mcp.call("bash_output", json!({"handle": handle}));
        assert_eq!(result["structuredContent"]["running"], true);
        read.push_str(result["structuredContent"]["output"].as_str().unwrap());
        !read.is_empty()
    });
    assert_eq!(read, "one\n");
    let list = mcp.call("bash_list", json!({}));
    let listed = &list["structuredContent"]["calls"][0];
    assert_eq!(
        (&listed["handle"], &listed["ending"]),
        (&json!(handle), &Value::Null)
    );
    std::fs::write(machine.path("workspace/go"), "").unwrap();
    let result = mcp.call("bash_output", json!({"handle": handle, "wait": 30}));
    let object = &result["structuredContent"];
    assert_eq!(
        (&object["running"], &object["output"]),
        (&json!(false), &json!("two\n"))
    );
    assert_eq!(object["result"]["exit_code"], 3);
    assert_eq!(text(&result), "two\n\n\nCommand exited with code 3");
    let again = mcp.call("bash_output", json!({"handle": handle, "cursor": 0}));
    assert_eq!(again["structuredContent"]["output"], "one\ntwo\n");
    assert_eq!(again["structuredContent"]["cursor"], 8);
}

#[test]
fn a_call_that_takes_longer_than_the_client_waits_is_answered_with_a_handle() {
    let heart = Heart::new();
    let mut mcp = Mcp::with(&heart.machine, &["--patience", "0.7"], json!({}));
    let way = Heart::command("echo one; setsid bash -c \"$B\" & wait");
    let result = mcp.call("bash", json!({"command": way}));
    let handle = handle(&result);
    assert!(
        text(&result).starts_with("one\n\n\n[Still running after "),
        "{result}"
    );
    assert_eq!(result["structuredContent"]["output"], "one\n");
    heart.wait_for_life("it");
    let killed = mcp.call("bash_kill", json!({"handle": handle}));
    heart.assert_dead("it");
    assert_eq!(killed["isError"], false);
    assert_eq!(killed["structuredContent"]["result"]["ending"], "cancelled");
    assert_eq!(heart.machine.audit()[1]["ending"], "cancelled");
    let again = mcp.call("bash_kill", json!({"handle": handle}));
    assert_eq!(again["structuredContent"]["result"]["ending"], "cancelled");
}

#[test]
fn a_command_in_the_background_that_is_refused_is_told_at_once() {
    let machine = Machine::new();
    let guard = machine.component("hooks/no-push.wat");
    let guard = format!("guard:{}", guard.display());
    let mut mcp = Mcp::with(&machine, &["--hook", &guard], json!({}));
    let result = mcp.call("bash", json!({"command": "git push", "background": true}));
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"]["ending"], "denied");
}

#[test]
fn of_commands_that_have_ended_the_oldest_are_forgotten() {
    let machine = Machine::new();
    let mut mcp = Mcp::start(&machine);
    let mut start = || {
        let started = mcp.call("bash", json!({"command": "true", "background": true}));
        let handle = handle(&started);
        let ended = mcp.call("bash_output", json!({"handle": handle, "wait": 30}));
        assert_eq!(ended["structuredContent"]["running"], false);
        handle
    };
    let first = start();
    for _ in 0..70 {
        start();
    }
    let list = mcp.call("bash_list", json!({}));
    assert_eq!(
        list["structuredContent"]["calls"].as_array().unwrap().len(),
        65
    );
    assert_eq!(text(&list).lines().count(), 65);
    let forgotten = mcp.call("bash_output", json!({"handle": first}));
    assert_eq!(forgotten["isError"], true);
}

#[test]
fn output_is_read_in_pieces_and_who_is_late_is_told_what_is_gone() {
    let machine = Machine::new();
    let mut mcp = Mcp::start(&machine);
    let command = json!({"command": "seq 200000", "background": true});
    let handle = handle(&mcp.call("bash", command));
    let result = mcp.call(
        "bash_output",
        json!({"handle": handle, "cursor": 0, "wait": 30}),
    );
    let object = &result["structuredContent"];
    assert!(
        object["skipped_bytes"].as_u64().unwrap() > 500_000,
        "{}",
        object["skipped_bytes"]
    );
    let (mut read, mut cursor) = (0, object["cursor"].as_u64().unwrap());
    let total = 1_288_895;
    while cursor < total {
        let result = mcp.call("bash_output", json!({"handle": handle}));
        let piece = result["structuredContent"]["output"]
            .as_str()
            .unwrap()
            .len();
        assert!((1..=51_200).contains(&piece));
        read += piece;
        cursor = result["structuredContent"]["cursor"].as_u64().unwrap();
    }
    assert!(read > 200_000, "{read}");
    let last = mcp.call("bash_output", json!({"handle": handle}));
    assert_eq!(text(&last), "Command exited with code 0");
}
