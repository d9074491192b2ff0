//! What the host measured of a call that has ended. Before the spawn every number is zero or none.
//! For audit hooks alone: a hook of another kind that calls these is refused when it is loaded.

use crate::bindings::audit::spawnhook::hook::exit;

/// The time from the spawn until everything was settled, in milliseconds.
#[must_use]
pub fn duration_ms() -> u64 {
    exit::duration_ms()
}

/// The bytes that the command wrote, as it wrote them; none if nothing was spawned.
#[must_use]
pub fn output_bytes() -> Option<u64> {
    exit::output_bytes()
}

/// The lines of the cleaned output, an unterminated last one included; none if nothing was spawned.
#[must_use]
pub fn output_lines() -> Option<u64> {
    exit::output_lines()
}

/// Whether the output was cut for the caller.
#[must_use]
pub fn truncated() -> bool {
    exit::truncated()
}

/// How many processes of the command were still alive after it ended.
#[must_use]
pub fn leftover_processes() -> u32 {
    exit::leftover_processes()
}
