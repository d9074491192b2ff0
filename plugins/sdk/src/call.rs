//! Facts about the call that the command belongs to. They are the same in every hook of a call,
//! except [`env_names`].

use crate::bindings::spawn::spawnhook::hook::call;

/// The facts about a session that a host may know, as [`session`] takes them.
pub const SESSION_FACTS: [&str; 5] = ["id", "file", "provider", "model", "reasoning-level"];

/// The id of this call: the same in every hook, event and audit record.
#[must_use]
pub fn id() -> String {
    call::id()
}

/// Where the call came from: `cli`, `rpc`, `mcp`, `shell` or `agent:<name>`.
#[must_use]
pub fn origin() -> String {
    call::origin()
}

/// The command as it was asked for, before the prefix and before every hook.
#[must_use]
pub fn requested() -> String {
    call::requested()
}

/// The operator's prefix as it stood at the head of the command before every hook, with the
/// newline that ends it; may be empty.
#[must_use]
pub fn prefix() -> String {
    call::prefix()
}

/// The workspace's root: an absolute path.
#[must_use]
pub fn workspace() -> String {
    call::workspace()
}

/// The names of all variables of the command at this point, seen by this hook or not, sorted.
#[must_use]
pub fn env_names() -> Vec<String> {
    call::env_names()
}

/// The time limit of the command in milliseconds, if it has one.
#[must_use]
pub fn timeout_ms() -> Option<u64> {
    call::timeout_ms()
}

/// When the call was accepted, in milliseconds of Unix time.
#[must_use]
pub fn started_ms() -> u64 {
    call::started_ms()
}

/// A fact about the agent's session, one of [`SESSION_FACTS`]; none where it is unknown, as is any
/// other name.
#[must_use]
pub fn session(name: &str) -> Option<String> {
    call::session(name)
}
