//! What the dialects have in common in what they read. Fields that nobody knows are passed over.

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::cli::fields::{FieldError, Fields};

/// What an agent has told is nothing that a hook can judge.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum BadInput {
    #[error("the input is empty: the agent is to write one JSON object to standard input")]
    Empty,
    #[error("the input is not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("the input must be a JSON object")]
    NotAnObject,
    #[error("the input of the hook: {0}")]
    Field(#[from] FieldError),
    #[error("the input of the tool: {0}")]
    Argument(FieldError),
    #[error("`{name}` must be a JSON object")]
    NoArguments { name: &'static str },
}

pub(super) fn object(input: &[u8]) -> Result<Map<String, Value>, BadInput> {
    if input.trim_ascii().is_empty() {
        return Err(BadInput::Empty);
    }
    match serde_json::from_slice(input).map_err(BadInput::NotJson)? {
        Value::Object(object) => Ok(object),
        _ => Err(BadInput::NotAnObject),
    }
}

/// The input of the tool, which some agents wrap into a string.
pub(super) fn arguments(
    object: &mut Map<String, Value>,
    name: &'static str,
) -> Result<Map<String, Value>, BadInput> {
    let value = match object.remove(name) {
        Some(Value::String(text)) => serde_json::from_str(&text).ok(),
        value => value,
    };
    match value {
        Some(Value::Object(arguments)) => Ok(arguments),
        _ => Err(BadInput::NoArguments { name }),
    }
}

/// The input of a tool, and the other fields.
type ToolEvent = (Map<String, Value>, Fields);

/// What an event says, if it is this one about this tool.
pub(super) fn tool_event(
    mut object: Map<String, Value>,
    event: &str,
    tool: &str,
) -> Result<Option<ToolEvent>, BadInput> {
    let arguments = arguments(&mut object, "tool_input");
    let mut fields = Fields::new(object);
    let is_meant =
        fields.needed_text("hook_event_name")? == event && fields.needed_text("tool_name")? == tool;
    match is_meant {
        true => Ok(Some((arguments?, fields))),
        false => Ok(None),
    }
}

/// The command among the tool's input.
pub(super) fn command(arguments: &Map<String, Value>) -> Result<String, BadInput> {
    Fields::new(arguments.clone())
        .needed_text("command")
        .map_err(BadInput::Argument)
}

/// A text among the tool's input; an empty one is none.
pub(super) fn argument(
    arguments: &Map<String, Value>,
    name: &'static str,
) -> Result<Option<String>, BadInput> {
    let text = Fields::new(arguments.clone()).text(name);
    Ok(present(text.map_err(BadInput::Argument)?))
}

/// A text that is not empty.
pub(super) fn present(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// A directory; an empty one is none.
pub(super) fn directory(text: Option<String>) -> Option<PathBuf> {
    present(text).map(PathBuf::from)
}
