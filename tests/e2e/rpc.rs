//! The server that speaks the original's JSON Lines.

use serde_json::{Value, json};

use super::case::Machine;
use super::client::Client;

mod endings;
mod records;

fn rpc(machine: &Machine) -> Client {
    Client::start(machine.case(["rpc"]))
}

/// The answer to the request of this id.
#[track_caller]
fn answer(client: &Client, id: &str) -> Value {
    client.next(&format!("the answer to {id}"), |line| {
        line["type"] == "response" && line["id"] == id
    })
}

/// The answer to a command, whatever else comes.
#[track_caller]
fn run(client: &mut Client, id: &str, request: Value) -> Value {
    let mut object = json!({"id": id, "type": "bash"});
    object
        .as_object_mut()
        .unwrap()
        .extend(request.as_object().unwrap().clone());
    client.send(&object);
    answer(client, id)
}

#[test]
fn a_command_has_the_shapes_of_the_original_and_a_start_and_an_end() {
    let machine = Machine::new();
    let mut client = rpc(&machine);
    let answer = run(&mut client, "7", json!({"command": "echo one; exit 3"}));
    assert_eq!(
        answer.to_string(),
        r#"{"id":"7","type":"response","command":"bash","success":true,"data":{"output":"one\n","exitCode":3,"cancelled":false,"truncated":false}}"#
    );
    let events = client.rest();
    let kinds: Vec<_> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "bash_execution_start",
            "bash_execution_update",
            "bash_execution_end"
        ]
    );
    assert_eq!(events[0]["command"], "echo one; exit 3");
    assert_eq!(events[0]["cwd"], machine.workspace().to_str().unwrap());
    assert_eq!(
        events[1],
        json!({"type": "bash_execution_update", "id": "7", "delta": "one\n", "stream": "merged"})
    );
    assert_eq!(
        events[2]["result"]["message"],
        "one\n\n\nCommand exited with code 3"
    );
    assert_eq!(events[2]["result"]["id"], events[0]["callId"]);
    assert_eq!(machine.audit().len(), 2);
}

#[test]
fn streams_that_are_kept_apart_are_told_apart() {
    let machine = Machine::new();
    let mut client = rpc(&machine);
    let command = json!({"command": "echo out; echo err >&2", "streams": "separate"});
    run(&mut client, "1", command);
    let mut told: Vec<_> = client
        .rest()
        .into_iter()
        .filter_map(|event| {
            let stream = event["stream"].as_str()?.to_owned();
            Some((stream, event["delta"].as_str()?.to_owned()))
        })
        .collect();
    told.sort();
    assert_eq!(
        told,
        [
            ("stderr".into(), "err\n".into()),
            ("stdout".into(), "out\n".into())
        ]
    );
}

