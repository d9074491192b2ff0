//! For each event of each agent one table: what is printed for each verdict. What is not in a
//! table is not printed.

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::json;

use super::*;

mod parsing;

fn shell(agent: Agent, input: &Value) -> ShellCall {
    match agent.parse(input.to_string().as_bytes()).unwrap() {
        Input::Shell(call) => *call,
        Input::NotOurs => panic!("not ours: {input}"),
    }
}

/// What the event of `input` is answered, a line for each verdict: exit code, stdout, and stderr if
/// there is any.
fn table(agent: Agent, input: &Value) -> String {
    let call = shell(agent, input);
    let rewritten = || {
        let mut arguments = call.arguments.clone();
        arguments.insert("command".to_owned(), "set -e; ls".into());
        Some(arguments)
    };
    let (why, none) = ("because", "");
    let rows = [
        ("allow", Decision::Allow, none, None),
        ("defer", Decision::Defer, none, None),
        ("ask", Decision::Ask, why, None),
        ("deny", Decision::Deny, why, None),
        ("rewrite", Decision::Defer, why, rewritten()),
        ("rewrite, allow", Decision::Allow, why, rewritten()),
        ("rewrite, ask", Decision::Ask, why, rewritten()),
        ("hook failed", Decision::Deny, "Command not run: hook `h` failed: too slow", None),
    ];
    let mut table = String::new();
    for (name, decision, reason, arguments) in rows {
        if (decision == Decision::Ask && !call.event.asks())
            || (arguments.is_some() && !call.event.rewrites())
        {
            writeln!(table, "{name}: cannot").unwrap();
            continue;
        }
        let answer = Answer {
            decision,
            reason: reason.to_owned(),
            arguments,
        };
        let reply = Reply::of(call.event.document(&answer), &answer);
        write!(table, "{name}: {} {}", reply.code, reply.stdout.trim_end()).unwrap();
        assert!(reply.stdout.is_empty() || reply.stdout.ends_with("}\n"));
        let stderr = reply.stderr.trim_end();
        writeln!(table, "{}{stderr}", if stderr.is_empty() { "" } else { " | " }).unwrap();
    }
    table
}

fn claude() -> Value {
    json!({
        "session_id": "s", "transcript_path": "/t.jsonl", "cwd": "/w", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "u", "new_field": {},
        "tool_input": { "command": "ls", "timeout": 5000, "description": "d", "run_in_background": false },
    })
}

fn codex() -> Value {
    json!({
        "session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": "/w", "model": "m",
        "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "ls" }, "tool_use_id": "u",
    })
}

fn gemini() -> Value {
    json!({
        "session_id": "s", "transcript_path": "/t", "cwd": "/w", "hook_event_name": "BeforeTool",
        "timestamp": "2026-01-31T12:00:00Z", "tool_name": "run_shell_command",
        "tool_input": { "command": "ls", "description": "d", "dir_path": "below" },
    })
}

fn cursor_shell() -> Value {
    json!({
        "conversation_id": "s", "generation_id": "g", "model": "m", "cursor_version": "2",
        "hook_event_name": "beforeShellExecution", "workspace_roots": ["/w"], "user_email": null,
        "transcript_path": null, "command": "ls", "cwd": "/w/below", "sandbox": false,
    })
}

fn cursor_tool() -> Value {
    json!({
        "conversation_id": "s", "generation_id": "g", "model": "m", "cursor_version": "2",
        "hook_event_name": "preToolUse", "workspace_roots": ["/w"], "user_email": null,
        "transcript_path": null, "tool_name": "Shell", "tool_use_id": "u", "cwd": "",
        "tool_input": { "command": "ls", "working_directory": "below", "timeout": 30000 },
    })
}

fn copilot() -> Value {
    json!({
        "sessionId": "s", "timestamp": 1, "cwd": "/w", "toolName": "bash",
        "toolArgs": "{\"command\":\"ls\",\"description\":\"d\",\"timeout\":30,\"mode\":\"sync\"}",
    })
}

fn copilot_as_claude() -> Value {
    json!({
        "session_id": "s", "timestamp": "2026-01-31T12:00:00Z", "cwd": "/w",
        "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "ls", "description": "d" },
    })
}

#[test]
fn print_all() {
    let mut bypass = claude();
    bypass["permission_mode"] = "bypassPermissions".into();
    for (name, agent, input) in [
        ("claude", Agent::Claude, claude()),
        ("bypass", Agent::Claude, bypass),
        ("codex", Agent::Codex, codex()),
        ("gemini", Agent::Gemini, gemini()),
        ("cursor_shell", Agent::Cursor, cursor_shell()),
        ("cursor_tool", Agent::Cursor, cursor_tool()),
        ("copilot", Agent::Copilot, copilot()),
        ("nested", Agent::Copilot, copilot_as_claude()),
    ] {
        eprintln!("== {name}\n{}", table(agent, &input));
    }
    for agent in Agent::value_variants() {
        eprintln!("{}: {:?}", agent.name(), agent.denial("because"));
    }
}
