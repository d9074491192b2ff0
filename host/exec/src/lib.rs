//! The native half of spawnhook: spawns a command, stops it, keeps its output bounded.
//!
//! A [`Backend`] runs one command to its end. What the command writes comes over a channel while
//! it runs; how it ended comes last. The channel is bounded, so somebody has to take from it: a
//! caller that first awaits the end and then looks at the output would hold up a command that
//! writes more than the channel holds. Do both at once:
//!
//! ```
//! use spawnhook_exec::{
//!     Backend, Canceller, Collector, Cwd, DEFAULT_STOP_GRACE, Invocation, Leftovers, LocalBackend,
//!     Rlimits, Spawn, Spawner, Stdin, Streams, Wires,
//! };
//! use spawnhook_model::{Chunk, Ending, Env, OutputLimits};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Before there are threads.
//! let spawner = Spawner::fork(std::env::current_exe()?)?;
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let spawn = Spawn {
//!     command: "echo hello; exit 3".to_owned(),
//!     invocation: Invocation::default(),
//!     cwd: Cwd::open("/".as_ref(), None)?,
//!     env: Env::from_iter([("PATH", "/usr/bin:/bin")]),
//!     stdin: Stdin::Null,
//!     streams: Streams::Merged,
//!     timeout: None,
//!     stop_grace: DEFAULT_STOP_GRACE,
//!     leftovers: Leftovers::default(),
//!     rlimits: Rlimits::default(),
//! };
//! let (_canceller, cancel) = Canceller::new();
//! let (output, mut chunks) = tokio::sync::mpsc::channel::<Chunk>(16);
//!
//! let mut collector = Collector::new(OutputLimits::default(), None);
//! let collect = async {
//!     while let Some(chunk) = chunks.recv().await {
//!         collector.write(chunk.stream(), &chunk);
//!     }
//! };
//! let backend = LocalBackend::new(spawner, None, None);
//! let (ran, ()) = tokio::join!(backend.run(spawn, Wires { output, cancel }), collect);
//!
//! assert_eq!(ran?.ending, Ending::Exited(3));
//! assert_eq!(collector.finish().0.text, "hello\n");
//! # Ok(())
//! # })
//! # }
//! ```
//!
//! A command ends when it ends, when its time limit is reached, or when it is cancelled. The last
//! two kill first and report second: once [`Backend::run`] has returned, no process that the
//! command has started runs any more, whatever it did to detach itself.
//!
//! ```
//! # use spawnhook_exec::{
//! #     Backend, Canceller, Cwd, Leftovers, LocalBackend, Rlimits, Spawn, Spawner, Stdin, Wires,
//! # };
//! # use spawnhook_model::{Ending, Env};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let spawner = Spawner::fork(std::env::current_exe()?)?;
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! # let spawn = Spawn {
//! #     command: "echo started; sleep 1000".to_owned(),
//! #     invocation: Default::default(),
//! #     cwd: Cwd::open("/".as_ref(), None)?,
//! #     env: Env::from_iter([("PATH", "/usr/bin:/bin")]),
//! #     stdin: Stdin::Null,
//! #     streams: Default::default(),
//! #     timeout: None,
//! #     stop_grace: spawnhook_exec::DEFAULT_STOP_GRACE,
//! #     leftovers: Leftovers::default(),
//! #     rlimits: Rlimits::default(),
//! # };
//! let (canceller, cancel) = Canceller::new();
//! let (output, mut chunks) = tokio::sync::mpsc::channel(16);
//! let stop = async {
//!     let first = chunks.recv().await;
//!     canceller.cancel();
//!     first
//! };
//! let backend = LocalBackend::new(spawner, None, None);
//! let (ran, first) = tokio::join!(backend.run(spawn, Wires { output, cancel }), stop);
//!
//! assert_eq!(first.as_deref(), Some(&b"started\n"[..]));
//! assert_eq!(ran?.ending, Ending::Cancelled { shell: None });
//! # Ok(())
//! # })
//! # }
//! ```

#[cfg(not(target_os = "linux"))]
compile_error!("spawnhook runs on Linux only: it needs pidfds, close_range and /proc");

mod backend;
mod cancel;
mod cwd;
#[cfg(any(test, feature = "fuzzing"))]
#[doc(hidden)]
pub mod fuzzing;
mod lifecycle;
mod local;
mod output;
mod parent;
mod restricted;
mod shell;
mod spawn;
mod spawner;
mod sys;

pub use backend::{Backend, BoxFuture, Ran, Wires};
pub use cancel::{Cancel, Canceller};
pub use cwd::{Cwd, CwdError};
pub use local::{LaterOutput, LocalBackend};
pub use output::{
    Cleaner, Collector, DEFAULT_SPILL_QUOTA, OpenFile, SpillOptions, Text, truncate_head,
    truncate_tail, visible,
};
pub use parent::Parent;
pub use restricted::Restricted;
pub use shell::{Invocation, Shell, ShellSearch};
pub use spawn::{DEFAULT_STOP_GRACE, Leftovers, Rlimits, Spawn, SpawnError, Stdin, Streams};
pub use spawner::{Spawner, SpawnerError};
pub use sys::random::random_u64;
pub use sys::signal_name::signal_name;
pub use sys::signals::end_by_signal;
