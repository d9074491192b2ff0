//! Two dialects, by how the event was registered: `preToolUse` has its own, `PreToolUse` that of
//! Claude Code.

use serde_json::{Map, Value};
use spawnhook_model::Session;

use super::input::{arguments, command, directory};
use super::{Answer, BadInput, Decision, Event, Input, ShellCall, hook_specific_output};
use crate::cli::fields::Fields;

/// Its tool for commands, in any case.
const TOOL: &str = "bash";

struct Flat;
struct Nested;

pub(super) fn parse(mut object: Map<String, Value>) -> Result<Input, BadInput> {
    if object.contains_key("tool_name") {
        return nested(object);
    }
    // nothing else tells what comes before a tool from what comes after it
    let is_over = object.contains_key("toolResult") || object.contains_key("error");
    let input = arguments(&mut object, "toolArgs");
    let mut fields = Fields::new(object);
    if fields.needed_text("toolName")? != TOOL || is_over {
        return Ok(Input::NotOurs);
    }
    shell(input?, fields, "sessionId", Box::new(Flat))
}

fn nested(mut object: Map<String, Value>) -> Result<Input, BadInput> {
    let input = arguments(&mut object, "tool_input");
    let mut fields = Fields::new(object);
    let named = fields.text("hook_event_name")?;
    let event = match named {
        Some(event) => event,
        None => fields.needed_text("hookEventName")?,
    };
    let is_ours =
        event == "PreToolUse" && fields.needed_text("tool_name")?.eq_ignore_ascii_case(TOOL);
    if !is_ours {
        return Ok(Input::NotOurs);
    }
    shell(input?, fields, "session_id", Box::new(Nested))
}

fn shell(
    arguments: Map<String, Value>,
    mut fields: Fields,
    session_id: &'static str,
    event: Box<dyn Event>,
) -> Result<Input, BadInput> {
    Ok(Input::Shell(Box::new(ShellCall {
        command: command(&arguments)?,
        cwd: directory(fields.text("cwd")?),
        timeout: None,
        session: Session {
            id: fields.text(session_id)?,
            file: fields.text("transcript_path")?,
            ..Session::default()
        },
        workspace: None,
        arguments,
        event,
    })))
}

/// Silence is no opinion, and a rewrite needs none.
fn decision(answer: &Answer) -> Option<&'static str> {
    match answer.decision {
        Decision::Defer => None,
        Decision::Allow => Some("allow"),
        Decision::Ask => Some("ask"),
        Decision::Deny => Some("deny"),
    }
}

impl Event for Flat {
    fn document(&self, answer: &Answer) -> Option<Value> {
        let mut document = Map::new();
        if let Some(decision) = decision(answer) {
            document.insert("permissionDecision".to_owned(), decision.into());
            if !answer.reason.is_empty() {
                let reason = answer.reason.clone().into();
                document.insert("permissionDecisionReason".to_owned(), reason);
            }
        }
        if let Some(arguments) = &answer.arguments {
            document.insert("modifiedArgs".to_owned(), arguments.clone().into());
        }
        (!document.is_empty()).then(|| document.into())
    }
}

impl Event for Nested {
    fn document(&self, answer: &Answer) -> Option<Value> {
        let decision = decision(answer);
        let arguments = answer.arguments.as_ref();
        (decision.is_some() || arguments.is_some())
            .then(|| hook_specific_output(decision, &answer.reason, arguments))
    }
}
