//! What guards ask, and how a client's user answers.

use serde_json::{Value, json};

use super::super::case::{Machine, wait_until};
use super::super::heart::Heart;
use super::{Mcp, text};

/// The guard asks about `git tag`, which does nothing here.
const COMMAND: &str = "touch ran # git tag";

fn guarded(machine: &Machine, capabilities: Value) -> Mcp {
    let guard = machine.component("hooks/no-push.wat");
    let guard = format!("guard:{}", guard.display());
    Mcp::with(machine, &["--hook", &guard], capabilities)
}

#[test]
fn the_client_s_user_is_asked_and_the_answer_counts() {
    for (answer, ending) in [
        (
            json!({"action": "accept", "content": {"run": true}}),
            "exited",
        ),
        (
            json!({"action": "accept", "content": {"run": false}}),
            "denied",
        ),
        (json!({"action": "decline"}), "denied"),
        (json!({"action": "cancel"}), "denied"),
    ] {
        let machine = Machine::new();
        let mut mcp = guarded(&machine, json!({"elicitation": {}}));
        let id = mcp.start_call("bash", json!({"command": COMMAND}));
        let question = mcp.client.next("the question", |line| {
            line["method"] == "elicitation/create"
        });
        let message = question["params"]["message"].as_str().unwrap();
        assert!(
            message.contains(COMMAND) && message.ends_with("may it tag?"),
            "{message}"
        );
        assert_eq!(
            question["params"]["requestedSchema"]["properties"]["run"]["type"],
            "boolean"
        );
        assert!(!machine.path("workspace/ran").exists());
        mcp.client
            .send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
        let result = mcp.answer(id)["result"].clone();
        assert_eq!(result["structuredContent"]["ending"], ending, "{answer}");
        assert_eq!(machine.path("workspace/ran").exists(), ending == "exited");
    }
}

#[test]
fn a_client_that_cannot_ask_is_told_why_the_answer_is_no() {
    let machine = Machine::new();
    let mut mcp = guarded(&machine, json!({}));
    let result = mcp.call("bash", json!({"command": COMMAND}));
    assert_eq!(
        text(&result),
        "Command denied by hook `no-push.wasm`: may it tag? (the client cannot be asked: it does \
         not offer elicitation, so the answer is no)"
    );
    let mut mcp = guarded(&machine, json!({"elicitation": {}}));
    let id = mcp.start_call("bash", json!({"command": COMMAND}));
    let question = mcp.client.next("the question", |line| {
        line["method"] == "elicitation/create"
    });
    mcp.client.send(&json!({
        "jsonrpc": "2.0", "id": question["id"], "error": {"code": -1, "message": "no screen"},
    }));
    let result = mcp.answer(id)["result"].clone();
    assert!(text(&result).contains("no screen"), "{result}");
    assert!(!machine.path("workspace/ran").exists());
}

#[test]
fn a_call_can_be_cancelled_while_a_person_thinks() {
    let heart = Heart::new();
    let mut mcp = guarded(&heart.machine, json!({"elicitation": {}}));
    let id = mcp.start_call("bash", json!({"command": COMMAND}));
    let question = mcp.client.next("the question", |line| {
        line["method"] == "elicitation/create"
    });
    mcp.cancel(id);
    let withdrawn = mcp.client.next("its end", |line| {
        line["method"] == "notifications/cancelled"
    });
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    wait_until("it is recorded", || !heart.machine.audit().is_empty());
    assert_eq!(heart.machine.audit()[0]["ending"], "cancelled");
    assert!(!heart.machine.path("workspace/ran").exists());
}

/// A client without a handshake, whose server may not ask by itself.
fn newer(machine: &Machine) -> Mcp {
    let guard = machine.component("hooks/no-push.wat");
    let case = machine.case(["mcp", "--hook", &format!("guard:{}", guard.display())]);
    Mcp {
        client: super::Client::start(case),
        requests: 0,
        meta: json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        }),
    }
}

#[test]
fn a_client_of_the_newer_protocol_calls_again_with_the_answer() {
    for (answer, ending) in [
        (
            json!({"action": "accept", "content": {"run": true}}),
            "exited",
        ),
        (json!({"action": "decline"}), "denied"),
    ] {
        let machine = Machine::new();
        let mut mcp = newer(&machine);
        let first = mcp.call("bash", json!({"command": COMMAND}));
        assert_eq!(first["resultType"], "input_required");
        let message = first["inputRequests"]["run"]["params"]["message"].as_str();
        assert!(message.unwrap().ends_with("may it tag?"), "{first}");
        assert!(!machine.path("workspace/ran").exists());
        let again = json!({
            "name": "bash",
            "arguments": {"command": COMMAND},
            "requestState": first["requestState"],
            "inputResponses": {"run": answer},
        });
        let id = mcp.request("tools/call", again.clone());
        let result = mcp.answer(id)["result"].clone();
        assert_eq!(result["structuredContent"]["ending"], ending, "{result}");
        assert_eq!(machine.path("workspace/ran").exists(), ending == "exited");
        let id = mcp.request("tools/call", again);
        let refused = mcp.answer(id)["error"]["message"].clone();
        assert!(
            refused.as_str().unwrap().contains("requestState"),
            "{refused}"
        );
    }
}
