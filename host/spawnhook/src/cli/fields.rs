use std::collections::BTreeMap;
use std::ffi::OsString;

use serde_json::{Map, Value};

/// The fields of a JSON object from a client, taken one by one; null is no value.
pub(crate) struct Fields {
    rest: Map<String, Value>,
    known: Vec<&'static str>,
}

/// What is wrong with a field. Names it.
#[derive(Debug, thiserror::Error, PartialEq)]
pub(crate) enum FieldError {
    #[error("`{name}` is missing: {expected} is needed")]
    Missing {
        name: &'static str,
        expected: &'static str,
    },
    #[error("`{name}` must be {expected}, and is {given}")]
    Type {
        name: &'static str,
        expected: &'static str,
        given: String,
    },
    #[error("`{name}` is not known here; there are {known}")]
    Unknown { name: String, known: String },
}

impl Fields {
    pub(crate) fn new(object: Map<String, Value>) -> Self {
        Self {
            rest: object,
            known: Vec::new(),
        }
    }

    pub(crate) fn text(&mut self, name: &'static str) -> Result<Option<String>, FieldError> {
        self.take(name, "a string", |value| match value {
            Value::String(text) => Ok(text),
            other => Err(other),
        })
    }

    pub(crate) fn needed_text(&mut self, name: &'static str) -> Result<String, FieldError> {
        self.text(name)?.ok_or(FieldError::Missing {
            name,
            expected: "a string",
        })
    }

    pub(crate) fn seconds(&mut self, name: &'static str) -> Result<Option<f64>, FieldError> {
        self.take(name, "a number of seconds", |value| {
            value.as_f64().ok_or(value)
        })
    }

    pub(crate) fn flag(&mut self, name: &'static str) -> Result<bool, FieldError> {
        let flag = self.take(name, "true or false", |value| value.as_bool().ok_or(value))?;
        Ok(flag.unwrap_or(false))
    }

    pub(crate) fn count(&mut self, name: &'static str) -> Result<Option<u64>, FieldError> {
        self.take(name, "a whole number from 0", |value| {
            value.as_u64().ok_or(value)
        })
    }

    /// Variables by their names; null removes one.
    pub(crate) fn variables(
        &mut self,
        name: &'static str,
    ) -> Result<BTreeMap<OsString, Option<OsString>>, FieldError> {
        let variables = self.take(name, "an object of strings and nulls", |value| {
            let is_variable = |value: &Value| value.is_string() || value.is_null();
            match value {
                Value::Object(object) if object.values().all(is_variable) => Ok(object),
                other => Err(other),
            }
        })?;
        let variables = variables.unwrap_or_default().into_iter();
        let variable =
            |(name, value): (String, Value)| (name.into(), value.as_str().map(OsString::from));
        Ok(variables.map(variable).collect())
    }

    /// A name that a client gives or knows: text or a number.
    pub(crate) fn id(&mut self, name: &'static str) -> Result<Option<Value>, FieldError> {
        self.take(name, "a string or a number", |value| match value {
            Value::String(_) | Value::Number(_) => Ok(value),
            other => Err(other),
        })
    }

    /// Every field was looked at.
    pub(crate) fn end(self) -> Result<(), FieldError> {
        match self.rest.into_iter().next() {
            None => Ok(()),
            Some((name, _)) => Err(FieldError::Unknown {
                name,
                known: match self.known.as_slice() {
                    [] => "none".to_owned(),
                    known => format!("`{}`", known.join("`, `")),
                },
            }),
        }
    }

    fn take<T>(
        &mut self,
        name: &'static str,
        expected: &'static str,
        read: impl FnOnce(Value) -> Result<T, Value>,
    ) -> Result<Option<T>, FieldError> {
        self.known.push(name);
        match self.rest.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(value).map(Some).map_err(|value| FieldError::Type {
                name,
                expected,
                given: shown(&value),
            }),
        }
    }
}

/// A value as an error shows it.
fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return text;
    }
    let start: String = text.chars().take(MOST).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(value: Value) -> Fields {
        let Value::Object(object) = value else {
            panic!("no object");
        };
        Fields::new(object)
    }

    #[test]
    fn a_field_is_taken_with_its_type() {
        let mut fields = fields(json!({
            "a": "x", "b": 1.5, "c": true, "d": null, "e": 3, "f": 7, "h": {"A": "1", "B": null},
        }));
        assert_eq!(fields.needed_text("a"), Ok("x".to_owned()));
        assert_eq!(fields.seconds("b"), Ok(Some(1.5)));
        assert_eq!(fields.flag("c"), Ok(true));
        assert_eq!(fields.text("d"), Ok(None));
        assert_eq!(fields.count("e"), Ok(Some(3)));
        assert_eq!(fields.id("f"), Ok(Some(json!(7))));
        assert_eq!(fields.flag("g"), Ok(false));
        assert_eq!(
            fields.variables("h"),
            Ok([("A".into(), Some("1".into())), ("B".into(), None)].into())
        );
        assert_eq!(fields.variables("i"), Ok(BTreeMap::new()));
        assert_eq!(fields.end(), Ok(()));
    }

    #[test]
    fn an_error_names_the_field() {
        let error = |value, read: fn(&mut Fields) -> Option<FieldError>| {
            read(&mut fields(value)).unwrap().to_string()
        };
        insta::assert_snapshot!(
            error(json!({}), |fields| fields.needed_text("command").err()),
            @"`command` is missing: a string is needed"
        );
        insta::assert_snapshot!(
            error(json!({"command": null}), |fields| fields.needed_text("command").err()),
            @"`command` is missing: a string is needed"
        );
        insta::assert_snapshot!(
            error(json!({"timeout": "5"}), |fields| fields.seconds("timeout").err()),
            @r#"`timeout` must be a number of seconds, and is "5""#
        );
        insta::assert_snapshot!(
            error(json!({"cursor": -1}), |fields| fields.count("cursor").err()),
            @"`cursor` must be a whole number from 0, and is -1"
        );
        insta::assert_snapshot!(
            error(json!({"env": {"A": 1}}), |fields| fields.variables("env").err()),
            @r#"`env` must be an object of strings and nulls, and is {"A":1}"#
        );
        insta::assert_snapshot!(
            error(json!({"cwd": "x".repeat(99)}), |fields| fields.flag("cwd").err()),
            @r#"`cwd` must be true or false, and is "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…"#
        );
    }

    #[test]
    fn a_field_that_nobody_looked_at_is_an_error_that_says_which_there_are() {
        let mut fields = fields(json!({"command": "x", "cmd": "y"}));
        fields.text("command").unwrap();
        fields.flag("background").unwrap();
        insta::assert_snapshot!(
            fields.end().unwrap_err(),
            @"`cmd` is not known here; there are `command`, `background`"
        );
    }
}
