//! One value of the settings, and the types that can be read from one.

use std::{collections::BTreeMap, fmt::Display};

use serde_json::Value;

use super::{Settings, member_path, read_members};

/// How many characters of a wrong text a problem shows.
const SHOWN_CHARS: usize = 60;

/// A value on its way to becoming a `T: FromSetting`.
pub struct Setting<'a> {
    path: String,
    value: Value,
    problems: &'a mut Vec<String>,
}

/// A type that can be read from a setting.
pub trait FromSetting: Sized {
    /// The value, or none after the problem was reported.
    fn from_setting(setting: Setting<'_>) -> Option<Self>;
}

impl<'a> Setting<'a> {
    pub(super) fn new(path: String, value: Value, problems: &'a mut Vec<String>) -> Self {
        Self {
            path,
            value,
            problems,
        }
    }

    /// The text, if the value is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        self.value.as_str()
    }

    /// Reports that something else was expected, and what was found. `what` continues
    /// `expected …`. Always none.
    pub fn expected<T>(self, what: impl Display) -> Option<T> {
        let found = shown(&self.value);
        self.problem(format_args!("expected {what}, found {found}"))
    }

    /// Reports a problem without showing the value, which may be a secret. Always none.
    pub fn problem<T>(self, problem: impl Display) -> Option<T> {
        self.problems.push(format!("{}: {problem}", self.path));
        None
    }

    /// Reads a string and what it means. The error of `parse` continues `expected …`.
    pub fn parse<T, E: Display>(self, parse: impl FnOnce(&str) -> Result<T, E>) -> Option<T> {
        let Value::String(text) = &self.value else {
            return self.expected("a string");
        };
        match parse(text) {
            Ok(parsed) => Some(parsed),
            Err(what) => self.expected(what),
        }
    }

    /// Reads an object member by member.
    pub fn object<T>(self, read: impl FnOnce(&mut Settings<'_>) -> Option<T>) -> Option<T> {
        match self.value {
            Value::Object(members) => read_members(self.path, members, self.problems, read),
            _ => self.expected("an object"),
        }
    }
}

impl FromSetting for bool {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        match setting.value {
            Value::Bool(value) => Some(value),
            _ => setting.expected("true or false"),
        }
    }
}

impl FromSetting for u64 {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        match setting.value.as_u64() {
            Some(value) => Some(value),
            None => setting.expected("a whole number of at least 0"),
        }
    }
}

impl FromSetting for String {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        match setting.value {
            Value::String(text) => Some(text),
            _ => setting.expected("a string"),
        }
    }
}

/// An element that has a problem is left out, so that each can report its own, and what shows only
/// beside others can still be seen.
impl<T: FromSetting> FromSetting for Vec<T> {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        let Value::Array(elements) = setting.value else {
            return setting.expected("a list");
        };
        let mut values = Self::with_capacity(elements.len());
        for (index, element) in elements.into_iter().enumerate() {
            let path = format!("{}[{index}]", setting.path);
            values.extend(T::from_setting(Setting::new(
                path,
                element,
                setting.problems,
            )));
        }
        Some(values)
    }
}

/// A member whose name or value has a problem is left out. A name is read as a string would be.
impl<K: FromSetting + Ord, T: FromSetting> FromSetting for BTreeMap<K, T> {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        let Value::Object(members) = setting.value else {
            return setting.expected("an object");
        };
        let mut values = Self::new();
        for (name, member) in members {
            let path = member_path(&setting.path, &name);
            let name = Value::String(name);
            let name = K::from_setting(Setting::new(path.clone(), name, setting.problems));
            let value = T::from_setting(Setting::new(path, member, setting.problems));
            values.extend(name.zip(value));
        }
        Some(values)
    }
}

/// What stands behind `found`: a kind for what may be long, the value itself for the rest.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => match text.char_indices().nth(SHOWN_CHARS) {
            None => format!("{text:?}"),
            Some((end, _)) => format!("{:?}…", &text[..end]),
        },
        other => other.to_string(),
    }
}
