use rmcp::model::JsonObject;

use super::super::fields::{FieldError, Fields};

/// The arguments of `bash`.
#[derive(Debug, PartialEq)]
pub(super) struct Bash {
    pub(super) command: String,
    pub(super) timeout: Option<f64>,
    pub(super) cwd: Option<String>,
    pub(super) background: bool,
}

/// The arguments of `bash_output`.
#[derive(Debug, PartialEq)]
pub(super) struct Output {
    pub(super) handle: String,
    pub(super) cursor: Option<u64>,
    pub(super) wait: Option<f64>,
}

/// The arguments of `bash_kill`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kill {
    pub(super) handle: String,
}

impl Bash {
    pub(super) fn parse(arguments: JsonObject) -> Result<Self, FieldError> {
        let mut fields = Fields::new(arguments);
        let bash = Self {
            command: fields.needed_text("command")?,
            timeout: fields.seconds("timeout")?,
            cwd: fields.text("cwd")?,
            background: fields.flag("background")?,
        };
        fields.end()?;
        Ok(bash)
    }
}

impl Output {
    pub(super) fn parse(arguments: JsonObject) -> Result<Self, FieldError> {
        let mut fields = Fields::new(arguments);
        let output = Self {
            handle: fields.needed_text("handle")?,
            cursor: fields.count("cursor")?,
            wait: fields.seconds("wait")?,
        };
        fields.end()?;
        Ok(output)
    }
}

impl Kill {
    pub(super) fn parse(arguments: JsonObject) -> Result<Self, FieldError> {
        let mut fields = Fields::new(arguments);
        let handle = fields.needed_text("handle")?;
        fields.end()?;
        Ok(Self { handle })
    }
}

/// For a tool that has none.
pub(super) fn none(arguments: JsonObject) -> Result<(), FieldError> {
    Fields::new(arguments).end()
}
