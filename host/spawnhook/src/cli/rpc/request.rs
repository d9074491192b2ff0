use std::collections::BTreeMap;
use std::ffi::OsString;

use serde_json::Value;
use spawnhook_exec::Streams;

use super::super::fields::{FieldError, Fields};
use super::super::lines::Line;

/// What a client asks for.
#[derive(Debug, PartialEq)]
pub(super) enum Request {
    /// Run a command.
    Bash(Bash),
    /// Cancel the commands of this id, or all.
    Abort { bash_id: Option<Value> },
    /// Take relative directories from here.
    SetCwd { cwd: String },
}

#[derive(Debug, PartialEq)]
pub(super) struct Bash {
    pub(super) command: String,
    pub(super) cwd: Option<String>,
    /// None removes a variable.
    pub(super) env: BTreeMap<OsString, Option<OsString>>,
    pub(super) timeout: Option<f64>,
    pub(super) streams: Streams,
    pub(super) exclude_from_context: bool,
}

/// A request that cannot be made out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused {
    /// What it seems to be.
    pub(super) command: String,
    pub(super) error: String,
}

impl Request {
    /// Its type.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Bash(_) => "bash",
            Self::Abort { .. } => "abort_bash",
            Self::SetCwd { .. } => "set_cwd",
        }
        .to_owned()
    }
}

/// The id of a request, as far as it can be found, and the request.
pub(super) fn parse(line: Line) -> (Option<Value>, Result<Request, Refused>) {
    let unreadable = |error: String| {
        let command = "parse".to_owned();
        (None, Err(Refused { command, error }))
    };
    let text = match line {
        Line::Text(text) => text,
        Line::TooLong(most) => {
            return unreadable(format!("the line is longer than {most} bytes"));
        }
    };
    let object = match serde_json::from_slice(&text) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return unreadable("the line is no JSON object".to_owned()),
        Err(error) => return unreadable(format!("the line is no JSON: {error}")),
    };
    let mut fields = Fields::new(object);
    let id = fields.id("id");
    let known_id = id.as_ref().ok().cloned().flatten();
    let kind = match id.and_then(|_| fields.needed_text("type")) {
        Ok(kind) => kind,
        Err(error) => {
            let (_, refused) = unreadable(error.to_string());
            return (known_id, refused);
        }
    };
    let request = request(&kind, fields).map_err(|error| Refused {
        command: kind,
        error,
    });
    (known_id, request)
}

fn request(kind: &str, fields: Fields) -> Result<Request, String> {
    let request = match kind {
        "bash" => return bash(fields),
        "abort_bash" => abort(fields),
        "set_cwd" => set_cwd(fields),
        _ => {
            return Err(format!(
                "the `type` `{kind}` is unknown; there are `bash`, `abort_bash`, `set_cwd`"
            ));
        }
    };
    request.map_err(|error| error.to_string())
}

fn bash(mut fields: Fields) -> Result<Request, String> {
    let mut read = || -> Result<_, FieldError> {
        Ok((
            fields.needed_text("command")?,
            fields.text("cwd")?,
            fields.variables("env")?,
            fields.seconds("timeout")?,
            fields.text("streams")?,
            fields.flag("excludeFromContext")?,
        ))
    };
    let read = read().map_err(|error| error.to_string())?;
    fields.end().map_err(|error| error.to_string())?;
    let (command, cwd, env, timeout, streams, exclude_from_context) = read;
    Ok(Request::Bash(Bash {
        command,
        cwd,
        env,
        timeout,
        streams: match streams.as_deref() {
            None | Some("merged") => Streams::Merged,
            Some("separate") => Streams::Separate,
            Some(other) => {
                return Err(format!(
                    "`streams` must be `merged` or `separate`, and is `{other}`"
                ));
            }
        },
        exclude_from_context,
    }))
}

fn abort(mut fields: Fields) -> Result<Request, FieldError> {
    let bash_id = fields.id("bashId")?;
    fields.end()?;
    Ok(Request::Abort { bash_id })
}

fn set_cwd(mut fields: Fields) -> Result<Request, FieldError> {
    let cwd = fields.needed_text("cwd")?;
    fields.end()?;
    Ok(Request::SetCwd { cwd })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(line: &str) -> (Option<Value>, Result<Request, Refused>) {
        parse(Line::Text(line.into()))
    }

    fn refused(line: &str) -> (String, String) {
        let refused = parsed(line).1.unwrap_err();
        (refused.command, refused.error)
    }

    #[test]
    fn a_request_of_the_original_is_understood() {
        let (id, request) = parsed(r#"{"id":"7","type":"bash","command":"ls"}"#);
        assert_eq!(id, Some(json!("7")));
        assert_eq!(
            request,
            Ok(Request::Bash(Bash {
                command: "ls".to_owned(),
                cwd: None,
                env: BTreeMap::new(),
                timeout: None,
                streams: Streams::Merged,
                exclude_from_context: false,
            }))
        );
        let (id, request) = parsed(r#"{"type":"abort_bash"}"#);
        assert_eq!((id, request), (None, Ok(Request::Abort { bash_id: None })));
    }

    #[test]
    fn what_cannot_be_read_is_answered_as_the_original_does() {
        assert_eq!(refused("{").0, "parse");
        assert_eq!(refused("[]").1, "the line is no JSON object");
        assert_eq!(refused("\u{0}").0, "parse");
        let (_, request) = parse(Line::TooLong(9));
        assert_eq!(
            request.unwrap_err().error,
            "the line is longer than 9 bytes"
        );
    }

    #[test]
    fn an_error_names_the_field_and_keeps_the_id() {
        let (id, request) = parsed(r#"{"id":3,"type":"bash"}"#);
        assert_eq!(id, Some(json!(3)));
        assert_eq!(
            request.unwrap_err().error,
            "`command` is missing: a string is needed"
        );
        for (line, command, error) in [
            (
                r#"{"type":"bash","command":null}"#,
                "bash",
                "`command` is missing: a string is needed",
            ),
            (
                r#"{"type":"bash","command":"x","streams":"both"}"#,
                "bash",
                "`streams` must be `merged` or `separate`, and is `both`",
            ),
            (
                r#"{"type":"bash","command":"x","dir":"."}"#,
                "bash",
                "`dir` is not known here; there are `id`, `type`, `command`, `cwd`, `env`, \
                 `timeout`, `streams`, `excludeFromContext`",
            ),
            (
                r#"{"type":"prompt"}"#,
                "prompt",
                "the `type` `prompt` is unknown; there are `bash`, `abort_bash`, `set_cwd`",
            ),
            ("{}", "parse", "`type` is missing: a string is needed"),
            (
                r#"{"type":"bash","id":[1]}"#,
                "parse",
                "`id` must be a string or a number, and is [1]",
            ),
        ] {
            assert_eq!(refused(line), (command.to_owned(), error.to_owned()));
        }
    }
}
