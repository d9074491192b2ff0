use std::path::PathBuf;

use serde_json::{Map, Value};
use spawnhook_model::Session;

use super::input::{argument, command, directory, tool_event};
use super::{Answer, BadInput, Decision, Event, Input, ShellCall};

/// Its tool for commands.
const TOOL: &str = "run_shell_command";
/// The argument of the tool that says where.
const CWD: &str = "dir_path";

pub(super) struct BeforeTool;

pub(super) fn parse(object: Map<String, Value>) -> Result<Input, BadInput> {
    let Some((arguments, mut fields)) = tool_event(object, "BeforeTool", TOOL)? else {
        return Ok(Input::NotOurs);
    };
    let own = directory(fields.text("cwd")?);
    let named = argument(&arguments, CWD)?.map(PathBuf::from);
    let cwd = match (own, named) {
        (Some(own), Some(named)) => Some(own.join(named)),
        (own, named) => named.or(own),
    };
    Ok(Input::Shell(Box::new(ShellCall {
        command: command(&arguments)?,
        cwd,
        timeout: None,
        session: Session {
            id: fields.text("session_id")?,
            file: fields.text("transcript_path")?,
            ..Session::default()
        },
        workspace: None,
        arguments,
        event: Box::new(BeforeTool),
    })))
}

impl Event for BeforeTool {
    fn cwd_argument(&self) -> Option<&'static str> {
        Some(CWD)
    }

    /// `allow` does not skip the agent's own rules, so a rewrite may come with it.
    fn document(&self, answer: &Answer) -> Option<Value> {
        let decision = match (answer.decision, &answer.arguments) {
            (Decision::Defer, None) => return None,
            (Decision::Defer | Decision::Allow, _) => "allow",
            (Decision::Ask, _) => "ask",
            (Decision::Deny, _) => "deny",
        };
        let mut document = Map::new();
        document.insert("decision".to_owned(), decision.into());
        if !answer.reason.is_empty() {
            document.insert("reason".to_owned(), answer.reason.clone().into());
        }
        if let Some(arguments) = &answer.arguments {
            let output = serde_json::json!({
                "hookEventName": "BeforeTool",
                "tool_input": arguments,
            });
            document.insert("hookSpecificOutput".to_owned(), output);
        }
        Some(document.into())
    }
}
