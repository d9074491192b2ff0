//! Reading the settings of a hook, with all problems told at once.
//!
//! ```
//! use spawnhook_sdk::settings::{self, FromSetting, Setting};
//!
//! struct Rule {
//!     name: String,
//!     limit: Option<u64>,
//! }
//!
//! impl FromSetting for Rule {
//!     fn from_setting(setting: Setting<'_>) -> Option<Self> {
//!         setting.object(|rule| {
//!             // every member is asked for before any is missed
//!             let (name, limit) = (rule.required("name"), rule.optional("limit"));
//!             Some(Rule { name: name?, limit })
//!         })
//!     }
//! }
//!
//! let text = r#"{"rules": [{"name": 1, "limit": "many"}], "rule": []}"#;
//! let problems = settings::read(text, |settings| settings.optional::<Vec<Rule>>("rules"));
//! assert_eq!(
//!     problems.err(),
//!     Some(vec![
//!         "rules[0].name: expected a string, found 1".to_owned(),
//!         r#"rules[0].limit: expected a whole number of at least 0, found "many""#.to_owned(),
//!         "rule: unknown setting, expected one of rules".to_owned(),
//!     ])
//! );
//! ```

mod value;

use std::fmt::Display;

use serde_json::{Map, Value};
pub use value::{FromSetting, Setting};

/// The members of an object of settings. Each is asked for by name; what is left over at the end
/// is a problem.
pub struct Settings<'a> {
    path: String,
    members: Map<String, Value>,
    known: Vec<&'static str>,
    problems: &'a mut Vec<String>,
}

impl Settings<'_> {
    /// A member that may be missing; none if it is, or if it has a problem.
    pub fn optional<T: FromSetting>(&mut self, name: &'static str) -> Option<T> {
        self.known.push(name);
        let value = self.members.remove(name)?;
        let path = member_path(&self.path, name);
        T::from_setting(Setting::new(path, value, self.problems))
    }

    /// A member that must be there; none if it has a problem, that of being missing included.
    pub fn required<T: FromSetting>(&mut self, name: &'static str) -> Option<T> {
        if self.members.contains_key(name) {
            return self.optional(name);
        }
        self.known.push(name);
        self.problem(name, "expected a value, found none");
        None
    }

    /// Reports a problem of a member that shows only beside others. `what` says what was expected.
    pub fn problem(&mut self, member: &str, what: impl Display) {
        let path = member_path(&self.path, member);
        self.problems.push(format!("{path}: {what}"));
    }

    fn report_unknown(mut self) {
        let known = self.known.join(", ");
        for name in std::mem::take(&mut self.members).keys() {
            if known.is_empty() {
                self.problem(name, "unknown setting, expected none");
            } else {
                self.problem(
                    name,
                    format_args!("unknown setting, expected one of {known}"),
                );
            }
        }
    }
}

/// Reads the text of a JSON object, as `configure` is handed it.
///
/// # Errors
///
/// All problems, each as `path: what was expected`: those that `read` reports and the members that
/// it doesn't ask for.
pub fn read<T>(text: &str, read: impl FnOnce(&mut Settings<'_>) -> T) -> Result<T, Vec<String>> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        vec![format!(
            "settings: expected the text of a JSON object: {error}"
        )]
    })?;
    let mut problems = Vec::new();
    let output = match value {
        Value::Object(members) => Some(read_members(String::new(), members, &mut problems, read)),
        other => Setting::new("settings".to_owned(), other, &mut problems).expected("an object"),
    };
    match output {
        Some(output) if problems.is_empty() => Ok(output),
        _ => Err(problems),
    }
}

fn read_members<T>(
    path: String,
    members: Map<String, Value>,
    problems: &mut Vec<String>,
    read: impl FnOnce(&mut Settings<'_>) -> T,
) -> T {
    let mut settings = Settings {
        path,
        members,
        known: Vec::new(),
        problems,
    };
    let output = read(&mut settings);
    settings.report_unknown();
    output
}

/// Names that TOML would have to quote are quoted here too, so that a path can be read but one way.
fn member_path(path: &str, name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    match (path, !name.is_empty() && name.bytes().all(bare)) {
        ("", true) => name.to_owned(),
        (_, true) => format!("{path}.{name}"),
        ("", false) => format!("{name:?}"),
        (_, false) => format!("{path}.{name:?}"),
    }
}

#[cfg(test)]
mod tests;
