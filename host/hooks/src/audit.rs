use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use spawnhook_model::Ending;

/// Where the entries of audit hooks go.
pub trait AuditLog: Send + Sync {
    /// Writes one record. `entry` is the text of a JSON object of at most 64 KiB.
    ///
    /// Called on a hook thread, which may wait; the time it takes counts against the wall limit of the hook.
    ///
    /// # Errors
    ///
    /// The reason why nothing was written, as the hook is told it.
    fn append(&self, hook: &str, entry: &str) -> Result<(), String>;

    /// As [`append`](Self::append), but only if nobody has to be waited for: no lock, no disk.
    /// Called on the thread that asks for the call, where handing it over would cost more than the
    /// call.
    ///
    /// None if somebody would have to be waited for, as ever without an implementation: nothing
    /// was written then, and the call is made anew where waiting is bounded.
    fn append_at_once(&self, _hook: &str, _entry: &str) -> Option<Result<(), String>> {
        None
    }
}

/// A log that waits for nobody, and notes where it would have had to.
pub(crate) struct AtOnce {
    log: Arc<dyn AuditLog>,
    would_wait: AtomicBool,
}

impl AtOnce {
    pub(crate) fn new(log: Arc<dyn AuditLog>) -> Self {
        Self {
            log,
            would_wait: AtomicBool::new(false),
        }
    }

    /// Whether an entry was refused that only has to wait.
    pub(crate) fn would_wait(&self) -> bool {
        self.would_wait.load(Ordering::Relaxed)
    }
}

impl AuditLog for AtOnce {
    fn append(&self, hook: &str, entry: &str) -> Result<(), String> {
        self.log.append_at_once(hook, entry).unwrap_or_else(|| {
            self.would_wait.store(true, Ordering::Relaxed);
            Err("the log is busy".to_owned())
        })
    }
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
