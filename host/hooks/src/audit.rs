use std::time::Duration;

use spawnhook_model::Ending;

/// Where the entries of audit hooks go.
pub trait AuditLog: Send + Sync {
    /// Writes one record. `entry` is the text of a JSON object of at most 64 KiB.
    ///
    /// Called on a hook thread; the time it takes counts against the wall limit of the hook.
    ///
    /// # Errors
    ///
    /// The reason why nothing was written, as the hook is told it.
    fn append(&self, hook: &str, entry: &str) -> Result<(), String>;
}

/// What the host measured of a call that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct ExitFacts {
    /// How it ended.
    pub ending: Ending,
    /// From the spawn until everything was settled.
    pub duration: Duration,
    /// The bytes that the command wrote; none if nothing was spawned.
    pub output_bytes: Option<u64>,
    /// The lines of the cleaned output, an unterminated last one included; none if nothing was
    /// spawned.
    pub output_lines: Option<u64>,
    /// Whether the output was cut for the caller.
    pub truncated: bool,
    /// How many processes of the command were still alive after it ended.
    pub leftover_processes: u32,
}
