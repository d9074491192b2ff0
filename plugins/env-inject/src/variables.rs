//! What is done to the environment: read from the settings, applied to a command.

use std::collections::BTreeMap;

use spawnhook_sdk::{
    Settings, SpawnContext,
    call::SESSION_FACTS,
    settings::{FromSetting, Setting},
};

/// The variables to set and to unset. No name is in two of the three.
#[derive(Default)]
pub(crate) struct Variables {
    set: BTreeMap<Name, Text>,
    set_from_session: BTreeMap<Name, Fact>,
    unset: Vec<Name>,
}

/// A value of a variable: text without NUL.
struct Text(String);

/// The name of a fact about the session.
struct Fact(String);

/// The name of a variable.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name(String);

impl Variables {
    pub(crate) fn read(settings: &mut Settings<'_>) -> Self {
        let variables = Self {
            set: settings.optional("set").unwrap_or_default(),
            set_from_session: settings.optional("set_from_session").unwrap_or_default(),
            unset: settings.optional("unset").unwrap_or_default(),
        };
        variables.report_names_in_two_places(settings);
        variables
    }

    /// `session` tells a fact about the session; one that is unknown leaves its variable alone.
    pub(crate) fn apply(&self, spawn: &mut SpawnContext, session: impl Fn(&str) -> Option<String>) {
        for Name(name) in &self.unset {
            spawn.unset_env(name);
        }
        for (Name(name), Text(value)) in &self.set {
            spawn.set_env(name, value);
        }
        for (Name(name), Fact(fact)) in &self.set_from_session {
            if let Some(value) = session(fact) {
                spawn.set_env(name, value);
            }
        }
    }

    fn report_names_in_two_places(&self, settings: &mut Settings<'_>) {
        for name in self.set_from_session.keys() {
            if self.set.contains_key(name) {
                settings.problem("set_from_session", in_two_places(name, "set"));
            }
        }
        for name in &self.unset {
            if self.set.contains_key(name) {
                settings.problem("unset", in_two_places(name, "set"));
            }
            if self.set_from_session.contains_key(name) {
                settings.problem("unset", in_two_places(name, "set_from_session"));
            }
        }
    }
}

fn in_two_places(Name(name): &Name, other: &str) -> String {
    format!("expected names that are not in {other}, found {name:?}")
}

const NAME: &str = "a variable's name ([A-Za-z_][A-Za-z0-9_]*)";

fn is_name(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_digit())
        && !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl FromSetting for Name {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.parse(|text| {
            if is_name(text) {
                Ok(Self(text.to_owned()))
            } else {
                Err(NAME)
            }
        })
    }
}

impl FromSetting for Fact {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.parse(|text| {
            if SESSION_FACTS.contains(&text) {
                Ok(Self(text.to_owned()))
            } else {
                Err(format!("one of {}", SESSION_FACTS.join(", ")))
            }
        })
    }
}

impl FromSetting for Text {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        if setting.as_str().is_some_and(|text| text.contains('\0')) {
            return setting.problem("expected a text without NUL");
        }
        String::from_setting(setting).map(Self)
    }
}

#[cfg(test)]
mod tests;