#[test]
fn output_that_is_cut_is_told_whole() {
    let machine = Machine::new();
    let mut client = rpc(&machine);
    let answer = run(
        &mut client,
        "1",
        json!({"command": "seq 30000; printf '\\e[1mend'"}),
    );
    assert_eq!(answer["data"]["truncated"], true);
    let file = answer["data"]["fullOutputPath"].as_str().unwrap();
    let kept = std::fs::read_to_string(file).unwrap();
    let told: String = client
        .rest()
        .iter()
        .filter_map(|event| event["delta"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(told, kept.replace("\u{1b}[1m", ""));
    assert!(
        answer["data"]["output"]
            .as_str()
            .unwrap()
            .ends_with("30000\nend")
    );
}

#[test]
fn a_request_that_is_wrong_is_told_which_field_and_nothing_runs() {
    let machine = Machine::new();
    let mut client = rpc(&machine);
    for (line, command, error) in [
        (
            r#"{"id":"1","type":"bash"}"#,
            "bash",
            "`command` is missing: a string is needed",
        ),
        (
            r#"{"id":"1","type":"bash","command":null}"#,
            "bash",
            "`command` is missing: a string is needed",
        ),
        (
            r#"{"id":"1","type":"bash","command":"touch ran","timeout":0}"#,
            "bash",
            "Invalid timeout: must be a finite number of seconds",
        ),
        (
            r#"{"id":"1","type":"bash","command":"touch ran","tiemout":5}"#,
            "bash",
            "`tiemout` is not known here; there are `id`, `type`, `command`, `cwd`, `env`, `timeout`, `streams`, `excludeFromContext`",
        ),
        (
            r#"{"id":"1","type":"abort_bash","bashId":"2"}"#,
            "abort_bash",
            r#"no command with the id "2" is running"#,
        ),
    ] {
        client.send_text(&format!("{line}\n"));
        let answer = answer(&client, "1");
        assert_eq!(
            (&answer["success"], &answer["command"], &answer["error"]),
            (&json!(false), &json!(command), &json!(error))
        );
    }
    client.send_text("not json\n");
    let answer = client.next("an error", |line| line["command"] == "parse");
    assert_eq!(answer["success"], false);
    assert!(!machine.path("workspace/ran").exists());
    assert!(machine.audit().is_empty());
}

#[test]
fn lines_end_with_lf_alone() {
    let machine = Machine::new();
    let mut client = rpc(&machine);
    let text = "a\u{2028}b\u{2029}c";
    client.send_text(&format!(
        "{{\"id\":\"1\",\"type\":\"bash\",\"command\":\"printf %s {text}\"}}\r\n"
    ));
    assert_eq!(answer(&client, "1")["data"]["output"], text);
    client
        .send_text(r#"{"id":"2","type":"set_cwd","cwd":"."}"#)
        .close_input();
    assert_eq!(answer(&client, "2")["success"], true);
    assert!(client.ended().success());
}

#[test]
fn directories_are_taken_from_that_of_the_session() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.path("workspace/a/b")).unwrap();
    let root = machine.workspace();
    let mut client = rpc(&machine);
    client.send(&json!({"id": "s", "type": "set_cwd", "cwd": "a"}));
    assert_eq!(
        answer(&client, "s")["data"]["cwd"],
        root.join("a").to_str().unwrap()
    );
    for (cwd, place) in [(json!(null), "a"), (json!("b"), "a/b"), (json!(root), "")] {
        let answer = run(&mut client, "1", json!({"command": "pwd", "cwd": cwd}));
        let place = root.join(place);
        let place = place.to_str().unwrap().trim_end_matches('/');
        assert_eq!(answer["data"]["output"], format!("{place}\n"));
    }
    client.send(&json!({"id": "s", "type": "set_cwd", "cwd": "nowhere"}));
    let refused = answer(&client, "s");
    assert!(
        refused["error"].as_str().unwrap().contains("a/nowhere"),
        "{refused}"
    );
    let answer = run(&mut client, "1", json!({"command": "pwd"}));
    assert_eq!(
        answer["data"]["output"],
        format!("{}\n", root.join("a").display())
    );
}

#[test]
fn a_command_may_have_variables_of_its_own_and_lack_some() {
    let machine = Machine::with_config("env.set = { KEPT = \"1\", DROPPED = \"2\" }");
    let mut client = rpc(&machine);
    let command = json!({
        "command": "echo \"$KEPT, ${DROPPED-none}, $OWN\"",
        "env": {"OWN": "a=b c", "DROPPED": null},
    });
    let answer = run(&mut client, "1", command);
    assert_eq!(answer["data"]["output"], "1, none, a=b c\n");
    let answer = run(
        &mut client,
        "2",
        json!({"command": "touch ran", "env": {"A=B": "1"}}),
    );
    assert_eq!(
        answer["error"],
        "Invalid variable name \"A=B\": a name is not empty and has neither `=` nor NUL in it"
    );
    assert!(!machine.path("workspace/ran").exists());
}

#[test]
fn a_time_limit_keeps_what_was_written() {
    let machine = Machine::new();
    let mut client = rpc(&machine);
    let answer = run(
        &mut client,
        "1",
        json!({"command": "echo one; sleep 100", "timeout": 0.5}),
    );
    assert_eq!(
        answer["data"],
        json!({"output": "one\n", "cancelled": false, "timedOut": true, "truncated": false})
    );
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let machine = Machine::new();
    machine
        .case(["rpc", "--session", "nowhere/session.jsonl"])
        .code(125)
        .stderr("spawnhook: cannot open the session file nowhere/session.jsonl: No such file or directory (os error 2)\n")
        .check();
    machine
        .case(["context", "nowhere.jsonl"])
        .code(125)
        .stderr("spawnhook: cannot read the session file nowhere.jsonl: No such file or directory (os error 2)\n")
        .check();
}
