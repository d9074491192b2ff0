//! Commands that an agent runs by `spawnhook run --ticket`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::agent_hook::{POLICY, REWRITE, claude, document, hook, tell};
use super::case::Machine;

const INJECT: &str = r#"
[[hook]]
name = "inject"
component = "builtin:env-inject"
stage = "rewrite"
may = { set_env = ["MARK"] }
settings = { set = { MARK = "hidden" }, set_from_session = { SESSION = "id" } }
"#;

/// The line that the agent is to run in place of `command`.
fn line(machine: &Machine, command: &str) -> String {
    let case = hook(machine, "claude").and(&["--own-process"]);
    let output = tell(case, claude(machine, command).to_string().as_bytes());
    let document = document(&output);
    let input = &document["hookSpecificOutput"]["updatedInput"];
    assert_eq!(input["timeout"], 5000, "{document}");
    input["command"].as_str().unwrap().to_owned()
}

/// Runs a line as the agent would: in a shell, with an environment of its own.
fn run(machine: &Machine, line: &str) -> Output {
    Command::new("bash")
        .args(["-c", line])
        .current_dir(machine.workspace())
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", machine.path("home"))
        .env("XDG_CONFIG_HOME", machine.path("config"))
        .env("XDG_STATE_HOME", machine.path("state"))
        .env("TMPDIR", machine.path("tmp"))
        .env("LANG", "of the tool")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

fn tickets(machine: &Machine) -> Vec<PathBuf> {
    let folder = machine.path("state/spawnhook/tickets");
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn command_environment_and_records_are_those_of_a_run_in_one_process() {
    let config = [REWRITE, INJECT, POLICY]
        .concat()
        .replace("set_env = [\"MARK\"]", "set_env = [\"MARK\", \"SESSION\"]");
    let machine = Machine::with_config(&config);
    let line = line(&machine, "echo \"$MARK $SESSION $LANG\"; exit 3");
    assert!(line.contains(" run --ticket /"), "{line}");
    assert!(line.contains("-- "), "{line}");
    assert!(machine.audit().is_empty(), "the run records it");
    let output = run(&machine, &line);
    assert_eq!(text(&output.stdout), "hidden s1 \n", "{output:?}");
    assert_eq!(output.status.code(), Some(3));
    let records = machine.audit();
    assert_eq!(records.len(), 2);
    assert_eq!(records[0]["event"], "spawn");
    assert_eq!(records[1]["event"], "exit");
    assert_eq!(records[0]["call"], records[1]["call"]);
    let entry = &records[0]["entry"];
    assert_eq!(entry["origin"], "agent:claude");
    assert_eq!(entry["requested"], "echo \"$MARK $SESSION $LANG\"; exit 3");
    assert_eq!(entry["timeout_ms"], 5000);
    assert_eq!(entry["session"]["id"], "s1");
    let changed = json!([
        { "hook": "strict", "fields": ["command"] },
        { "hook": "inject", "fields": ["env"] },
    ]);
    assert_eq!(records[0]["changed"], changed);
    assert!(tickets(&machine).is_empty());
}

#[test]
fn a_ticket_is_good_once() {
    let machine = Machine::new();
    let line = line(&machine, "echo hi");
    assert_eq!(run(&machine, &line).status.code(), Some(0));
    let again = run(&machine, &line);
    assert_eq!(again.status.code(), Some(126), "{again:?}");
    assert!(
        text(&again.stderr).contains("it was used before"),
        "{again:?}"
    );
    assert_eq!(text(&again.stdout), "");
    let record = machine.audit().pop().unwrap();
    assert_eq!(record["refused_by"], "ticket");
}

#[test]
fn a_ticket_is_for_what_was_agreed_to() {
    let machine = Machine::new();
    for (change, why) in [
        (("echo hi", "echo ho"), "for another command"),
        (("--ticket /", "--ticket /nowhere/"), "there is no ticket"),
    ] {
        let line = line(&machine, "echo hi").replace(change.0, change.1);
        let output = run(&machine, &line);
        assert_eq!(output.status.code(), Some(126), "{output:?}");
        assert!(text(&output.stderr).contains(why), "{output:?}");
    }
    let elsewhere = format!("cd /; {}", line(&machine, "echo hi"));
    let output = run(&machine, &elsewhere);
    assert_eq!(output.status.code(), Some(126), "{output:?}");
    assert!(
        text(&output.stderr).contains("is for a command in "),
        "{output:?}"
    );
    let altered = line(&machine, "echo hi");
    for path in tickets(&machine) {
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("claude", "cursor")).unwrap();
    }
    let output = run(&machine, &altered);
    assert_eq!(output.status.code(), Some(126), "{output:?}");
    assert!(text(&output.stderr).contains("was altered"), "{output:?}");
}

#[test]
fn a_bad_ticket_is_one_object_too_and_nothing_can_be_said_beside_a_ticket() {
    let machine = Machine::new();
    let object = machine
        .case(["run", "--json", "--ticket", "/nowhere", "--", "echo hi"])
        .code(126)
        .object();
    assert_eq!(object["ending"], "denied");
    assert_eq!(object["command"], "echo hi");
    for option in [
        ["--env", "A=b"],
        ["--cwd", "/"],
        ["--timeout", "1"],
        ["--config", "x"],
    ] {
        let case = machine.case(["run", "--ticket", "/nowhere"]).and(&option);
        let (_, stderr) = case.and(&["--", "x"]).code(125).texts();
        assert!(stderr.contains("cannot be used with"), "{stderr}");
    }
}

#[test]
fn guards_judge_again_what_a_ticket_is_for() {
    let machine = Machine::new();
    let line = line(&machine, "rm missing");
    fs::write(machine.path("config/spawnhook/config.toml"), POLICY).unwrap();
    let output = run(&machine, &line);
    assert_eq!(output.status.code(), Some(126), "{output:?}");
    assert!(text(&output.stderr).contains("hook `policy`"), "{output:?}");
}

#[test]
fn what_the_agent_has_asked_its_user_is_not_asked_again() {
    let machine = Machine::with_config(POLICY);
    let case = hook(&machine, "claude").and(&["--own-process"]);
    let output = tell(case, claude(&machine, "touch x").to_string().as_bytes());
    let document = document(&output);
    let asked = &document["hookSpecificOutput"];
    assert_eq!(asked["permissionDecision"], "ask");
    let line = asked["updatedInput"]["command"].as_str().unwrap();
    assert_eq!(run(&machine, line).status.code(), Some(0));
    assert!(machine.workspace().join("x").exists());
}

/// The user has said no, and the model writes the line itself.
#[test]
fn a_ticket_is_not_the_models_to_use() {
    let machine = Machine::with_config(POLICY);
    let line = line(&machine, "touch x");
    for command in [
        line.clone(),
        format!("sh -c {}", shlex::try_quote(&line).unwrap()),
    ] {
        let case = hook(&machine, "claude").and(&["--own-process"]);
        let output = tell(case, claude(&machine, &command).to_string().as_bytes());
        let denied = &document(&output)["hookSpecificOutput"];
        assert_eq!(denied["permissionDecision"], "deny");
        let reason = denied["permissionDecisionReason"].as_str().unwrap();
        assert!(
            reason.contains("names the folder of the tickets"),
            "{reason}"
        );
    }
}

/// As Cursor tells of a command, first by `preToolUse` and then, with what that has answered, by
/// `beforeShellExecution`.
fn cursor(machine: &Machine, options: &[&str], command: &str) -> (Value, Value) {
    let roots = json!([machine.workspace()]);
    let before_tool = json!({
        "conversation_id": "s1", "hook_event_name": "preToolUse", "workspace_roots": roots,
        "tool_name": "Shell", "tool_input": { "command": command }, "cwd": "",
    });
    let told = |input: &Value| {
        let case = hook(machine, "cursor").and(options);
        document(&tell(case, input.to_string().as_bytes()))
    };
    let first = told(&before_tool);
    let command = first["updated_input"]["command"]
        .as_str()
        .unwrap_or(command);
    let before_shell = json!({
        "conversation_id": "s1", "hook_event_name": "beforeShellExecution",
        "workspace_roots": roots, "command": command, "cwd": machine.workspace(),
    });
    let second = told(&before_shell);
    (first, second)
}

#[test]
fn cursor_asks_twice_and_rewrites_once() {
    let machine = Machine::with_config(&[REWRITE, POLICY].concat());
    let (first, second) = cursor(&machine, &[], "ls");
    assert_eq!(first["updated_input"]["command"], "set -e\nls");
    assert_eq!(second, json!({}), "it is not rewritten again");
    let records = machine.audit();
    assert_eq!(records.len(), 1, "it is recorded once");
    assert_eq!(records[0]["event"], "handed-over");
    assert_eq!(records[0]["entry"]["requested"], "ls");
    assert_eq!(records[0]["changed"][0]["hook"], "strict");
    // without the first event nothing can be rewritten
    let input = json!({
        "conversation_id": "s1", "hook_event_name": "beforeShellExecution", "command": "ls",
        "workspace_roots": [machine.workspace()], "cwd": machine.workspace(),
    });
    let output = tell(hook(&machine, "cursor"), input.to_string().as_bytes());
    assert_eq!(document(&output)["permission"], "deny");
}

#[test]
fn cursor_runs_nothing_without_a_ticket_where_commands_have_a_process_of_ours() {
    let machine = Machine::with_config(POLICY);
    let (first, second) = cursor(&machine, &["--own-process"], "echo hi");
    assert_eq!(second, json!({}));
    let line = first["updated_input"]["command"].as_str().unwrap();
    assert_eq!(text(&run(&machine, line).stdout), "hi\n");
    let input = json!({
        "conversation_id": "s1", "hook_event_name": "beforeShellExecution", "command": "echo hi",
        "workspace_roots": [machine.workspace()], "cwd": machine.workspace(),
    });
    for command in ["echo hi", line] {
        let mut input = input.clone();
        input["command"] = command.into();
        let case = hook(&machine, "cursor").and(&["--own-process"]);
        let output = tell(case, input.to_string().as_bytes());
        assert_eq!(document(&output)["permission"], "deny", "{command}");
    }
}
