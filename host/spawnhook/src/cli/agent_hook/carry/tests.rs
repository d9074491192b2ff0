use serde_json::json;

use super::*;
use crate::cli::agent_hook::dialect::{Agent, Input};

fn call(agent: Agent, input: &Value) -> ShellCall {
    match agent.parse(input.to_string().as_bytes()).unwrap() {
        Input::Shell(call) => *call,
        Input::NotOurs => panic!("{input}"),
    }
}

fn codex() -> ShellCall {
    let input = json!({
        "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "ls", "sibling": [1, null] },
    });
    call(Agent::Codex, &input)
}

fn gemini() -> ShellCall {
    let input = json!({
        "hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "cwd": "/w",
        "tool_input": { "command": "ls", "description": "d" },
    });
    call(Agent::Gemini, &input)
}

fn cursor() -> ShellCall {
    let input = json!({ "hook_event_name": "beforeShellExecution", "command": "ls", "cwd": "/w" });
    call(Agent::Cursor, &input)
}

fn context(command: &str, cwd: &str, env: &[(&str, &str)]) -> SpawnContext {
    SpawnContext {
        command: command.to_owned(),
        cwd: cwd.into(),
        env: env.iter().copied().collect(),
    }
}

#[test]
fn nothing_is_carried_where_nothing_changed() {
    let spawn = context("ls", "/w", &[("A", "1")]);
    for call in [codex(), gemini(), cursor()] {
        assert_eq!(carry(&call, &spawn, &spawn), Ok(None));
    }
}

#[test]
fn another_command_leaves_every_sibling_as_it_was() {
    let spawn = context("set -e; ls", "/w", &[]);
    let carried = carry(&codex(), &context("ls", "/w", &[]), &spawn).unwrap();
    assert_eq!(
        Value::from(carried.unwrap()).to_string(),
        r#"{"command":"set -e; ls","sibling":[1,null]}"#
    );
    // the operator's prefix is part of what is to run
    assert_eq!(
        Value::from(carry(&codex(), &spawn, &spawn).unwrap().unwrap())["command"],
        "set -e; ls"
    );
}

#[test]
fn another_directory_goes_where_the_tool_takes_one_and_never_into_the_text() {
    let (requested, spawn) = (context("ls", "/w", &[]), context("ls", "/w/b", &[]));
    let carried = carry(&gemini(), &requested, &spawn).unwrap();
    assert_eq!(
        Value::from(carried.unwrap()).to_string(),
        r#"{"command":"ls","description":"d","dir_path":"/w/b"}"#
    );
    insta::assert_snapshot!(
        carry(&codex(), &requested, &spawn).unwrap_err(),
        @"cannot be told another directory, and hooks changed it to /w/b; with --own-process it need not be"
    );
}

#[test]
fn other_variables_go_nowhere_and_their_values_are_not_told() {
    let requested = context("ls", "/w", &[("A", "1"), ("B", "2"), ("C", "3")]);
    let spawn = context("ls", "/w", &[("A", "1"), ("B", "secret"), ("D", "secret")]);
    for call in [codex(), gemini(), cursor()] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(
                carry(&call, &requested, &spawn).unwrap_err(),
                @"cannot be told other variables, and hooks changed B, C, D; with --own-process it need not be"
            );
        }
    }
}

#[test]
fn an_event_that_cannot_rewrite_carries_no_rewrite() {
    let (requested, spawn) = (context("ls", "/w", &[]), context("pwd", "/w", &[]));
    assert_eq!(carry(&cursor(), &requested, &spawn), Err(Cannot::Command));
}
