//! What is kept of commands, and what is not.

use serde_json::{Value, json};

use super::super::case::Machine;
use super::super::client::Client;
use super::run;

#[test]
fn executions_are_kept_and_those_that_are_excluded_are_not_told() {
    let machine = Machine::new();
    let mut client = Client::start(machine.case(["rpc", "--session", "session.jsonl"]));
    run(&mut client, "1", json!({"command": "echo seen; exit 3"}));
    run(
        &mut client,
        "2",
        json!({"command": "echo secret", "excludeFromContext": true}),
    );
    let told = run(
        &mut client,
        "3",
        json!({"command": "echo $PI_SESSION_FILE"}),
    );
    let file = machine.workspace().join("session.jsonl");
    assert_eq!(told["data"]["output"], format!("{}\n", file.display()));
    let kept = std::fs::read_to_string(&file).unwrap();
    let kept: Vec<Value> = kept
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(kept.len(), 3);
    assert_eq!(kept[1]["role"], "bashExecution");
    assert_eq!(kept[1]["output"], "secret\n");
    assert_eq!(kept[1]["excludeFromContext"], true);
    let told = format!(
        "Ran `echo seen; exit 3`\n```\nseen\n```\n\nCommand exited with code 3\n\n\
         Ran `echo $PI_SESSION_FILE`\n```\n{}\n```\n",
        file.display()
    );
    machine
        .case(["context", "session.jsonl"])
        .stdout(&told)
        .check();
}

#[test]
fn a_hook_that_refuses_or_fails_is_an_error_and_nothing_is_kept() {
    let config = "
        [[hook]]
        name = \"guard\"
        component = \"no-push.wasm\"
        stage = \"guard\"
        when = { origin = [\"rpc\"] }
        [[hook]]
        name = \"broken\"
        component = \"divides-by-zero.wasm\"
        stage = \"rewrite\"
        when = { command = \"break\" }
    ";
    let machine = Machine::with_config(config);
    for (text, name) in [
        ("hooks/no-push.wat", "no-push.wasm"),
        ("guests/divides-by-zero.wat", "divides-by-zero.wasm"),
    ] {
        let component = machine.component(text);
        std::fs::rename(component, machine.path("config/spawnhook").join(name)).unwrap();
    }
    let mut client = Client::start(machine.case(["rpc", "--session", "session.jsonl"]));
    for (command, error) in [
        (
            "git push",
            "Command denied by hook `guard`: pushing is for people",
        ),
        (
            "git tag",
            "Command denied by hook `guard`: may it tag? (nobody is there to be asked, so the answer is no)",
        ),
    ] {
        let answer = run(&mut client, "1", json!({"command": command}));
        assert_eq!(
            (&answer["success"], &answer["error"]),
            (&json!(false), &json!(error))
        );
    }
    client.rest();
    let answer = run(&mut client, "1", json!({"command": "break"}));
    assert_eq!(answer["success"], false);
    let failed = client.next("the failure", |line| line["type"] == "extension_error");
    assert_eq!(failed["extensionPath"], "broken");
    assert_eq!(
        std::fs::read(machine.path("workspace/session.jsonl")).unwrap(),
        b""
    );
}
