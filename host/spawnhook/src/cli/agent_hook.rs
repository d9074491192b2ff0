//! As the hook of an agent: what the deployment's hooks say about a command goes back in the
//! agent's own dialect.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use spawnhook_model::Timeout;

use super::args::HostArguments;
use super::stream;

mod carry;
mod decide;
mod dialect;
mod own_process;
mod setup;
mod supervise;
mod tickets;
mod worker;

use dialect::{Agent, Reply};

pub(crate) use dialect::DENIES;

#[derive(Debug, Subcommand)]
pub(crate) enum AgentHookCommand {
    /// Answer a hook of Claude Code
    #[command(after_help = HOOK_HELP)]
    Claude(HookArguments),
    /// Answer a hook of Codex CLI
    #[command(after_help = HOOK_HELP)]
    Codex(HookArguments),
    /// Answer a hook of Gemini CLI
    #[command(after_help = HOOK_HELP)]
    Gemini(HookArguments),
    /// Answer a hook of Cursor
    #[command(after_help = HOOK_HELP)]
    Cursor(HookArguments),
    /// Answer a hook of GitHub Copilot CLI
    #[command(after_help = HOOK_HELP)]
    Copilot(HookArguments),
    /// Put it into the settings of an agent, and prove that it works
    Install(setup::InstallArguments),
    /// Take it out again
    Uninstall(setup::UninstallArguments),
    /// Say whether it is in the settings of an agent, and works
    #[command(after_help = STATUS_HELP)]
    Status(setup::StatusArguments),
}

const STATUS_HELP: &str = "\
Exit codes: 0 it is there and works; 1 it is not there; 125 it is there and does not work.";

const HOOK_HELP: &str = "\
Reads the agent's JSON on standard input, runs rewrite hooks and guards, and answers in time and in
the agent's dialect. Whatever goes wrong is a denial.";

/// How a hook of an agent answers.
#[derive(Clone, Debug, Args)]
pub(crate) struct HookArguments {
    #[command(flatten)]
    pub(crate) options: HookOptions,
    /// The part that may fail; it reports to the part that may not
    #[arg(long, hide = true)]
    worker: bool,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct HookOptions {
    /// Have the agent run the command by `spawnhook run`, so that limits, environment and audit hold
    #[arg(long)]
    pub(crate) own_process: bool,
    /// Answer for the user: what no hook objects to runs without the agent's asking
    #[arg(long)]
    pub(crate) approve: bool,
    /// Seconds within which there is an answer, at worst a denial
    #[arg(long, value_name = "SECONDS", default_value = supervise::WITHIN, value_parser = seconds)]
    pub(crate) within: Timeout,
    #[command(flatten)]
    pub(crate) host: HostArguments,
}

fn seconds(text: &str) -> Result<Timeout, String> {
    let seconds = text.parse().map_err(|_| "expected a number".to_owned())?;
    Timeout::from_seconds(seconds).map_err(|error| error.to_string())
}

pub(crate) fn main(command: AgentHookCommand) -> ExitCode {
    match command {
        AgentHookCommand::Claude(arguments) => hook(Agent::Claude, &arguments),
        AgentHookCommand::Codex(arguments) => hook(Agent::Codex, &arguments),
        AgentHookCommand::Gemini(arguments) => hook(Agent::Gemini, &arguments),
        AgentHookCommand::Cursor(arguments) => hook(Agent::Cursor, &arguments),
        AgentHookCommand::Copilot(arguments) => hook(Agent::Copilot, &arguments),
        AgentHookCommand::Install(arguments) => setup::install(arguments),
        AgentHookCommand::Uninstall(arguments) => setup::uninstall(&arguments),
        AgentHookCommand::Status(arguments) => setup::status(&arguments),
    }
}

fn hook(agent: Agent, arguments: &HookArguments) -> ExitCode {
    if arguments.worker {
        return worker::main(agent, &arguments.options);
    }
    print(&supervise::reply(agent, arguments.options.within))
}

fn print(reply: &Reply) -> ExitCode {
    stream::to_stderr(&reply.stderr);
    match stream::write_stdout(reply.stdout.as_bytes()) {
        Ok(()) => ExitCode::from(reply.code),
        // half a document is no answer
        Err(_) => ExitCode::from(DENIES),
    }
}
