//! The vocabulary of spawnhook: what the native half, the WebAssembly half and the front ends say
//! to each other. Plain data, the standard library alone, no I/O.
//!
//! A caller's request becomes a [`Call`] (the facts that stay) and a [`SpawnContext`] (what hooks
//! receive and return). Hooks answer with a changed context or a [`Refusal`] and leave a
//! [`HookReport`] each. Whatever happens afterwards is one [`Outcome`] with one [`Ending`].

#![forbid(unsafe_code)]

mod call;
mod chunk;
mod context;
mod ending;
mod env;
mod event;
mod hook;
mod outcome;
mod output;
mod timeout;

pub use call::{Call, Origin, Session};
pub use chunk::{Chunk, Stream};
pub use context::SpawnContext;
pub use ending::Ending;
pub use env::{Env, valid_name};
pub use event::Event;
pub use hook::{Failure, FailureClass, Field, HookReport, HookResult, Refusal, Stage};
pub use outcome::{AuditHead, Leftover, Outcome};
pub use output::{Cut, Excerpt, Output, OutputLimits, Streams, Truncation};
pub use timeout::{InvalidTimeout, Timeout};
