use serde_json::{Map, Value};
use spawnhook_model::Session;

use super::input::{command, directory, tool_event};
use super::{Answer, BadInput, Decision, Event, Input, ShellCall, hook_specific_output};

/// Its tool for commands.
const TOOL: &str = "Bash";

#[derive(Default)]
pub(super) struct PreToolUse {
    /// Its user has agreed to everything beforehand.
    asks_nobody: bool,
}

pub(super) fn parse(object: Map<String, Value>) -> Result<Input, BadInput> {
    let Some((arguments, mut fields)) = tool_event(object, "PreToolUse", TOOL)? else {
        return Ok(Input::NotOurs);
    };
    let flag = |name| arguments.get(name).and_then(Value::as_bool) == Some(true);
    let milliseconds = arguments.get("timeout").and_then(Value::as_f64);
    let mode = fields.text("permission_mode")?;
    Ok(Input::Shell(Box::new(ShellCall {
        command: command(&arguments)?,
        cwd: directory(fields.text("cwd")?),
        // in the background it runs on for as long as it likes
        timeout: milliseconds
            .map(|milliseconds| milliseconds / 1000.0)
            .filter(|_| !flag("run_in_background")),
        session: Session {
            id: fields.text("session_id")?,
            file: fields.text("transcript_path")?,
            ..Session::default()
        },
        workspace: None,
        arguments,
        event: Box::new(PreToolUse {
            asks_nobody: mode.as_deref() == Some("bypassPermissions"),
        }),
    })))
}

impl Event for PreToolUse {
    /// A rewrite alone is not honoured by every build, only one with `allow` or `ask`. The first
    /// would answer for the user, so it is for users who have said that they are not to be asked.
    fn document(&self, answer: &Answer) -> Option<Value> {
        let decision = match (answer.decision, &answer.arguments) {
            (Decision::Defer, None) => return None,
            (Decision::Defer, Some(_)) if self.asks_nobody => "allow",
            (Decision::Allow, _) => "allow",
            (Decision::Ask, _) | (Decision::Defer, Some(_)) => "ask",
            (Decision::Deny, _) => "deny",
        };
        let arguments = answer.arguments.as_ref();
        Some(hook_specific_output(
            Some(decision),
            &answer.reason,
            arguments,
        ))
    }
}
