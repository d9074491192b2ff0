//! For operators: what their policies say.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use spawnhook::config::CwdPolicy;
use spawnhook::policy::{self, Answer, Inquiry};
use spawnhook_model::Origin;
use spawnhook_policy::Verdict;

use super::ambient;
use super::args::ConfigFile;
use super::exit::{self, DENIED};
use super::{run, stream};

/// A person would have to agree.
const ASKED: u8 = 1;

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Say what the policies would decide about a command, and why, without running it
    #[command(after_help = EXPLAIN_HELP)]
    Explain(ExplainArguments),
}

const EXPLAIN_HELP: &str = "\
Judges by every hook of the config whose component is builtin:command-policy, or by its default
policy if there is none. Hooks that rewrite commands are not run.

Exit codes: 0 allowed; 1 a person would be asked; 126 denied; 125 spawnhook itself failed.";

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    config: ConfigFile,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Where the command would come from: cli, rpc, mcp, shell or agent:NAME
    #[arg(long, value_name = "ORIGIN", default_value = "cli", value_parser = origin)]
    origin: Origin,
    /// Working directory [default: the current one]
    #[arg(long, value_name = "DIRECTORY")]
    cwd: Option<PathBuf>,
    /// The command: one argument is shell text, several are quoted words
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
    words: Vec<OsString>,
}

pub(crate) fn main(command: PolicyCommand) -> ExitCode {
    let PolicyCommand::Explain(arguments) = command;
    let json = arguments.json;
    match explain(arguments) {
        Err(error) => exit::report(Err(error)),
        Ok(answer) => {
            if json {
                drop(stream::json_line(&answer));
            } else {
                stream::to_stdout(&answer.to_string());
            }
            match answer.verdict {
                Verdict::Allow => ExitCode::SUCCESS,
                Verdict::Ask => ExitCode::from(ASKED),
                Verdict::Deny => ExitCode::from(DENIED),
            }
        }
    }
}

fn explain(arguments: ExplainArguments) -> anyhow::Result<Answer> {
    let config = ambient::config(&arguments.config)?;
    let current = std::env::current_dir()?;
    let cwd = match (config.workspace.cwd, arguments.cwd) {
        (CwdPolicy::Fixed, _) => config.workspace.root.clone(),
        (CwdPolicy::Request, Some(named)) => current.join(named),
        (CwdPolicy::Request, None) => current,
    };
    let inquiry = Inquiry {
        command: run::command(arguments.words)?,
        origin: arguments.origin,
        cwd: cwd.to_string_lossy().into_owned(),
    };
    Ok(policy::explain(&config, &inquiry)?)
}

fn origin(text: &str) -> Result<Origin, String> {
    Ok(match text {
        "cli" => Origin::Cli,
        "rpc" => Origin::Rpc,
        "mcp" => Origin::Mcp,
        "shell" => Origin::Shell,
        _ => match text.strip_prefix("agent:") {
            Some(name) if !name.is_empty() => Origin::Agent(name.to_owned()),
            _ => return Err("the origins are cli, rpc, mcp, shell, agent:NAME".to_owned()),
        },
    })
}
