//! For each event of each agent one table: what is printed for each verdict. What is not in a
//! table is not printed.

use std::fmt::Write as _;

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
        (
            "hook failed",
            Decision::Deny,
            "Command not run: hook `h` failed: too slow",
            None,
        ),
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
        let stdout = reply.stdout.strip_suffix('\n').unwrap_or("(nothing)");
        write!(table, "{name}: {} {stdout}", reply.code).unwrap();
        let stderr = reply.stderr.trim_end();
        writeln!(
            table,
            "{}{stderr}",
            if stderr.is_empty() { "" } else { " | " }
        )
        .unwrap();
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
fn claude_is_answered() {
    insta::assert_snapshot!(table(Agent::Claude, &claude()), @r#"
    allow: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}
    defer: 0 (nothing)
    ask: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"because"}}
    deny: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because"}} | spawnhook: because
    rewrite: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"because","updatedInput":{"command":"set -e; ls","timeout":5000,"description":"d","run_in_background":false}}}
    rewrite, allow: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"because","updatedInput":{"command":"set -e; ls","timeout":5000,"description":"d","run_in_background":false}}}
    rewrite, ask: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"because","updatedInput":{"command":"set -e; ls","timeout":5000,"description":"d","run_in_background":false}}}
    hook failed: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Command not run: hook `h` failed: too slow"}} | spawnhook: Command not run: hook `h` failed: too slow
    "#);
}

#[test]
fn claude_whose_user_is_not_to_be_asked_is_answered() {
    let mut input = claude();
    input["permission_mode"] = "bypassPermissions".into();
    insta::assert_snapshot!(table(Agent::Claude, &input), @r#"
    allow: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}
    defer: 0 (nothing)
    ask: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"because"}}
    deny: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because"}} | spawnhook: because
    rewrite: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"because","updatedInput":{"command":"set -e; ls","timeout":5000,"description":"d","run_in_background":false}}}
    rewrite, allow: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"because","updatedInput":{"command":"set -e; ls","timeout":5000,"description":"d","run_in_background":false}}}
    rewrite, ask: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"because","updatedInput":{"command":"set -e; ls","timeout":5000,"description":"d","run_in_background":false}}}
    hook failed: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Command not run: hook `h` failed: too slow"}} | spawnhook: Command not run: hook `h` failed: too slow
    "#);
}

#[test]
fn codex_is_answered() {
    insta::assert_snapshot!(table(Agent::Codex, &codex()), @r#"
    allow: 0 (nothing)
    defer: 0 (nothing)
    ask: cannot
    deny: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because"}} | spawnhook: because
    rewrite: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"set -e; ls"}}}
    rewrite, allow: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"set -e; ls"}}}
    rewrite, ask: cannot
    hook failed: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Command not run: hook `h` failed: too slow"}} | spawnhook: Command not run: hook `h` failed: too slow
    "#);
}

