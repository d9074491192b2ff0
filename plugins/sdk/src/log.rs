//! The hook's own log. The host keeps its head and its tail and attaches it to the report of a
//! failure.

use crate::bindings::spawn::spawnhook::hook::log::{Level, write};

/// Writes a message for the author of the hook.
pub fn debug(message: impl AsRef<str>) {
    write(Level::Debug, message.as_ref());
}

/// Writes a message worth a line in a log.
pub fn info(message: impl AsRef<str>) {
    write(Level::Info, message.as_ref());
}

/// Writes a message that the operator should look at.
pub fn warn(message: impl AsRef<str>) {
    write(Level::Warn, message.as_ref());
}

/// Writes the reason for a failure.
pub fn error(message: impl AsRef<str>) {
    write(Level::Error, message.as_ref());
}
