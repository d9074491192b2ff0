use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Value, json};
use spawnhook::config::Limits;
use spawnhook::message::size;

use super::answer::{BashObject, ListObject, OutputObject};

/// The tools as they are listed.
pub(super) fn tools(limits: &Limits, patience: Duration) -> Vec<Tool> {
    vec![bash(limits, patience), output(patience), kill(), list()]
}

fn bash(limits: &Limits, patience: Duration) -> Tool {
    let (default, most) = (limits.default_timeout, limits.max_timeout);
    let description = format!(
        "Runs a command in a shell and returns what it writes, stdout and stderr in their order: \
         the last {} lines or {}, whichever is reached first; if more was written, all of it is in \
         a file whose path the result names. The time limit is in seconds. A command that is still \
         running after {} seconds, or that is started in the background, is answered with a handle \
         for `bash_output` and `bash_kill`. The deployment's hooks may change or deny a command; \
         the result names the one that really ran.",
        limits.output.max_lines,
        bytes(limits.output.max_bytes),
        patience.as_secs_f64(),
    );
    let input = json!({
        "command": {"type": "string", "description": "Shell source text"},
        "timeout": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": format!(
                "Time limit in seconds, at most {most}; default {default}, or {most} in the background"
            ),
        },
        "cwd": {
            "type": "string",
            "description": "Working directory; a relative one is taken from where the server was started",
        },
        "background": {
            "type": "boolean",
            "description": "Answer with a handle as soon as the command runs",
        },
    });
    Tool::new("bash", description, schema(input, &["command"]))
        .with_raw_output_schema(described::<BashObject>())
        .with_annotations(
            ToolAnnotations::with_title("Run a command")
                .read_only(false)
                .destructive(true)
                .idempotent(false)
                .open_world(true),
        )
}

fn output(patience: Duration) -> Tool {
    let input = json!({
        "handle": handle(),
        "cursor": {
            "type": "integer",
            "minimum": 0,
            "description": "Where to read from, in bytes; default where the last answer ended",
        },
        "wait": {
            "type": "number",
            "minimum": 0,
            "description": format!(
                "Wait as many seconds for the command to end, at most {}", patience.as_secs_f64()
            ),
        },
    });
    let description = "Returns what a running command has written since the last time, and how it \
                       ended if it has.";
    Tool::new("bash_output", description, schema(input, &["handle"]))
        .with_raw_output_schema(described::<OutputObject>())
        .with_annotations(ToolAnnotations::with_title("Output of a command").read_only(true))
}

fn kill() -> Tool {
    let description = "Ends a running command and every process that it has started, and returns \
                       what it had written since the last time.";
    let input = json!({ "handle": handle() });
    Tool::new("bash_kill", description, schema(input, &["handle"]))
        .with_raw_output_schema(described::<OutputObject>())
        .with_annotations(
            ToolAnnotations::with_title("End a command")
                .destructive(true)
                .idempotent(true),
        )
}

fn list() -> Tool {
    let description = "Lists the commands that are running, and those that have ended and were \
                       answered with a handle.";
    Tool::new("bash_list", description, schema(json!({}), &[]))
        .with_raw_output_schema(described::<ListObject>())
        .with_annotations(ToolAnnotations::with_title("List commands").read_only(true))
}

fn handle() -> Value {
    json!({"type": "string", "description": "What `bash` has answered as the handle"})
}

fn schema(properties: Value, required: &[&str]) -> JsonObject {
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    match schema {
        Value::Object(schema) => schema,
        _ => unreachable!("invariant: it was written as an object"),
    }
}

/// The schema of an answer. Without the formats of numbers, which are Rust's own: clients complain
/// about those that they do not know.
fn described<Answer: JsonSchema>() -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RecursiveTransform(|schema: &mut Schema| {
            schema.remove("format");
        }));
    let schema = settings.into_generator().into_root_schema_for::<Answer>();
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    // The name of a type in here, which tells a client nothing.
    schema.remove("title");
    Arc::new(schema)
}

fn bytes(bytes: usize) -> String {
    size(u64::try_from(bytes).unwrap_or(u64::MAX))
}
