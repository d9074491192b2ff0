//! The part of a hook that may fail: it reads what the agent says and has the hooks decide.

use std::io::{self, Read as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use spawnhook::request::MAX_COMMAND_BYTES;
use spawnhook::{Host, Via};
use spawnhook_exec::visible;

use super::HookOptions;
use super::decide::Decider;
use super::dialect::{Agent, Answer, Input, Reply, ShellCall};
use super::tickets::Tickets;
use crate::cli::{ambient, exit, host, stream};

/// The most that is read: the longest command with each byte escaped as `\u0000`, and as much again
/// for what stands beside it.
const MOST_INPUT_BYTES: usize = 7 * MAX_COMMAND_BYTES;

pub(super) fn main(agent: Agent, options: &HookOptions) -> ExitCode {
    let reply = match reply(agent, options) {
        Ok(reply) => reply,
        Err(error) => agent.denial(&refusal(&exit::one_line(&error))),
    };
    match stream::json_line(&reply) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(exit::FAILED),
    }
}

fn refusal(problem: &str) -> String {
    format!("Command not run: {}", visible(problem))
}

fn reply(agent: Agent, options: &HookOptions) -> anyhow::Result<Reply> {
    let input = read_input(&mut io::stdin().lock())?;
    let call = match agent.parse(&input)? {
        Input::Shell(call) => call,
        Input::NotOurs => return Ok(Reply::default()),
    };
    let answer = match answer(agent, options, &call) {
        Ok(answer) => answer,
        Err(error) => Answer::deny(&refusal(&exit::one_line(&error))),
    };
    Ok(Reply::of(call.event.document(&answer), &answer))
}

/// All of it is taken, so that the agent never writes to nobody; what is too much is not kept.
fn read_input(input: &mut impl io::Read) -> anyhow::Result<Vec<u8>> {
    let most = MOST_INPUT_BYTES as u64 + 1;
    let mut kept = Vec::new();
    let read = input.take(most).read_to_end(&mut kept);
    read.context("cannot read the agent's input")?;
    if kept.len() > MOST_INPUT_BYTES {
        io::copy(input, &mut io::sink()).ok();
        anyhow::bail!("the input has more than {MOST_INPUT_BYTES} bytes, which no command needs");
    }
    Ok(kept)
}

fn answer(agent: Agent, options: &HookOptions, call: &ShellCall) -> anyhow::Result<Answer> {
    let start_directory = start_directory(agent, call)?;
    let cwd = match &call.cwd {
        Some(cwd) => start_directory.join(cwd),
        None => start_directory.clone(),
    };
    let host = host(options, start_directory.clone())?;
    let runtime = host::runtime_for_one()?;
    let tickets = Tickets {
        agent,
        options,
        directory: ambient::ticket_directory()?,
        start_directory,
        cwd: cwd.clone(),
        longest: host.config().limits.max_timeout.seconds(),
    };
    let decider = Decider {
        agent,
        options,
        host: &host,
        cwd,
        tickets,
    };
    runtime.block_on(decider.decide(call))
}

fn host(options: &HookOptions, start_directory: PathBuf) -> anyhow::Result<Host> {
    let engine = ambient::engine_for_one()?;
    let nowhere = || Ok(Via::Nowhere);
    let builder = host::builder_from(&options.host, engine, start_directory, nowhere)?;
    Ok(builder.build()?)
}

/// What the deployment takes for the workspace if it names none: what the agent says is, else
/// where it has started this process.
fn start_directory(agent: Agent, call: &ShellCall) -> anyhow::Result<PathBuf> {
    let current = ambient::current_directory()?;
    let environment = ambient::environment();
    let variable = agent.workspace_variable();
    let told = variable.and_then(|name| environment.get(name).map(PathBuf::from));
    let workspace = call.workspace.clone().or(told);
    Ok(workspace.map_or(current.clone(), |workspace| current.join(workspace)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_taken_to_its_end_and_too_much_of_it_is_an_error() {
        let mut most = io::repeat(b'x').take(MOST_INPUT_BYTES as u64);
        assert_eq!(read_input(&mut most).unwrap().len(), MOST_INPUT_BYTES);
        let mut more = io::repeat(b'x').take(10 * 1024 * 1024);
        let error = read_input(&mut more).unwrap_err().to_string();
        assert_eq!(
            error,
            "the input has more than 7340032 bytes, which no command needs"
        );
        assert_eq!(more.limit(), 0, "nothing is left for the agent to write");
    }
}
