//! Runs shell commands for AI coding agents, and passes every command through hooks that are
//! sandboxed WebAssembly components.
//!
//! A [`Host`] is built once from a [`Config`](config::Config): that loads every hook, or fails. It
//! then starts any number of [`ExecRequest`]s. Each is checked, given its environment and its
//! prefix, passed through the hooks, recorded, spawned, and recorded again; it ends in exactly one
//! [`Outcome`](spawnhook_model::Outcome), whatever happens.
//!
//! ```no_run
//! use spawnhook::config::{Config, Sources};
//! use spawnhook::{ExecRequest, Host, Via};
//! use spawnhook_exec::Spawner;
//! use spawnhook_model::{Env, Origin};
//!
//! # async fn example(sources: Sources, environment: Env) -> Result<(), Box<dyn std::error::Error>> {
//! let via = Via::Shell(Spawner::launch("/usr/bin/spawnhook")?);
//! let host = Host::builder(Config::load(&sources)?, environment, via).build()?;
//! let execution = host.start(ExecRequest::new("cargo test", Origin::Rpc))?;
//! let canceller = execution.canceller(); // from anywhere, at any time
//! let outcome = execution.outcome().await?;
//! println!("{}", spawnhook::message::message(&outcome));
//! # Ok(())
//! # }
//! ```
//!
//! The library reads no environment, no home directory and no terminal. What it needs of them the
//! front end hands over.

#![forbid(unsafe_code)]

mod accept;
mod ask;
pub mod audit;
pub mod authoring;
pub mod builtin;
pub mod calls;
mod causes;
pub mod compiler;
pub mod config;
pub mod deployment;
mod difference;
pub mod env_policy;
mod execution;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod host;
pub mod message;
mod pipeline;
pub mod policy;
mod pump;
pub mod request;
pub mod session_file;
pub mod ticket;
pub mod wire;

pub use ask::{Answer, Ask, Question};
pub use execution::{Execution, RunError};
pub use host::{Host, HostBuilder, Via};
pub use pipeline::Review;
pub use request::{ExecRequest, RequestError};
