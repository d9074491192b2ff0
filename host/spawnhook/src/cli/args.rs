use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use spawnhook_exec::{Leftovers, Streams, Text};

use super::agent_hook::AgentHookCommand;
use super::audit::AuditCommand;
use super::plugin::PluginCommand;
use super::policy::PolicyCommand;

mod parse;

pub(crate) use parse::{asks_for_object, is_hook, parse};

/// Runs shell commands for AI coding agents, through sandboxed WebAssembly hooks.
#[derive(Debug, Parser)]
#[command(name = "spawnhook", version, about, max_term_width = 100, after_help = SHELL_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run one command through the hooks of the deployment
    #[command(after_help = RUN_HELP)]
    Run(RunArguments),
    /// Serve agents: JSON Lines on standard input and output
    Rpc(RpcArguments),
    /// Serve agents: the Model Context Protocol on standard input and output
    Mcp(McpArguments),
    /// Be the hook of an agent
    #[command(subcommand)]
    AgentHook(AgentHookCommand),
    /// Print what a model is to be told of the commands in a session file
    Context(ContextArguments),
    /// Check or show the config of the deployment
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Prove, read and draw the audit log
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Write, test and measure hooks
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Ask the policies of the deployment
    #[command(subcommand)]
    Policy(PolicyCommand),
}

const SHELL_HELP: &str = "\
As a shell: spawnhook [OPTIONS OF BASH] -c COMMAND [NAME [PARAMETER]...]. Through a link named
spawnhook-sh, bash or sh it takes script files as well, and scripts on standard input.";

const RUN_HELP: &str = "\
Exit codes: the command's own (128 + N if signal N killed it); 124 timed out; 125 spawnhook itself
failed (usage, config, a hook failed, the command could not be started); 126 denied; 130 cancelled.

Without --json and --events, what the command writes goes to stdout as it comes, both its streams
in order, and what spawnhook has to say goes to stderr. With --streams separate, what the command
writes to stderr goes there too. A terminal on stderr also gets a line that tells the time while
the command runs, and one that sums up when it has ended.";

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Time limit in seconds; fractions are allowed [default: the deployment's]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) timeout: Option<f64>,
    /// Working directory [default: the current one]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) cwd: Option<PathBuf>,
    /// Set a variable for the command; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<OsString>,
    /// Print exactly one JSON object, whatever happens
    #[arg(long, conflicts_with = "events")]
    pub(crate) json: bool,
    /// Print JSON Lines while the command runs: started, output, finished
    #[arg(long)]
    pub(crate) events: bool,
    /// On a terminal, leave only the last rows of the output, with a count of the others
    #[arg(long, conflicts_with_all = ["json", "events"])]
    pub(crate) fold: bool,
    /// What becomes of processes that the command leaves [default: keep]
    #[arg(long, value_name = "POLICY")]
    pub(crate) leftovers: Option<LeftoversPolicy>,
    /// Give the command one pipe for both its outputs, which keeps their order, or one each
    #[arg(long, value_name = "HOW", default_value = "merged")]
    pub(crate) streams: StreamsChoice,
    /// What becomes of control characters in the text of --json and --events
    #[arg(long, value_name = "POLICY", default_value = "clean")]
    pub(crate) text: TextChoice,
    /// End the command when the process that started spawnhook ends, however that ends
    #[arg(long)]
    pub(crate) die_with_parent: bool,
    /// State a fact of the session: id, file, provider, model, reasoning-level
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) session: Vec<String>,
    /// Go on with a command that `agent-hook --own-process` has begun; what else there is to say of it
    /// was said then
    #[arg(long, value_name = "FILE", conflicts_with_all = ["timeout", "cwd", "env", "session", "hook", "path"])]
    pub(crate) ticket: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) host: HostArguments,
    /// The command: one argument is shell text, several are quoted words
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
    pub(crate) words: Vec<OsString>,
}

/// The policies as the command line has them.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LeftoversPolicy {
    /// They end with the command
    Kill,
    /// They end with spawnhook
    Session,
    /// They live on
    Keep,
}

impl From<LeftoversPolicy> for Leftovers {
    fn from(policy: LeftoversPolicy) -> Self {
        match policy {
            LeftoversPolicy::Kill => Self::Kill,
            LeftoversPolicy::Session => Self::Session,
            LeftoversPolicy::Keep => Self::Keep,
        }
    }
}

/// What becomes of the outputs, as the command line has it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StreamsChoice {
    /// Both in one, in their true order
    Merged,
    /// Each by itself: stderr goes to stderr
    Separate,
}

impl From<StreamsChoice> for Streams {
    fn from(choice: StreamsChoice) -> Self {
        match choice {
            StreamsChoice::Merged => Self::Merged,
            StreamsChoice::Separate => Self::Separate,
        }
    }
}

/// The policies for text as the command line has them.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TextChoice {
    /// As a person would see it on a terminal in the end, without control characters
    Clean,
    /// As it was written
    Raw,
}

impl From<TextChoice> for Text {
    fn from(choice: TextChoice) -> Self {
        match choice {
            TextChoice::Clean => Self::Clean,
            TextChoice::Raw => Self::Raw,
        }
    }
}

/// What a host is made of.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct HostArguments {
    /// Add a hook to a stage (rewrite, guard, audit); may be given more than once
    #[arg(long, value_name = "STAGE:FILE")]
    pub(crate) hook: Vec<OsString>,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
}

#[derive(Debug, Args)]
pub(crate) struct RpcArguments {
    /// Working directory to start with [default: the current one]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) cwd: Option<PathBuf>,
    /// Append every command that ran to this file, for `spawnhook context`
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) host: HostArguments,
}

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    /// Working directory of commands that name none [default: the current one]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) cwd: Option<PathBuf>,
    /// Seconds after which a call that is still running is answered with a handle
    #[arg(long, value_name = "SECONDS", default_value = "50")]
    pub(crate) patience: f64,
    #[command(flatten)]
    pub(crate) host: HostArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ContextArguments {
    /// The file that `spawnhook rpc --session FILE` wrote
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ConfigFile {
    /// Config file to use in place of the user's own
    #[arg(long = "config", value_name = "FILE")]
    pub(crate) path: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Load the config and every hook, and say whether a command could run
    Check(ConfigFile),
    /// Print the effective config, with where each value came from
    Show(ConfigFile),
}
