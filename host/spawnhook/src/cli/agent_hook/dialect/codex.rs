use serde_json::{Map, Value};
use spawnhook_model::Session;

use super::input::{command, directory, tool_event};
use super::{Answer, BadInput, Decision, Event, Input, ShellCall, hook_specific_output};

/// Its tool for commands.
const TOOL: &str = "Bash";

pub(super) struct PreToolUse;

pub(super) fn parse(object: Map<String, Value>) -> Result<Input, BadInput> {
    let Some((arguments, mut fields)) = tool_event(object, "PreToolUse", TOOL)? else {
        return Ok(Input::NotOurs);
    };
    Ok(Input::Shell(Box::new(ShellCall {
        command: command(&arguments)?,
        cwd: directory(fields.text("cwd")?),
        timeout: None,
        session: Session {
            id: fields.text("session_id")?,
            file: fields.text("transcript_path")?,
            model: fields.text("model")?,
            ..Session::default()
        },
        workspace: None,
        arguments,
        event: Box::new(PreToolUse),
    })))
}

impl Event for PreToolUse {
    /// A question is a failure of the hook here, and the command would run.
    fn asks(&self) -> bool {
        false
    }

    /// So is `allow` without a rewrite, a rewrite without `allow`, and a reason without a denial; a
    /// rewrite goes through the agent's own rules afterwards.
    fn document(&self, answer: &Answer) -> Option<Value> {
        let arguments = answer.arguments.as_ref();
        match (answer.decision, arguments) {
            (Decision::Deny | Decision::Ask, _) => {
                Some(hook_specific_output(Some("deny"), &answer.reason, None))
            }
            (Decision::Defer | Decision::Allow, Some(_)) => {
                Some(hook_specific_output(Some("allow"), "", arguments))
            }
            (Decision::Defer | Decision::Allow, None) => None,
        }
    }
}
