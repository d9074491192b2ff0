use serde_json::Value;

use super::BashExecution;

/// The executions of a session file.
#[derive(Debug, Default, PartialEq)]
pub struct Conversation {
    /// All of them, in the order of the file.
    pub executions: Vec<BashExecution>,
    /// Whether the last line has no end: its writer died over it. It is left out.
    pub is_torn: bool,
}

/// Why a file is no session file.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is no execution")]
pub struct ContextError {
    /// The line, counted from 1.
    pub line: usize,
    /// Why.
    #[source]
    pub source: serde_json::Error,
}

impl Conversation {
    /// Reads the text of a session file. Messages of other roles are passed over.
    ///
    /// # Errors
    ///
    /// If a line is neither an execution nor another message.
    pub fn parse(text: &str) -> Result<Self, ContextError> {
        let (lines, rest) = text.rsplit_once('\n').unwrap_or(("", text));
        let mut executions = Vec::new();
        for (index, line) in lines.split('\n').enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let execution = execution(line).map_err(|source| ContextError {
                line: index + 1,
                source,
            })?;
            executions.extend(execution);
        }
        Ok(Self {
            executions,
            is_torn: !rest.is_empty(),
        })
    }

    /// What a model is sent: one message for each execution that is not excluded.
    pub fn messages(&self) -> impl Iterator<Item = String> {
        let told = self.executions.iter();
        let told = told.filter(|execution| !execution.exclude_from_context);
        told.map(text_for_model)
    }
}

/// None for a message of another role.
fn execution(line: &str) -> Result<Option<BashExecution>, serde_json::Error> {
    let message: Value = serde_json::from_str(line)?;
    let role = message.get("role").and_then(Value::as_str);
    if role.is_some_and(|role| role != "bashExecution") {
        return Ok(None);
    }
    serde_json::from_value(message).map(Some)
}

/// What a model reads of an execution. Forms and wording are those of the original, but for a
/// fence, which is longer than any in the output.
pub fn text_for_model(execution: &BashExecution) -> String {
    let mut parts = vec![head(execution)];
    if execution.cancelled {
        parts.push("(command cancelled)".to_owned());
    } else if let Some(seconds) = execution.timed_out_after {
        parts.push(format!("Command timed out after {seconds} seconds"));
    } else if let Some(code) = execution.exit_code.filter(|code| *code != 0) {
        parts.push(format!("Command exited with code {code}"));
    }
    if execution.truncated {
        parts.push(match &execution.full_output_path {
            Some(path) => format!("[Output truncated. Full output: {path}]"),
            None => "[Output truncated. The full output was not kept]".to_owned(),
        });
    }
    parts.join("\n\n")
}

fn head(execution: &BashExecution) -> String {
    let output = execution.output.trim_end_matches('\n');
    let command = &execution.command;
    let ticks = fence(command, 1);
    if output.trim().is_empty() {
        return format!("Ran {ticks}{command}{ticks}\n(no output)");
    }
    let fence = fence(output, 3);
    format!("Ran {ticks}{command}{ticks}\n{fence}\n{output}\n{fence}")
}

/// Backticks, at least `least`, more than anywhere in `text`.
fn fence(text: &str, least: usize) -> String {
    let runs = text.split(|character| character != '`').map(str::len);
    let longest = runs.max().unwrap_or(0);
    let length = if longest < least { least } else { longest + 1 };
    "`".repeat(length)
}
