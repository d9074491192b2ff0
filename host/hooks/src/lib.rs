//! The WebAssembly half of spawnhook: loads hooks, grants them rights, calls them within limits.
//!
//! The way of one call: a [`Chain`] walks over its hooks and folds their answers; each hook is
//! called on a hook thread, in a fresh store, on a fresh instance, within its limits; what it
//! returns is checked against its stage and its rights before anybody sees it. What goes wrong is
//! a [`Failure`](spawnhook_model::Failure) with a class, never an `Err` and never a panic.
//!
//! The way of one file: [`HookEngine::load`] admits it step by step, and whatever keeps a hook
//! from being called safely keeps the host from starting.

mod admission;
mod answer;
mod audit;
mod cache;
mod call;
mod chain;
mod check;
mod engine;
mod failure;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod hook;
mod inspect;
mod interfaces;
mod limits;
mod log;
mod native;
mod rights;
mod snapshot;
mod spec;
mod text;
mod threads;
mod ticker;
mod wasi;
mod when;

pub use admission::{HookLoadError, LoadFault};
pub use audit::{AuditLog, ExitFacts};
pub use chain::{Chain, ChainError, Decision, Recorded, Verdict};
pub use engine::{
    Allocation, Compiler, EngineError, EngineOptions, HookEngine, KeptCode, Placement, Snapshots,
};
pub use hook::{Hook, Trial};
pub use inspect::{FileKind, ImportStatus, ImportedInterface, InspectError, Inspection};
pub use native::{NativeHook, SpawnHook};
pub use spec::{HookLimits, HookSpec, OnFailure, Rights};
pub use when::{When, WhenError};
