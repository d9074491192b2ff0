//! The tickets of one call: from one event of an agent to its next, or to the process that it starts.

use std::path::PathBuf;

use spawnhook::Review;
use spawnhook::request::ExecRequest;
use spawnhook::ticket::{self, DeploymentNames, Ticket, TicketError};

use super::decide::told;
use super::dialect::{Agent, ShellCall};
use super::{HookOptions, own_process};

pub(super) struct Tickets<'a> {
    pub(super) agent: Agent,
    pub(super) options: &'a HookOptions,
    /// Where they are.
    pub(super) directory: PathBuf,
    /// What the host was started with as its current directory.
    pub(super) start_directory: PathBuf,
    /// Where the agent wants to run the command.
    pub(super) cwd: PathBuf,
    /// The time limit in seconds of a command for which the agent sets none.
    pub(super) longest: f64,
}

impl Tickets<'_> {
    /// Whether a command names them, as a model does that repeats what it was not allowed to run.
    pub(super) fn are_named_by(&self, command: &str) -> bool {
        command.contains(&*self.directory.to_string_lossy())
    }

    /// Gives a request the ticket that an earlier event has issued for its command, if one has.
    pub(super) fn redeem_for(&self, request: &mut ExecRequest) {
        let (name, command) = (self.agent.name(), &request.command);
        let path = ticket::find(&self.directory, name, command, &self.cwd);
        let ticket = path.map(|path| ticket::redeem(&path, command, &self.cwd));
        request.ticket = ticket.map(|ticket| Ok(Box::new(ticket?.settled)));
    }

    /// Whether the ticket that a line names is good for the rest of it; none if it names none.
    pub(super) fn check(&self, line: &str) -> Option<Result<(), TicketError>> {
        let (path, command) = own_process::parse(line)?;
        Some(ticket::peek(&path, &command, &self.cwd).map(drop))
    }

    /// Issues one to the next event, which sees the changed command and directory.
    pub(super) fn pass_on(&self, call: &ShellCall, review: Review) -> anyhow::Result<()> {
        let cwd = review.spawn().cwd.clone();
        ticket::issue(&self.directory, &self.ticket(call, cwd, review)?)?;
        Ok(())
    }

    /// Issues one to a process of ours, and returns the line that starts it.
    pub(super) fn line(&self, call: &ShellCall, review: Review) -> anyhow::Result<String> {
        let ticket = self.ticket(call, self.cwd.clone(), review)?;
        let path = ticket::issue(&self.directory, &ticket)?;
        own_process::line(&path, &ticket.settled.spawn.command)
    }

    fn ticket(&self, call: &ShellCall, cwd: PathBuf, review: Review) -> anyhow::Result<Ticket> {
        let settled = review.settle();
        Ok(Ticket {
            agent: self.agent.name().to_owned(),
            cwd,
            settled: settled.map_err(|ending| anyhow::anyhow!(told(&ending)))?,
            timeout: Some(call.timeout.unwrap_or(self.longest)),
            session: call.session.clone(),
            deployment: DeploymentNames {
                start_directory: self.start_directory.clone(),
                config: own_process::absolute(self.options.host.config.path.as_deref())?,
                hooks: own_process::absolute_hooks(&self.options.host.hook)?,
            },
        })
    }
}
