use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::{Call, Ending, HookReport, Output};

/// What became of one accepted request.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The facts of the call.
    pub call: Arc<Call>,
    /// How it ended.
    pub ending: Ending,
    /// The command that ran, or that would have: after the prefix and the hooks so far.
    pub command: String,
    /// The directory that it ran in, or would have.
    pub cwd: PathBuf,
    /// The names of the variables of the host that the environment policy kept from it, sorted.
    pub env_removed: Vec<String>,
    /// What it wrote.
    pub output: Output,
    /// What each hook did, in the order of the calls; the calls of `after-exit` are left out
    /// unless they failed.
    pub hooks: Vec<HookReport>,
    /// The processes that were still alive after the command had ended.
    pub leftovers: Vec<Leftover>,
    /// The last record of this call in the audit log, if one was written.
    pub audit: Option<AuditHead>,
    /// What the caller should know besides, one sentence each.
    pub notices: Vec<String>,
    /// From the request to the ending.
    pub took: Duration,
}

/// A process that outlived its command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// Its id.
    pub pid: u32,
    /// Its command line, or its name where it has none, in one line.
    pub command: String,
}

/// A record of the audit log, by which a log that was cut or written anew is found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditHead {
    /// The record's number, counted from 1.
    pub seq: u64,
    /// The hex SHA-256 of the record's line without its newline.
    pub hash: String,
}
