//! The audit log: one file of JSON Lines in which every record holds the hash of the one before.
//!
//! [`AuditFile`] appends records and keeps the chain whole, whoever else appends to the same file.
//! The audit hooks of a call write through a wrapper that knows the call and puts what they say
//! into a [`Record`].

mod call;
mod file;
mod record;

pub(crate) use call::{CallAudit, Phase};
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use file::number;
pub use file::{AppendError, AuditFile};
pub use record::{Record, SkippedHook, sha256_hex};
