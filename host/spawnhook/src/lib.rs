//! Runs shell commands for AI coding agents, and passes every command through hooks that are
//! sandboxed WebAssembly components.
//!
//! # One command
//!
//! An agent wants a command run, wants to know how it ended, and wants nothing left running. A
//! [`Host`] does that. It is built once, from the [`Config`](config::Config) of a deployment, which
//! loads every hook or fails; then it starts any number of [`ExecRequest`]s.
//!
//! ```
//! use spawnhook::config::{Config, Sources};
//! use spawnhook::exec::Spawner;
//! use spawnhook::model::{Ending, Env, Origin};
//! use spawnhook::{ExecRequest, Host, Via, message};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let (workspace, state) = (folder.path(), folder.path().join("state"));
//! // Before there are threads.
//! let spawner = Spawner::fork(std::env::current_exe()?)?;
//!
//! let config = Config::built_in(&Sources::none(workspace, state));
//! let environment = Env::from_iter([("PATH", "/usr/bin:/bin")]);
//! let host = Host::builder(config, environment, Via::Shell(spawner)).build()?;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let execution = host.start(ExecRequest::new("echo hello; exit 3", Origin::Rpc))?;
//! let outcome = execution.outcome().await?;
//!
//! assert_eq!(outcome.ending, Ending::Exited(3));
//! assert_eq!(message::message(&outcome), "hello\n\n\nCommand exited with code 3");
//! # Ok(())
//! # })
//! # }
//! ```
//!
//! What happens in between is the same for every caller. The request is checked, so that no hook
//! sees one that could not run. It gets its environment, of which the deployment says what is let
//! through, and its prefix. Hooks of stage `rewrite` may change it, hooks of stage `guard` may
//! refuse it or have a person asked ([`Ask`]), hooks of stage `audit` record it, and only when the
//! record is written is it spawned. It ends in exactly one [`Outcome`](model::Outcome) and one more record,
//! whatever happens. A command that fails, runs into its time limit or is denied is such an outcome
//! and no error; errors are requests that could not run ([`RequestError`]) and deployments that could
//! not be loaded ([`BuildError`](deployment::BuildError)).
//!
//! # While it runs
//!
//! An [`Execution`] is a command on its way. [`Execution::next_event`] tells that it was started,
//! and with which text; what it writes; and how it ended. Somebody has to take the events, or the
//! command waits once the buffers are full, as it would for any slow reader. A
//! [`Canceller`](exec::Canceller) ends it from anywhere, and dropping the execution does too: when
//! the outcome is there, no process that it started runs any more, however it has detached itself.
//! What a command that ends by itself leaves behind is [named](model::Outcome::leftovers), and
//! treated as the [request](ExecRequest::leftovers) says. `examples/run_and_cancel.rs` does all of
//! this.
//!
//! # Hooks of your own
//!
//! Hooks are components so that nobody has to trust them. Whoever builds a host trusts himself, and
//! may put a function into the chain with [`HostBuilder::rewrite`] and [`HostBuilder::guard`]. It
//! stands behind the components of its stage, and is held to its stage as they are. A hook with a
//! state of its own is a [`SpawnHook`], as in `examples/own_hook.rs`.
//!
//! ```
//! # use spawnhook::config::{Config, Sources};
//! # use spawnhook::exec::Spawner;
//! # use spawnhook::model::{Env, Origin};
//! use spawnhook::model::{Call, Refusal, SpawnContext};
//! # use spawnhook::{ExecRequest, Host, Via};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let config = Config::built_in(&Sources::none(folder.path(), folder.path().join("state")));
//! # let spawner = Spawner::fork(std::env::current_exe()?)?;
//! # let builder = Host::builder(config, Env::new(), Via::Shell(spawner));
//! let host = builder
//!     .guard("no-push", |_: &Call, spawn: SpawnContext| {
//!         if spawn.command.contains("git push") {
//!             return Err(Refusal::Deny("pushing is for people".to_owned()));
//!         }
//!         Ok(spawn)
//!     })
//!     .build()?;
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let outcome = host.start(ExecRequest::new("git push", Origin::Rpc))?.outcome().await?;
//! assert_eq!(outcome.ending.name(), "denied");
//! # Ok(())
//! # })
//! # }
//! ```
//!
//! # Somewhere else
//!
//! Where commands run is a [`Backend`](exec::Backend): by default the shell of this machine
//! ([`Via::Shell`]), through a process that forks them in this one's place. A container or another
//! machine is a backend of your own ([`Via::Backend`]); hooks, limits of output and the audit log
//! stay what they are. `examples/own_backend.rs` is one; [`Restricted`](exec::Restricted) narrows any.
//!
//! # What the library leaves to you
//!
//! It reads no environment, no home directory and no terminal, because it also works in servers.
//! What it needs of them is handed over: [`Sources`](config::Sources) names the files of a config,
//! [`Host::builder`] takes the environment that commands inherit. Servers keep what runs by their
//! clients' names for it in [`calls`], tell it in the shapes of [`wire`], and let models read
//! [`message`](mod@message). [`audit`] reads the log again, and [`authoring`] has what authors of
//! hooks test and measure them with.

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
pub mod wrapping;

#[doc(no_inline)]
pub use {spawnhook_exec as exec, spawnhook_hooks as hooks, spawnhook_model as model};

pub use spawnhook_hooks::SpawnHook;

pub use ask::{Answer, Ask, Question};
pub use execution::{Execution, RunError};
pub use host::{Host, HostBuilder, Via};
pub use pipeline::Review;
pub use request::{ExecRequest, RequestError};

/// The examples, which are run with the other tests of the documentation.
#[cfg(doctest)]
mod examples {
    #[doc = concat!("```\n", include_str!("../examples/run_and_cancel.rs"), "\n```")]
    struct RunAndCancel;

    #[doc = concat!("```\n", include_str!("../examples/own_hook.rs"), "\n```")]
    struct OwnHook;

    #[doc = concat!("```\n", include_str!("../examples/own_backend.rs"), "\n```")]
    struct OwnBackend;
}
