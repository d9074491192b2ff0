//! A record as it is read.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::record::{ChangedBy, SkippedHook};

/// What a line of the log says.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// The number of the record and of its line, counted from 1.
    pub seq: u64,
    /// When it was written.
    pub time: Timestamp,
    /// The id of the call.
    pub call: String,
    /// What it is a record of.
    pub event: Event,
    /// The name of the ending; none in a record of [`Event::Spawn`].
    pub ending: Option<String>,
    /// The hex SHA-256 of the command's bytes.
    pub command_sha256: String,
    /// The hook that the record comes from, or that owed it.
    pub hook: String,
    /// The hooks that failed and were left out.
    #[serde(default)]
    pub skipped: Vec<SkippedHook>,
    /// The hooks that changed the call.
    #[serde(default)]
    pub changed: Vec<ChangedBy>,
    /// The hook that refused, or whose failure stopped the command.
    pub refused_by: Option<String>,
    /// The number of the oldest record that is kept, if older ones were removed with this one.
    pub oldest: Option<u64>,
    /// The hex SHA-256 of the line before.
    pub prev: String,
    /// What the hook appended; none if the host wrote the record in its place.
    pub entry: Option<Box<RawValue>>,
}

/// What a record is one of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A command is about to be spawned.
    Spawn,
    /// A command has ended.
    Exit,
    /// A command was not spawned.
    Refused,
    /// A command was left to the agent that asked about it, which spawns it itself or not. Nothing
    /// more will be known of it.
    HandedOver,
}

impl Entry {
    /// Reads a line; none if it is no record.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(line).ok()?;
        // A list with such members would do for the parser as well.
        let text = text.starts_with('{').then_some(text)?;
        serde_json::from_str(text).ok()
    }
}
