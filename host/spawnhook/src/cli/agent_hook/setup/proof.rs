//! The proof that a hook works: it is started as its agent starts it, and given a call that must be
//! denied.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use super::places::Started;
use super::settings::Found;
use crate::cli::agent_hook::decide::{SELF_TEST, self_test_denial};
use crate::cli::agent_hook::dialect::{Agent, Answer, Input};
use crate::cli::ambient;

/// Fails with what the hook has answered instead.
pub(super) fn prove(agent: Agent, found: &Found, project: &Path) -> anyhow::Result<()> {
    let call = call(agent, &found.event, project);
    let expected = denial(agent, &call)?;
    let mut child = command(agent, &found.started)
        .current_dir(project)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start the hook {:?}", found.started.words()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // whoever does not read has an answer to give all the same
        stdin.write_all(call.to_string().as_bytes()).ok();
    }
    let output = child.wait_with_output()?;
    let stdout = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && serde_json::from_str::<Value>(&stdout).ok() == Some(expected) {
        return Ok(());
    }
    bail!(
        "the hook of {} did not deny the call that must be denied: {}; stdout: {:?}; stderr: {:?}",
        found.event,
        output.status,
        stdout.trim_end(),
        String::from_utf8_lossy(&output.stderr).trim_end()
    )
}

fn command(agent: Agent, started: &Started) -> Command {
    match started {
        Started::Words(words) => {
            let mut command = Command::new(words.first().map_or("", String::as_str));
            command.args(words.iter().skip(1));
            command
        }
        Started::Line(line) => {
            let (shell, option) = shell(agent);
            let mut command = Command::new(shell);
            command.args([option, line]);
            command
        }
    }
}

/// What starts the hooks of an agent that does not do so itself.
fn shell(agent: Agent) -> (OsString, &'static str) {
    match agent {
        Agent::Codex => {
            let environment = ambient::environment();
            let shell = environment.get("SHELL").map(ToOwned::to_owned);
            (shell.unwrap_or_else(|| "/bin/sh".into()), "-lc")
        }
        Agent::Gemini => ("bash".into(), "-c"),
        Agent::Claude | Agent::Cursor | Agent::Copilot => ("/bin/sh".into(), "-c"),
    }
}

fn denial(agent: Agent, call: &Value) -> anyhow::Result<Value> {
    match agent.parse(call.to_string().as_bytes())? {
        Input::Shell(call) => {
            let document = call.event.document(&Answer::deny(&self_test_denial()));
            document.context("a denial is a document in every dialect")
        }
        Input::NotOurs => bail!("the event is none that commands come with"),
    }
}

/// As the agent would tell it.
fn call(agent: Agent, event: &str, project: &Path) -> Value {
    let cwd = project.to_string_lossy();
    let input = json!({ "command": SELF_TEST });
    match agent {
        Agent::Claude | Agent::Codex => json!({
            "session_id": "self-test", "cwd": cwd, "hook_event_name": event,
            "permission_mode": "default", "tool_name": "Bash", "tool_input": input,
        }),
        Agent::Gemini => json!({
            "session_id": "self-test", "cwd": cwd, "hook_event_name": event,
            "tool_name": "run_shell_command", "tool_input": input,
        }),
        Agent::Cursor => json!({
            "conversation_id": "self-test", "cwd": cwd, "hook_event_name": event,
            "workspace_roots": [cwd], "command": SELF_TEST, "tool_name": "Shell",
            "tool_input": input,
        }),
        Agent::Copilot => json!({
            "sessionId": "self-test", "cwd": cwd, "toolName": "bash",
            "toolArgs": input.to_string(),
        }),
    }
}
