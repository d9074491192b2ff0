//! What a command wrote, made fit for its reader: bytes in, clean text out, bounded.

mod cleaner;
mod collector;
mod escape;
mod file_size;
mod head;
mod retention;
mod spill;
mod tail;
mod visible;

pub use cleaner::{Cleaner, Text};
pub use collector::Collector;
pub use head::truncate_head;
pub use spill::{DEFAULT_SPILL_QUOTA, OpenFile, SpillOptions};
pub use tail::truncate_tail;
pub use visible::visible;
pub(crate) use visible::visible_path;
