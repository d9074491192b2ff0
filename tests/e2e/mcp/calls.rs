//! Listing, calling, progress, cancelling, and the ends of the server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::case::Machine;
use super::super::client::Client;
use super::super::heart::Heart;
use super::super::server::nothing_survives;
use super::{Mcp, text};

/// Settling takes at most the grace and 500 ms; the rest is for a busy machine.
const SETTLES: Duration = Duration::from_millis(250 + 500 + 3000);

#[test]
fn the_tools_are_listed_with_what_they_take_and_answer() {
    let machine = Machine::with_config("limits = { max_lines = 7, max_timeout = \"60s\" }");
    let mut mcp = Mcp::with(&machine, &["--patience", "20"], json!({}));
    let id = mcp.request("tools/list", json!({}));
    let answer = mcp.answer(id);
    let tools = answer["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["bash", "bash_output", "bash_kill", "bash_list"]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
    }
    let told = tools[0]["description"].as_str().unwrap();
    for fact in [
        "last 7 lines or 50.0KB",
        "a file whose path",
        "in seconds",
        "after 20 seconds",
    ] {
        assert!(told.contains(fact), "{fact}: {told}");
    }
    let timeout = &tools[0]["inputSchema"]["properties"]["timeout"];
    assert_eq!(
        timeout["description"],
        "Time limit in seconds, at most 60; default 60, or 60 in the background"
    );
}

#[test]
fn a_call_is_answered_with_a_text_and_the_object_of_run() {
    let machine = Machine::new();
    let mut mcp = Mcp::start(&machine);
    let result = mcp.call("bash", json!({"command": "echo one; echo two >&2"}));
    assert_eq!(text(&result), "one\ntwo\n");
    assert_eq!(result["isError"], false);
    let object = result["structuredContent"].as_object().unwrap();
    let of_run = machine.json("echo one; echo two >&2").object();
    let mut fields: Vec<_> = of_run.as_object().unwrap().keys().collect();
    let handle = "handle".to_owned();
    fields.push(&handle);
    assert_eq!(object.keys().collect::<Vec<_>>(), fields);
    assert_eq!(object["output"], of_run["output"]);
    assert_eq!(object["handle"], Value::Null);
}

#[test]
fn a_command_that_fails_is_an_error_that_says_how() {
    let machine = Machine::new();
    let mut mcp = Mcp::start(&machine);
    for (arguments, ending, said) in [
        (
            json!({"command": "exit 3"}),
            "exited",
            "(no output)\n\nCommand exited with code 3",
        ),
        (
            json!({"command": "echo one; sleep 100", "timeout": 0.5}),
            "timed-out",
            "one\n\n\nCommand timed out after 0.5 seconds",
        ),
    ] {
        let result = mcp.call("bash", arguments);
        assert_eq!(result["isError"], true);
        assert_eq!(result["structuredContent"]["ending"], ending);
        assert_eq!(text(&result), said);
    }
}

#[test]
fn a_command_runs_where_it_is_told_to() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.path("workspace/a/b")).unwrap();
    let mut mcp = Mcp::with(&machine, &["--cwd", "a"], json!({}));
    for (arguments, place) in [
        (json!({"command": "pwd"}), "a"),
        (json!({"command": "pwd", "cwd": "b"}), "a/b"),
        (
            json!({"command": "pwd", "cwd": machine.workspace().join("a/b")}),
            "a/b",
        ),
    ] {
        let result = mcp.call("bash", arguments);
        let place = machine.workspace().join(place);
        assert_eq!(text(&result), format!("{}\n", place.display()));
    }
}

