use std::future::Future;
use std::pin::Pin;

use spawnhook_model::{Chunk, Ending, Leftover};
use tokio::sync::mpsc;

use crate::{Cancel, LaterOutput, Spawn, SpawnError};

/// A future that a trait object can return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What connects a running command with its caller.
#[derive(Debug)]
pub struct Wires {
    /// Takes every byte that the command writes, those of one stream in order. The channel's
    /// capacity is the back-pressure that reaches the command. If the receiver is gone the output
    /// is read and dropped.
    pub output: mpsc::Sender<Chunk>,
    /// Stops the command.
    pub cancel: Cancel,
}

/// Something that can run commands.
pub trait Backend: Send + Sync + 'static {
    /// Runs a command to its end. A receiver of the output that takes nothing holds up the
    /// command, but neither its time limit nor its cancellation. Timeout and cancel kill first and
    /// report second. Dropping the future kills the command.
    ///
    /// # Errors
    ///
    /// If the command could not be started, or was lost. What it did once it ran is no error but
    /// an [`Ending`].
    fn run<'a>(&'a self, spawn: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>>;
}

/// What became of a command that was started, or cancelled before that.
#[derive(Debug)]
pub struct Ran {
    /// One of [`Ending::Exited`], [`Ending::Signaled`], [`Ending::TimedOut`],
    /// [`Ending::Cancelled`].
    pub ending: Ending,
    /// The processes that the command has left in its session, if it ended by itself: those that
    /// are in its group or hold its output, and what else is in their session.
    pub leftovers: Vec<Leftover>,
    /// What these write from now on, if they have an output of the command open. Whoever shows the
    /// output should say that there will be more.
    pub later: Option<LaterOutput>,
    /// What the caller should know besides, one sentence each.
    pub notices: Vec<String>,
}
