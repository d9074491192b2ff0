//! The command line: from arguments to an exit code. Here and nowhere else the process's
//! environment, its home and its terminal are read, and its streams written.

use std::ffi::OsString;
use std::process::ExitCode;

use spawnhook::compiler::{self, COMPILE_ARGUMENT};

mod agent_hook;
mod ambient;
mod args;
mod ask;
mod audit;
mod config;
mod context;
mod exit;
mod fields;
mod host;
mod lines;
mod mcp;
mod pieces;
mod plugin;
mod policy;
mod rpc;
mod run;
mod server;
mod shell;
mod stream;
mod terminal;

use args::Command;

pub(crate) fn main(arguments: Vec<OsString>) -> ExitCode {
    if arguments
        .get(1)
        .is_some_and(|first| first == COMPILE_ARGUMENT)
    {
        let served = compiler::serve(arguments.into_iter().skip(2));
        return exit::report(served.map_err(anyhow::Error::from));
    }
    if let Some(code) = shell::main(&arguments) {
        return code;
    }
    let wants_object = args::asks_for_object(&arguments);
    let is_hook = args::is_hook(&arguments);
    let parsed = match args::parse(arguments) {
        Ok(parsed) => parsed,
        // whatever else a hook exits with, there are agents that let the command run
        Err(error) if is_hook && error.use_stderr() => {
            exit::usage(&error, wants_object);
            return ExitCode::from(agent_hook::DENIES);
        }
        Err(error) => return exit::usage(&error, wants_object),
    };
    match parsed.command {
        Command::Run(run) => run::main(run),
        Command::Rpc(rpc) => rpc::main(rpc),
        Command::Mcp(mcp) => mcp::main(mcp),
        Command::AgentHook(hook) => agent_hook::main(hook),
        Command::Context(context) => exit::report(context::main(&context)),
        Command::Config(config) => exit::report(config::main(config)),
        Command::Audit(audit) => audit::main(audit),
        Command::Plugin(plugin) => plugin::main(plugin),
        Command::Policy(policy) => policy::main(policy),
    }
}
