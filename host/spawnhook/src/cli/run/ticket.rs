//! A run that another process of the deployment has begun.

use std::path::Path;

use spawnhook::ticket::{self, Ticket, TicketError};
use spawnhook::{Answer, Ask, ExecRequest, Question};
use spawnhook_exec::BoxFuture;
use spawnhook_model::Origin;

use crate::cli::ambient;
use crate::cli::args::{ConfigFile, HostArguments};

/// A ticket that was taken, or why it is no good.
pub(super) struct Redeemed(Result<Box<Ticket>, TicketError>);

impl Redeemed {
    pub(super) fn take(path: &Path, command: &str) -> anyhow::Result<Self> {
        let current = ambient::current_directory()?;
        let ticket = ticket::redeem(&current.join(path), command, &current);
        Ok(Self(ticket.map(Box::new)))
    }

    /// What the host of the first process was built of.
    pub(super) fn host(&self) -> Option<(HostArguments, &Path)> {
        let deployment = &self.0.as_ref().ok()?.deployment;
        let arguments = HostArguments {
            hook: deployment.hooks.clone(),
            config: ConfigFile {
                path: deployment.config.clone(),
            },
        };
        Some((arguments, &deployment.start_directory))
    }

    /// Has a request go on from there.
    pub(super) fn apply(self, request: &mut ExecRequest) {
        request.ticket = Some(self.0.map(|ticket| {
            let ticket = *ticket;
            request.origin = Origin::Agent(ticket.agent);
            request.timeout = ticket.timeout;
            request.session = ticket.session;
            request.ask = Some(std::sync::Arc::new(Asked(ticket.settled.questions.clone())));
            Box::new(ticket.settled)
        }));
    }
}

/// The agent has put these questions to its user, and runs the command because the answer was yes.
#[derive(Debug)]
struct Asked(Vec<(String, String)>);

impl Ask for Asked {
    fn ask<'a>(&'a self, question: Question<'a>) -> BoxFuture<'a, Answer> {
        let is_it =
            |(hook, reason): &(String, String)| hook == question.hook && reason == question.reason;
        let answer = match self.0.iter().any(is_it) {
            true => Answer::Yes,
            false => Answer::Nobody("the agent has not asked its user this".to_owned()),
        };
        Box::pin(async { answer })
    }
}
