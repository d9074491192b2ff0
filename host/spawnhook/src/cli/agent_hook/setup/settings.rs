//! Edits of a settings file that leave every byte of others as it is. No I/O.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstObject, CstRootNode};
use serde_json::Value;

use super::places::{Entry, Started, takes_comments, version, words};
use crate::cli::agent_hook::dialect::Agent;

/// Why a file is not edited.
#[derive(Debug, thiserror::Error)]
pub(super) enum SettingsError {
    #[error("it is not JSON: {0}; mend it first")]
    NotJson(String),
    #[error("{what} must be {expected}; mend it first")]
    Shape {
        what: String,
        expected: &'static str,
    },
}

/// One of our hooks in a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) event: String,
    pub(super) started: Started,
    pub(super) handler: Value,
}

/// The text with our entries at the end of their lists.
pub(super) fn add(text: &str, agent: Agent, entries: &[Entry]) -> Result<String, SettingsError> {
    if text.trim().is_empty() {
        return Ok(fresh(agent, entries));
    }
    let root = parse(text, agent)?;
    let object = root
        .object_value()
        .ok_or_else(|| shape("the file", "an object"))?;
    if let (Some(version), None) = (version(agent), object.get("version")) {
        object.insert(0, "version", CstInputValue::from(version));
    }
    let hooks = object.object_value_or_create("hooks");
    let hooks = hooks.ok_or_else(|| shape("`hooks`", "an object"))?;
    for (event, entry) in entries {
        let list = hooks.array_value_or_create(event);
        let list = list.ok_or_else(|| shape(&format!("`hooks.{event}`"), "an array"))?;
        list.append(input(entry));
    }
    Ok(root.to_string())
}

fn fresh(agent: Agent, entries: &[Entry]) -> String {
    let mut hooks = serde_json::Map::new();
    for (event, entry) in entries {
        hooks.insert((*event).to_owned(), Value::Array(vec![entry.clone()]));
    }
    let mut file = serde_json::Map::new();
    if let Some(version) = version(agent) {
        file.insert("version".to_owned(), version.into());
    }
    file.insert("hooks".to_owned(), hooks.into());
    format!("{:#}\n", Value::from(file))
}

/// The text without our hooks, and without the lists that were there for them alone; none if there
/// are none.
pub(super) fn remove(text: &str, agent: Agent) -> Result<Option<String>, SettingsError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let root = parse(text, agent)?;
    let Some(hooks) = hooks(&root) else {
        return Ok(None);
    };
    let mut is_changed = false;
    for property in hooks.properties() {
        let Some(list) = property.array_value() else {
            continue;
        };
        if remove_from(&list, agent) {
            is_changed = true;
            if list.elements().is_empty() {
                property.remove();
            }
        }
    }
    if is_changed && hooks.properties().is_empty() {
        hooks
            .parent()
            .into_iter()
            .for_each(|property| property.remove());
    }
    Ok(is_changed.then(|| root.to_string()))
}

/// Ours may stand by itself or in a group with others.
fn remove_from(list: &CstArray, agent: Agent) -> bool {
    let mut is_changed = false;
    for element in list.elements() {
        let group = element
            .as_object()
            .and_then(|group| group.array_value("hooks"));
        if let Some(group) = group {
            if remove_from(&group, agent) {
                is_changed = true;
                if group.elements().is_empty() {
                    element.remove();
                }
            }
        } else if element
            .to_serde_value()
            .is_some_and(|handler| words(agent, &handler).is_some())
        {
            is_changed = true;
            element.remove();
        }
    }
    is_changed
}

/// Our hooks in it.
pub(super) fn find(text: &str, agent: Agent) -> Result<Vec<Found>, SettingsError> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let value = parse(text, agent)?.to_serde_value().unwrap_or_default();
    let events = value.get("hooks").and_then(Value::as_object);
    let mut found = Vec::new();
    for (event, list) in events.into_iter().flatten() {
        for element in list.as_array().into_iter().flatten() {
            let handlers = match element.get("hooks").and_then(Value::as_array) {
                Some(group) => group.as_slice(),
                None => std::slice::from_ref(element),
            };
            found.extend(handlers.iter().filter_map(|handler| {
                Some(Found {
                    event: event.clone(),
                    started: words(agent, handler)?,
                    handler: handler.clone(),
                })
            }));
        }
    }
    Ok(found)
}

/// What in the file itself says that no hook in it runs.
pub(super) fn disabled_by(text: &str, agent: Agent) -> Option<&'static str> {
    let value = parse(text, agent).ok()?.to_serde_value()?;
    let is = |pointer: &str, wanted: bool| value.pointer(pointer) == Some(&Value::Bool(wanted));
    match agent {
        Agent::Claude | Agent::Copilot => is("/disableAllHooks", true).then_some("disableAllHooks"),
        Agent::Gemini => is("/hooksConfig/enabled", false).then_some("hooksConfig.enabled"),
        Agent::Codex | Agent::Cursor => None,
    }
}

fn hooks(root: &CstRootNode) -> Option<CstObject> {
    root.object_value()?.object_value("hooks")
}

/// What the agent itself would read, since one that cannot read its settings runs no hook, and says
/// nothing.
fn parse(text: &str, agent: Agent) -> Result<CstRootNode, SettingsError> {
    if !takes_comments(agent) {
        let strict = serde_json::from_str::<serde::de::IgnoredAny>(text);
        strict.map_err(|error| SettingsError::NotJson(error.to_string()))?;
    }
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: false,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let root = CstRootNode::parse(text, &options);
    root.map_err(|error| SettingsError::NotJson(error.to_string()))
}

fn shape(what: &str, expected: &'static str) -> SettingsError {
    SettingsError::Shape {
        what: what.to_owned(),
        expected,
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(object) => {
            let properties = object
                .iter()
                .map(|(name, value)| (name.clone(), input(value)));
            CstInputValue::Object(properties.collect())
        }
    }
}

#[cfg(test)]
mod tests;
