//! What is to be done with a command.

use std::fmt;

use serde::Serialize;
use spawnhook_sdk::settings::{FromSetting, Setting};

/// What is to be done with a command; a later one is stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It may run.
    Allow,
    /// A person must agree first.
    Ask,
    /// It must not run.
    Deny,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        })
    }
}

impl FromSetting for Verdict {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.parse(|text| match text {
            "allow" => Ok(Self::Allow),
            "ask" => Ok(Self::Ask),
            "deny" => Ok(Self::Deny),
            _ => Err("allow, ask or deny"),
        })
    }
}
