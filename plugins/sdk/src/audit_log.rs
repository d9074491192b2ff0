//! The audit log of the deployment. For audit hooks alone: a hook of another kind that calls this
//! is refused when it is loaded.

use crate::bindings::audit::spawnhook::hook::audit_log;

/// How many bytes one entry may have.
pub const ENTRY_BYTES: usize = 64 * 1024;

/// Appends one entry: the text of a JSON object of at most [`ENTRY_BYTES`].
///
/// One entry belongs to each call of `before_spawn` and of `after_exit`; a hook that returns
/// without having appended has failed.
///
/// # Errors
///
/// The text says why nothing was written: not a JSON object, too large, a second entry, or the log
/// could not be written.
pub fn append(entry: &str) -> Result<(), String> {
    audit_log::append(entry)
}
