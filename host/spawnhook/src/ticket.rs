//! Tickets: how a command goes on in another process. The first has run the rewrite hooks and the
//! guards and writes down what came of it; the second runs guards and audit hooks and spawns.
//!
//! A ticket is a private file that is good once and for a minute. It is named for the digest of
//! what is in it, so that whoever agrees to a command line with this name agrees to exactly one
//! command, directory, environment and agent.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use spawnhook_model::{HookReport, Session, SpawnContext};

mod contents;
mod error;
mod store;

pub use error::TicketError;
pub use store::{find, issue, peek, redeem};

/// How long a ticket is good.
pub const GOOD_FOR: Duration = Duration::from_secs(60);

/// What a process of a deployment has settled about a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// The id of the call.
    pub call: String,
    /// The command as it was asked for.
    pub requested: String,
    /// The operator's prefix, as it stood at the head of the command before every hook.
    pub prefix: String,
    /// The command after the last rewrite hook.
    pub spawn: SpawnContext,
    /// What the rewrite hooks did.
    pub reports: Vec<HookReport>,
    /// The guards that wanted a person asked, and their questions.
    pub questions: Vec<(String, String)>,
}

/// What is written down.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticket {
    /// The agent that the command comes from.
    pub agent: String,
    /// The directory that the agent is going to run it in; an absolute path.
    pub cwd: PathBuf,
    /// What was settled.
    pub settled: Settled,
    /// The time limit in seconds; the deployment's default if there is none.
    pub timeout: Option<f64>,
    /// What is known of the agent's session.
    pub session: Session,
    /// The deployment, so that the second process has the hooks of the first.
    pub deployment: DeploymentNames,
}

/// What a host was built of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeploymentNames {
    /// Where the workspace is, if the config does not say; an absolute path.
    pub start_directory: PathBuf,
    /// The config file in place of the user's own; an absolute path.
    pub config: Option<PathBuf>,
    /// Hooks besides those of the config, each `STAGE:FILE`.
    pub hooks: Vec<OsString>,
}

#[cfg(test)]
mod tests;