#[test]
fn gemini_is_answered() {
    insta::assert_snapshot!(table(Agent::Gemini, &gemini()), @r#"
    allow: 0 {"decision":"allow"}
    defer: 0 (nothing)
    ask: 0 {"decision":"ask","reason":"because"}
    deny: 0 {"decision":"deny","reason":"because"} | spawnhook: because
    rewrite: 0 {"decision":"allow","reason":"because","hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"set -e; ls","description":"d","dir_path":"below"}}}
    rewrite, allow: 0 {"decision":"allow","reason":"because","hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"set -e; ls","description":"d","dir_path":"below"}}}
    rewrite, ask: 0 {"decision":"ask","reason":"because","hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"set -e; ls","description":"d","dir_path":"below"}}}
    hook failed: 0 {"decision":"deny","reason":"Command not run: hook `h` failed: too slow"} | spawnhook: Command not run: hook `h` failed: too slow
    "#);
}

#[test]
fn cursor_is_answered_before_a_shell() {
    insta::assert_snapshot!(table(Agent::Cursor, &cursor_shell()), @r#"
    allow: 0 {"permission":"allow"}
    defer: 0 {}
    ask: 0 {"permission":"ask","user_message":"because","agent_message":"because"}
    deny: 0 {"permission":"deny","user_message":"because","agent_message":"because"} | spawnhook: because
    rewrite: cannot
    rewrite, allow: cannot
    rewrite, ask: cannot
    hook failed: 0 {"permission":"deny","user_message":"Command not run: hook `h` failed: too slow","agent_message":"Command not run: hook `h` failed: too slow"} | spawnhook: Command not run: hook `h` failed: too slow
    "#);
}

#[test]
fn cursor_is_answered_before_a_tool() {
    insta::assert_snapshot!(table(Agent::Cursor, &cursor_tool()), @r#"
    allow: 0 {"permission":"allow"}
    defer: 0 {}
    ask: cannot
    deny: 0 {"permission":"deny","user_message":"because","agent_message":"because"} | spawnhook: because
    rewrite: 0 {"permission":"allow","updated_input":{"command":"set -e; ls","working_directory":"below","timeout":30000}}
    rewrite, allow: 0 {"permission":"allow","updated_input":{"command":"set -e; ls","working_directory":"below","timeout":30000}}
    rewrite, ask: cannot
    hook failed: 0 {"permission":"deny","user_message":"Command not run: hook `h` failed: too slow","agent_message":"Command not run: hook `h` failed: too slow"} | spawnhook: Command not run: hook `h` failed: too slow
    "#);
}

#[test]
fn copilot_is_answered() {
    insta::assert_snapshot!(table(Agent::Copilot, &copilot()), @r#"
    allow: 0 {"permissionDecision":"allow"}
    defer: 0 (nothing)
    ask: 0 {"permissionDecision":"ask","permissionDecisionReason":"because"}
    deny: 0 {"permissionDecision":"deny","permissionDecisionReason":"because"} | spawnhook: because
    rewrite: 0 {"modifiedArgs":{"command":"set -e; ls","description":"d","timeout":30,"mode":"sync"}}
    rewrite, allow: 0 {"permissionDecision":"allow","permissionDecisionReason":"because","modifiedArgs":{"command":"set -e; ls","description":"d","timeout":30,"mode":"sync"}}
    rewrite, ask: 0 {"permissionDecision":"ask","permissionDecisionReason":"because","modifiedArgs":{"command":"set -e; ls","description":"d","timeout":30,"mode":"sync"}}
    hook failed: 0 {"permissionDecision":"deny","permissionDecisionReason":"Command not run: hook `h` failed: too slow"} | spawnhook: Command not run: hook `h` failed: too slow
    "#);
}

#[test]
fn copilot_is_answered_in_the_dialect_of_claude() {
    insta::assert_snapshot!(table(Agent::Copilot, &copilot_as_claude()), @r#"
    allow: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}
    defer: 0 (nothing)
    ask: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"because"}}
    deny: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because"}} | spawnhook: because
    rewrite: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"set -e; ls","description":"d"}}}
    rewrite, allow: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"because","updatedInput":{"command":"set -e; ls","description":"d"}}}
    rewrite, ask: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"because","updatedInput":{"command":"set -e; ls","description":"d"}}}
    hook failed: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Command not run: hook `h` failed: too slow"}} | spawnhook: Command not run: hook `h` failed: too slow
    "#);
}

#[test]
fn what_nobody_knows_what_it_is_is_denied_in_a_form_that_every_event_takes() {
    let mut table = String::new();
    for agent in Agent::value_variants() {
        let Reply {
            stdout,
            stderr,
            code,
        } = agent.denial("because");
        writeln!(
            table,
            "{}: {code} {} | {}",
            agent.name(),
            stdout.trim_end(),
            stderr.trim_end()
        )
        .unwrap();
    }
    insta::assert_snapshot!(table, @r#"
    claude: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because"}} | spawnhook: because
    codex: 0 {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because"}} | spawnhook: because
    gemini: 0 {"decision":"deny","reason":"because"} | spawnhook: because
    cursor: 0 {"permission":"deny","user_message":"because","agent_message":"because"} | spawnhook: because
    copilot: 2  | spawnhook: because
    "#);
}
