use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

/// What an entry says of a command, if it is one of the form that `builtin:audit-log` writes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Details {
    pub(super) requested: Option<String>,
    pub(super) command: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) origin: Option<String>,
    pub(super) session: BTreeMap<String, String>,
    pub(super) status: Option<Status>,
    pub(super) duration_ms: Option<u64>,
    pub(super) output_bytes: Option<u64>,
    pub(super) output_lines: Option<u64>,
    pub(super) leftover_processes: Option<u32>,
}

/// How the command ended.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Status {
    pub(super) code: Option<i32>,
    pub(super) signal: Option<i32>,
    pub(super) reason: Option<String>,
}

impl Details {
    /// An entry of another form has none.
    pub(super) fn read(entry: &RawValue) -> Self {
        let is_object = entry.get().starts_with('{');
        let details = is_object.then(|| serde_json::from_str(entry.get()).ok());
        details.flatten().unwrap_or_default()
    }
}
