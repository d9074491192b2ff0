//! What a hook for spawnhook is written with.
//!
//! A hook is a type with a [`Default`], a trait and one line that exports it. [`SpawnHook`] is for
//! hooks that change or refuse commands, [`AuditHook`] for hooks that record them:
//!
//! ```
//! use spawnhook_sdk::{Refusal, SpawnContext, SpawnHook, export_spawn_hook};
//!
//! #[derive(Default)]
//! struct NoSudo;
//!
//! impl SpawnHook for NoSudo {
//!     fn before_spawn(&self, spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
//!         if spawn.command.starts_with("sudo ") {
//!             return Err(Refusal::Deny("sudo is not available here".to_owned()));
//!         }
//!         Ok(spawn)
//!     }
//! }
//!
//! export_spawn_hook!(NoSudo);
//! ```
//!
//! The crate of the hook is a `cdylib`, built for `wasm32-wasip2`. Its own logic can be tested
//! natively; the functions that ask the host ([`call`], [`exit`], [`log`], [`audit_log`]) panic
//! outside a component.
//!
//! A hook gets a fresh instance for every call: nothing that it keeps in memory survives. When it
//! panics, the message and the place reach the host's log before the instance ends.

#[cfg(feature = "component")]
pub mod audit_log;
#[cfg(feature = "component")]
#[doc(hidden)]
pub mod bindings;
#[cfg(feature = "component")]
pub mod call;
#[cfg(feature = "component")]
mod context;
#[cfg(feature = "component")]
pub mod exit;
#[cfg(feature = "component")]
#[doc(hidden)]
pub mod export;
#[cfg(feature = "component")]
mod hook;
#[cfg(feature = "component")]
pub mod log;
#[cfg(feature = "pattern")]
pub mod pattern;
pub mod settings;

#[cfg(feature = "component")]
pub use bindings::spawn::spawnhook::hook::types::{ExitStatus, Refusal, SpawnContext};
#[cfg(feature = "component")]
pub use hook::{AuditHook, SpawnHook};
pub use settings::Settings;
