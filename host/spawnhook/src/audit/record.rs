use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a record of the audit log says, apart from its number, its time and its place in the
/// chain, which it gets when it is appended.
#[derive(Clone, Debug)]
pub struct Record {
    /// The id of the call.
    pub call: String,
    /// `spawn` before the command is spawned, `exit` after it ended, `refused` if it never ran,
    /// `handed-over` if an agent runs it itself.
    pub event: &'static str,
    /// The name of the ending; none in a record of `spawn`.
    pub ending: Option<&'static str>,
    /// The hex SHA-256 of the command's bytes as it ran, or would have.
    pub command_sha256: String,
    /// The hook that the entry comes from.
    pub hook: String,
    /// The hooks that failed and were left out, because their deployment says so.
    pub skipped: Vec<SkippedHook>,
    /// The hooks that changed the call; in all records but those of `exit`.
    pub changed: Vec<ChangedBy>,
    /// The hook that refused, or whose failure stopped the command.
    pub refused_by: Option<String>,
    /// What the hook appended; none if the host writes the record in its place.
    pub entry: Option<serde_json::Value>,
}

#[cfg(test)]
impl Record {
    /// A record of a spawn.
    pub(crate) fn of_spawn(call: &str, text: &str) -> Self {
        Self {
            call: call.to_owned(),
            event: "spawn",
            ending: None,
            command_sha256: sha256_hex(text),
            hook: "audit-log".to_owned(),
            skipped: Vec::new(),
            changed: Vec::new(),
            refused_by: None,
            entry: Some(serde_json::json!({ "command": text })),
        }
    }
}

/// A hook that changed a call.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct ChangedBy {
    /// The hook's name.
    pub hook: String,
    /// What it changed: `command`, `cwd`, `env`.
    pub fields: Vec<Cow<'static, str>>,
}

/// A hook that was left out of a call.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct SkippedHook {
    /// The hook's name.
    pub hook: String,
    /// The class of its failure.
    pub class: Cow<'static, str>,
    /// How it failed.
    pub failure: String,
}

/// A record as it stands in the file, in the order of its members.
#[derive(Serialize)]
pub(super) struct Line<'a> {
    seq: u64,
    time: jiff::Timestamp,
    call: &'a str,
    event: &'static str,
    ending: Option<&'static str>,
    command_sha256: &'a str,
    hook: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    skipped: &'a [SkippedHook],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    changed: &'a [ChangedBy],
    #[serde(skip_serializing_if = "Option::is_none")]
    refused_by: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    oldest: Option<u64>,
    prev: &'a str,
    entry: Option<&'a serde_json::Value>,
}

impl<'a> Line<'a> {
    /// `oldest` is the number of the oldest record that is kept, in the record by whose writing
    /// older ones are removed.
    pub(super) fn new(record: &'a Record, seq: u64, prev: &'a str, oldest: Option<u64>) -> Self {
        Self {
            seq,
            time: jiff::Timestamp::now(),
            call: &record.call,
            event: record.event,
            ending: record.ending,
            command_sha256: &record.command_sha256,
            hook: &record.hook,
            skipped: &record.skipped,
            changed: &record.changed,
            refused_by: record.refused_by.as_deref(),
            oldest,
            prev,
            entry: record.entry.as_ref(),
        }
    }
}

/// The hex SHA-256 of `bytes`, in lower case.
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("a string takes any text");
            hex
        })
}
