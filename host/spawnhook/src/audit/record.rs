use serde::Serialize;
use sha2::{Digest, Sha256};

/// What a record of the audit log says, apart from its number, its time and its place in the
/// chain, which it gets when it is appended.
#[derive(Clone, Debug)]
pub struct Record {
    /// The id of the call.
    pub call: String,
    /// `spawn` before the command is spawned, `exit` after it ended, `refused` if it never ran.
    pub event: &'static str,
    /// The name of the ending; none in a record of `spawn`.
    pub ending: Option<&'static str>,
    /// The hex SHA-256 of the command's bytes as it ran, or would have.
    pub command_sha256: String,
    /// The hook that the entry comes from.
    pub hook: String,
    /// The hooks that failed and were left out, because their deployment says so.
    pub skipped: Vec<SkippedHook>,
    /// What the hook appended; none if the host writes the record in its place.
    pub entry: Option<serde_json::Value>,
}

/// A hook that was left out of a call.
#[derive(Clone, Debug, Serialize)]
pub struct SkippedHook {
    /// The hook's name.
    pub hook: String,
    /// The class of its failure.
    pub class: &'static str,
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
    prev: &'a str,
    entry: Option<&'a serde_json::Value>,
}

impl<'a> Line<'a> {
    pub(super) fn new(record: &'a Record, seq: u64, prev: &'a str) -> Self {
        Self {
            seq,
            time: jiff::Timestamp::now(),
            call: &record.call,
            event: record.event,
            ending: record.ending,
            command_sha256: &record.command_sha256,
            hook: &record.hook,
            skipped: &record.skipped,
            prev,
            entry: record.entry.as_ref(),
        }
    }
}

/// The hex SHA-256 of `bytes`, in lower case.
pub fn sha256_hex(bytes: impl AsRef<[u8]>) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes)
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("a string takes any text");
            hex
        })
}
