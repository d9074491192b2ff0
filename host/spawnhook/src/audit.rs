//! The audit log: one file of JSON Lines in which every record holds the hash of the one before.
//!
//! [`AuditFile`] appends records and keeps the chain whole, whoever else appends to the same file,
//! and puts the file aside when that is due. The audit hooks of a call write through a wrapper that
//! knows the call and puts what they say into a [`Record`].
//!
//! [`LogFiles`] reads a log with what was put aside of it as one. [`verify`] proves its chain;
//! [`Commands`] joins the records of each call, and [`page`] draws what a [`Summary`] has of them.

mod call;
mod chain;
mod command;
mod entry;
mod file;
mod files;
mod filter;
mod page;
mod record;
mod rotated;
mod rotation;
mod summary;
mod syslog;
mod verify;
pub mod words;

pub(crate) use call::{CallAudit, Phase};
pub use chain::{Fault, Problem};
pub use command::{Command, Commands};
pub use entry::{Entry, Event};
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use file::number;
pub use file::{AppendError, Appended, AuditFile};
pub use files::{Lines, LogFiles, LogLine, Position, ReadError};
pub use filter::{Filter, TimeError, parse_time};
pub use page::page;
pub use record::{ChangedBy, Record, SkippedHook, sha256_hex};
pub use summary::{
    Column, Counts, DURATIONS, DurationClass, HookWork, Kind, Refusals, Summary, Timeline,
};
pub use syslog::SyslogError;
pub use verify::{HeadError, Proof, Verdict, VerifyError, parse_head, verify};
