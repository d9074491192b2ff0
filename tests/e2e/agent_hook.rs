//! The program as the hook of an agent: what it is told, what it answers, what is recorded.

use std::io::Write as _;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use super::case::{Case, Machine};

pub(crate) const POLICY: &str = r#"
[[hook]]
name = "policy"
component = "builtin:command-policy"
stage = "guard"
settings = { default = "allow", denied = ["rm"], asked = ["touch"] }
"#;

pub(crate) const REWRITE: &str = r#"
[[hook]]
name = "strict"
component = "builtin:command-rewrite"
stage = "rewrite"
may = { command = true }
settings = { prepend = ["set -e"] }
"#;

const INJECT: &str = r#"
[[hook]]
name = "inject"
component = "builtin:env-inject"
stage = "rewrite"
may = { set_env = ["MARK"] }
settings = { set = { MARK = "hidden" } }
"#;

/// Says something to the hook of an agent.
pub(crate) fn tell(case: Case<'_>, input: &[u8]) -> Output {
    let mut command = case.into_command();
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// As Claude Code tells of a command.
pub(crate) fn claude(machine: &Machine, command: &str) -> Value {
    json!({
        "session_id": "s1", "transcript_path": "/t.jsonl", "cwd": machine.workspace(),
        "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": command, "timeout": 5000, "description": "d" },
        "tool_use_id": "u",
    })
}

/// The document of an answer, which is the one thing on stdout; null for silence.
pub(crate) fn document(output: &Output) -> Value {
    let stdout = str::from_utf8(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    match stdout {
        "" => Value::Null,
        document => serde_json::from_str(document).unwrap(),
    }
}

/// The hook of an agent that has all the time of the world: what it answers is no question of how
/// busy the machine is.
pub(crate) fn hook<'a>(machine: &'a Machine, agent: &str) -> Case<'a> {
    machine.case(["agent-hook", agent, "--within", "60"])
}

fn answer(machine: &Machine, options: &[&str], command: &str) -> Value {
    let case = hook(machine, "claude").and(options);
    let output = tell(case, claude(machine, command).to_string().as_bytes());
    document(&output)["hookSpecificOutput"].take()
}

/// What is recorded last: event, ending, origin.
fn last_record(machine: &Machine) -> (Value, Value, Value) {
    let mut record = machine.audit().pop().unwrap();
    let origin = record["entry"]["origin"].take();
    (record["event"].take(), record["ending"].take(), origin)
}

#[test]
fn what_no_hook_objects_to_is_left_to_the_agent_and_recorded_once() {
    let machine = Machine::with_config(POLICY);
    assert_eq!(answer(&machine, &[], "npm test"), Value::Null);
    let approved = answer(&machine, &["--approve"], "npm test");
    assert_eq!(approved["permissionDecision"], "allow");
    assert_eq!(machine.audit().len(), 2, "one record each");
    let record = ("handed-over".into(), Value::Null, "agent:claude".into());
    assert_eq!(last_record(&machine), record);
    assert_eq!(machine.audit()[0]["entry"]["session"]["id"], "s1");
    let (verified, _) = machine.case(["audit", "verify"]).texts();
    assert!(verified.starts_with("whole: records 1 to 2"), "{verified}");
    assert!(!verified.contains("without"), "{verified}");
    let (shown, _) = machine
        .case(["audit", "show", "--ending", "handed-over"])
        .texts();
    assert_eq!(shown.lines().count(), 2, "{shown}");
}

#[test]
fn a_guard_denies_and_asks_in_the_words_of_the_agent() {
    let machine = Machine::with_config(POLICY);
    let denied = answer(&machine, &[], "rm x");
    assert_eq!(denied["permissionDecision"], "deny");
    let reason = denied["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.starts_with("Command denied by hook `policy`: "),
        "{reason}"
    );
    let record = ("refused".into(), "denied".into(), "agent:claude".into());
    assert_eq!(last_record(&machine), record);
    let asked = answer(&machine, &["--approve"], "touch x");
    assert_eq!(asked["permissionDecision"], "ask");
    assert_eq!(last_record(&machine).0, "handed-over");
}

#[test]
fn where_an_agent_cannot_ask_a_question_is_a_denial_that_says_so() {
    let machine = Machine::with_config(POLICY);
    let input = claude(&machine, "touch x").to_string();
    let output = tell(hook(&machine, "codex"), input.as_bytes());
    let denied = &document(&output)["hookSpecificOutput"];
    assert_eq!(denied["permissionDecision"], "deny");
    let reason = denied["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.contains("(Codex cannot ask its user here"),
        "{reason}"
    );
    assert_eq!(last_record(&machine).1, "denied");
}

#[test]
fn a_rewrite_keeps_what_stands_beside_the_command() {
    let machine = Machine::with_config(REWRITE);
    let rewritten = answer(&machine, &[], "ls");
    let expected = json!({ "command": "set -e\nls", "timeout": 5000, "description": "d" });
    assert_eq!(rewritten["updatedInput"], expected);
    // nobody has agreed to it in the user's place
    assert_eq!(rewritten["permissionDecision"], "ask");
    assert_eq!(
        machine.audit()[0]["changed"][0]["fields"],
        json!(["command"])
    );
    let input = claude(&machine, "ls").to_string();
    let output = tell(hook(&machine, "codex"), input.as_bytes());
    assert_eq!(
        document(&output),
        json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": expected,
        } })
    );
}

#[test]
fn a_variable_that_an_agent_cannot_be_told_is_a_denial_and_its_value_stays_hidden() {
    let machine = Machine::with_config(INJECT);
    let denied = answer(&machine, &[], "ls");
    assert_eq!(denied["permissionDecision"], "deny");
    let reason = denied["permissionDecisionReason"].as_str().unwrap();
    assert!(
        reason.contains("hooks changed MARK; with --own-process"),
        "{reason}"
    );
    assert!(!reason.contains("hidden"), "{reason}");
    assert_eq!(last_record(&machine).0, "refused");
}

#[test]
fn a_hook_that_fails_or_does_not_load_is_a_denial() {
    let machine = Machine::new();
    let loops = machine.component("guests/loops.wat");
    let loops = format!("guard:{}", loops.display());
    let failed = answer(&machine, &["--hook", &loops], "ls");
    assert_eq!(failed["permissionDecision"], "deny");
    let reason = failed["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("failed: "), "{reason}");
    let missing = answer(&machine, &["--hook", "guard:/missing.wasm"], "ls");
    assert_eq!(missing["permissionDecision"], "deny");
    std::fs::write(machine.path("config/spawnhook/config.toml"), "what = 1").unwrap();
    let bad = answer(&machine, &[], "ls");
    assert_eq!(bad["permissionDecision"], "deny");
}

#[test]
fn a_record_that_cannot_be_written_is_a_denial() {
    let machine = Machine::with_config("[audit]\npath = \"/dev/full/audit.jsonl\"\n");
    let denied = answer(&machine, &[], "ls");
    assert_eq!(denied["permissionDecision"], "deny");
}

#[test]
fn other_tools_are_none_of_our_business() {
    let machine = Machine::new();
    let mut input = claude(&machine, "ls");
    input["tool_name"] = "Read".into();
    let output = tell(hook(&machine, "claude"), input.to_string().as_bytes());
    assert_eq!(document(&output), Value::Null);
    assert_eq!(output.stderr, b"");
    assert!(machine.audit().is_empty());
}
