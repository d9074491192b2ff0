//! Two events: `preToolUse` can rewrite and not ask, `beforeShellExecution` comes behind it with
//! the final text and can ask and not rewrite.

use std::path::PathBuf;

use serde_json::{Map, Value};
use spawnhook_model::Session;

use super::input::{argument, arguments, command, directory, present};
use super::{Answer, BadInput, Decision, Event, Input, ShellCall};
use crate::cli::fields::Fields;

/// Its tool for commands.
const TOOL: &str = "Shell";

pub(super) struct BeforeShellExecution;

struct PreToolUse {
    cwd_argument: &'static str,
}

pub(super) fn parse(mut object: Map<String, Value>) -> Result<Input, BadInput> {
    let workspace = object.get("workspace_roots").and_then(|roots| roots.get(0));
    let workspace = workspace.and_then(Value::as_str).map(PathBuf::from);
    let input = arguments(&mut object, "tool_input");
    let mut fields = Fields::new(object);
    let event = fields.needed_text("hook_event_name")?;
    let (arguments, event): (_, Box<dyn Event>) = match event.as_str() {
        "beforeShellExecution" => {
            let command = fields.needed_text("command")?;
            let arguments = Map::from_iter([("command".to_owned(), command.into())]);
            (arguments, Box::new(BeforeShellExecution))
        }
        "preToolUse" if fields.needed_text("tool_name")? == TOOL => {
            let arguments = input?;
            let cwd_argument = cwd_argument(&arguments);
            (arguments, Box::new(PreToolUse { cwd_argument }))
        }
        _ => return Ok(Input::NotOurs),
    };
    let named = argument(&arguments, cwd_argument(&arguments))?.map(PathBuf::from);
    let own = directory(fields.text("cwd")?).or_else(|| workspace.clone());
    Ok(Input::Shell(Box::new(ShellCall {
        command: command(&arguments)?,
        cwd: match (own, named) {
            (Some(own), Some(named)) => Some(own.join(named)),
            (own, named) => named.or(own),
        },
        timeout: None,
        session: Session {
            id: fields.text("conversation_id")?,
            file: fields.text("transcript_path")?,
            model: present(fields.text("model")?),
            ..Session::default()
        },
        workspace,
        arguments,
        event,
    })))
}

/// Builds differ in how they call it.
fn cwd_argument(arguments: &Map<String, Value>) -> &'static str {
    match arguments.contains_key("working_directory") {
        true => "working_directory",
        false => "cwd",
    }
}

impl Event for BeforeShellExecution {
    fn rewrites(&self) -> bool {
        false
    }

    /// There is no silence here: an empty object is as good as `allow`.
    fn document(&self, answer: &Answer) -> Option<Value> {
        Some(match answer.decision {
            Decision::Defer => Map::new().into(),
            Decision::Allow => serde_json::json!({ "permission": "allow" }),
            Decision::Ask => spoken("ask", answer),
            Decision::Deny => spoken("deny", answer),
        })
    }
}

impl Event for PreToolUse {
    /// It takes the word and asks nobody.
    fn asks(&self) -> bool {
        false
    }

    fn is_last(&self) -> bool {
        false
    }

    fn cwd_argument(&self) -> Option<&'static str> {
        Some(self.cwd_argument)
    }

    fn document(&self, answer: &Answer) -> Option<Value> {
        Some(match (answer.decision, &answer.arguments) {
            (Decision::Deny | Decision::Ask, _) => spoken("deny", answer),
            (Decision::Defer | Decision::Allow, Some(arguments)) => {
                serde_json::json!({ "permission": "allow", "updated_input": arguments })
            }
            (Decision::Defer, None) => Map::new().into(),
            (Decision::Allow, None) => serde_json::json!({ "permission": "allow" }),
        })
    }
}

/// To the user and to the model.
fn spoken(permission: &str, answer: &Answer) -> Value {
    serde_json::json!({
        "permission": permission,
        "user_message": answer.reason,
        "agent_message": answer.reason,
    })
}