#[test]
fn arguments_that_are_wrong_are_named() {
    let machine = Machine::new();
    let mut mcp = Mcp::start(&machine);
    for (tool, arguments, error) in [
        (
            "bash",
            json!({}),
            "`command` is missing: a string is needed",
        ),
        (
            "bash",
            json!({"command": ["ls"]}),
            r#"`command` must be a string, and is ["ls"]"#,
        ),
        (
            "bash",
            json!({"command": "touch ran", "timeout": "5"}),
            r#"`timeout` must be a number of seconds, and is "5""#,
        ),
        (
            "bash",
            json!({"command": "touch ran", "timeout": -1}),
            "Invalid timeout: must be a finite number of seconds",
        ),
        (
            "bash",
            json!({"command": "touch ran", "dir": "/"}),
            "`dir` is not known here; there are `command`, `timeout`, `cwd`, `background`",
        ),
        (
            "bash_output",
            json!({"handle": "bash_9"}),
            "`handle`: there is no command `bash_9`; `bash_list` tells which there are",
        ),
        (
            "bash_kill",
            json!({}),
            "`handle` is missing: a string is needed",
        ),
        (
            "bash_list",
            json!({"all": true}),
            "`all` is not known here; there are none",
        ),
    ] {
        let result = mcp.call(tool, arguments);
        assert_eq!((&result["isError"], text(&result)), (&json!(true), error));
    }
    let result = mcp.call("bash", json!({"command": "touch ran", "cwd": "/"}));
    assert!(text(&result).contains("outside the workspace"), "{result}");
    let id = mcp.start_call("sh", json!({}));
    assert_eq!(mcp.answer(id)["error"]["message"], "there is no tool `sh`");
    assert!(!machine.path("workspace/ran").exists());
    assert!(machine.audit().is_empty());
}

#[test]
fn progress_is_told_to_who_asks_for_it_and_has_the_end_of_the_output() {
    let machine = Machine::new();
    let mut mcp = Mcp::start(&machine);
    let command =
        json!({"command": "seq 3000; touch written; until [ -e go ]; do sleep 0.02; done"});
    let quiet = mcp.start_call("bash", command.clone());
    let id = mcp.request(
        "tools/call",
        json!({"name": "bash", "arguments": command, "_meta": {"progressToken": "mine"}}),
    );
    let is_progress = |line: &Value| line["method"] == "notifications/progress";
    let whole = mcp.client.next("the end of the output", |line| {
        is_progress(line)
            && line["params"]["message"]
                .as_str()
                .unwrap()
                .ends_with("\n3000\n")
    });
    assert!(whole["params"]["message"].as_str().unwrap().len() <= 4096);
    std::fs::write(machine.path("workspace/go"), "").unwrap();
    mcp.answer(quiet);
    mcp.answer(id);
    let mut told: Vec<_> = mcp.client.rest().into_iter().filter(is_progress).collect();
    told.push(whole);
    assert!(
        told.iter()
            .all(|line| line["params"]["progressToken"] == "mine")
    );
    let mut steps: Vec<_> = told
        .iter()
        .map(|line| line["params"]["progress"].as_f64().unwrap())
        .collect();
    steps.sort_by(f64::total_cmp);
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
}

#[test]
fn a_call_that_is_cancelled_leaves_nothing() {
    let heart = Heart::new();
    let mut mcp = Mcp::start(&heart.machine);
    let way = Heart::command("setsid bash -c \"$B\" & wait");
    let id = mcp.start_call("bash", json!({"command": way}));
    heart.wait_for_life("it");
    let since = Instant::now();
    mcp.cancel(id);
    while heart.machine.audit().len() < 2 {
        assert!(since.elapsed() < SETTLES, "it was not cancelled");
        std::thread::sleep(Duration::from_millis(5));
    }
    heart.assert_dead("it");
    assert_eq!(heart.machine.audit()[1]["ending"], "cancelled");
    let list = mcp.call("bash_list", json!({}));
    assert_eq!(list["structuredContent"]["calls"], json!([]));
    // Whoever gave up gets no answer.
    mcp.client.close_input();
    let rest = mcp.client.rest_to_the_end();
    assert!(rest.iter().all(|line| line["id"] != id), "{rest:?}");
}

#[test]
fn nothing_survives_the_end_of_the_server() {
    nothing_survives(|machine, command| {
        let mut client = Client::without_reading(machine.case(["mcp"]));
        client
            .send(
                &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                    "protocolVersion": "2025-06-18", "capabilities": {},
                    "clientInfo": {"name": "test", "version": "1"},
                }}),
            )
            .send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .send(
                &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
                    "name": "bash", "arguments": {"command": command},
                }}),
            );
        client
    });
}

#[test]
fn a_server_ends_that_nobody_has_greeted() {
    let machine = Machine::new();
    let mut client = Client::start(machine.case(["mcp"]));
    client.close_input();
    assert!(client.ended().success());
    machine
        .case(["mcp", "--patience=-1"])
        .code(125)
        .stderr("spawnhook: --patience -1: expected a number of seconds from 0 on: cannot convert float seconds to Duration: value is negative\n")
        .check();
}
