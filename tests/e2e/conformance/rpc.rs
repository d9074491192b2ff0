//! T26 to T28 and X37: the server that speaks JSON Lines.

use serde_json::{Value, json};

use super::super::case::Machine;
use super::super::client::Client;
use super::row::{Row, row};

pub(super) fn rows() -> Vec<Row> {
    [records(), framing(), requests()]
        .into_iter()
        .flatten()
        .collect()
}

fn records() -> Vec<Row> {
    let kept = json!({"seen": {
        "kept": [["echo one", "one\n", false], ["touch started; sleep 100", "", true]],
        "told": "Ran `echo one`\n```\none\n```\n\nRan `touch started; sleep 100`\n(no output)\n\n\
                 (command cancelled)\n",
    }});
    vec![
        row("T26", "what ran is kept, aborted or not")
            .library(keeping)
            .matches(kept.clone()),
        row("T27", "what ran is told to the model")
            .library(keeping)
            .matches(kept),
    ]
}

fn framing() -> Vec<Row> {
    vec![
        row("T28", "lines end with LF, and CR before it is dropped")
            .library(|| {
                let text = |id: &str| {
                    format!(
                        "{{\"id\":\"{id}\",\"type\":\"bash\",\"command\":\"printf %s a\u{2028}\"}}"
                    )
                };
                let lines = format!("{}\r\n{}\n", text("1"), text("2"));
                answers(&lines, &["1", "2"], |answer| {
                    answer["data"]["output"].clone()
                })
            })
            .matches(json!({"seen": ["a\u{2028}", "a\u{2028}"]})),
        row("T28", "a last line without LF")
            .library(|| {
                let line = r#"{"id":"1","type":"set_cwd","cwd":"."}"#;
                answers(line, &["1"], |answer| answer["success"].clone())
            })
            .matches(json!({"seen": [true]})),
    ]
}

fn requests() -> Vec<Row> {
    vec![
        row("X37", "no JSON")
            .library(|| {
                let machine = Machine::new();
                let mut client = Client::start(machine.case(["rpc"]));
                client.send_text("nonsense\n");
                let answer = client.next("an answer", |_| true);
                json!({"seen": [answer["type"], answer["command"], answer["success"]]})
            })
            .matches(json!({"seen": ["response", "parse", false]})),
        row("X37", "commands side by side, each with its id")
            .library(|| {
                let line = |id: &str| {
                    let others = "until [ -e 1 ] && [ -e 2 ]; do sleep 0.02; done";
                    let command = format!("touch {id}; {others}; echo {id}");
                    json!({"id": id, "type": "bash", "command": command}).to_string() + "\n"
                };
                let lines = line("1") + &line("2");
                answers(&lines, &["1", "2"], |answer| answer["data"].clone())
            })
            .matches(json!({"seen": [
                {"output": "1\n", "exitCode": 0, "cancelled": false, "truncated": false},
                {"output": "2\n", "exitCode": 0, "cancelled": false, "truncated": false},
            ]})),
        row("X37", "a command without its text")
            .library(|| {
                let line = "{\"id\":\"1\",\"type\":\"bash\"}\n";
                answers(line, &["1"], |answer| answer["error"].clone())
            })
            .better(
                "what is missing is an error, and no command of that name",
                json!({"seen": ["`command` is missing: a string is needed"]}),
            ),
    ]
}

/// Sends lines, and returns what is looked at in the answer to each id.
fn answers(lines: &str, ids: &[&str], look: fn(&Value) -> Value) -> Value {
    let machine = Machine::new();
    let mut client = Client::start(machine.case(["rpc"]));
    client.send_text(lines);
    if !lines.ends_with('\n') {
        client.close_input();
    }
    let seen: Vec<_> = ids.iter().map(|id| look(&answer(&client, id))).collect();
    json!({ "seen": seen })
}

fn answer(client: &Client, id: &str) -> Value {
    client.next(&format!("the answer to {id}"), |line| {
        line["type"] == "response" && line["id"] == id
    })
}

/// A command that ends and one that is aborted: what is kept and told of them.
fn keeping() -> Value {
    let machine = Machine::new();
    let mut client = Client::start(machine.case(["rpc", "--session", "session"]));
    client.send(&json!({"id": "1", "type": "bash", "command": "echo one"}));
    answer(&client, "1");
    client.send(&json!({"id": "2", "type": "bash", "command": "touch started; sleep 100"}));
    super::super::case::wait_until("it runs", || machine.path("workspace/started").exists());
    client.send(&json!({"type": "abort_bash"}));
    answer(&client, "2");
    let kept = std::fs::read_to_string(machine.path("workspace/session")).unwrap();
    let kept: Vec<_> = kept
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|kept| json!([kept["command"], kept["output"], kept["cancelled"]]))
        .collect();
    let (told, _) = machine.case(["context", "session"]).texts();
    json!({"seen": {"kept": kept, "told": told}})
}
