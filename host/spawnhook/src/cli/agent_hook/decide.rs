//! From an agent's question to the answer.

use std::path::PathBuf;

use spawnhook::message::status;
use spawnhook::request::ExecRequest;
use spawnhook::{Host, Review};
use spawnhook_exec::visible;
use spawnhook_model::{Ending, Origin};

use super::HookOptions;
use super::carry::carry;
use super::dialect::{Agent, Answer, Decision, ShellCall};
use super::tickets::Tickets;

/// Who refuses where no hook does.
const SELF: &str = "agent-hook";

/// A command that is always denied, so that everybody can see whether an agent asks. If it doesn't,
/// nothing is lost: it does nothing.
pub(super) const SELF_TEST: &str = ": spawnhook self-test";

/// What is said about it.
const SELF_TEST_REASON: &str = "the self-test is always denied, so this agent asks spawnhook";

/// What the agent is told about it.
pub(super) fn self_test_denial() -> String {
    told(&Ending::Denied {
        hook: SELF.to_owned(),
        reason: SELF_TEST_REASON.to_owned(),
    })
}

pub(super) struct Decider<'a> {
    pub(super) agent: Agent,
    pub(super) options: &'a HookOptions,
    pub(super) host: &'a Host,
    /// Where the agent wants to run the command.
    pub(super) cwd: PathBuf,
    pub(super) tickets: Tickets<'a>,
}

impl Decider<'_> {
    /// An error is a failure of ours.
    pub(super) async fn decide(&self, call: &ShellCall) -> anyhow::Result<Answer> {
        let is_self_test = call.command.trim() == SELF_TEST;
        if self.options.own_process && !call.event.rewrites() && !is_self_test {
            return Ok(self.ticketed(call));
        }
        let review = match self.review(call).await {
            Ok(review) => review,
            Err(error) => return Ok(Answer::deny(&visible(&error.to_string()))),
        };
        // Hooks may have views of it as well, as long as they work.
        let is_ill = matches!(review.refusal(), Some(Ending::HookFailed { .. }));
        if is_self_test && !is_ill {
            review.refuse(SELF, SELF_TEST_REASON.to_owned()).await;
            return Ok(Answer::deny(&self_test_denial()));
        }
        if let Some(refusal) = review.refusal() {
            return Ok(Answer::deny(&told(refusal)));
        }
        if self.options.own_process && self.tickets.are_named_by(&call.command) {
            let reason = "it names the folder of the tickets, which are the agent's to use";
            return Ok(refuse(review, reason.to_owned()).await);
        }
        let question = review.questions().first().cloned();
        if let (false, Some((hook, question))) = (call.event.asks(), question) {
            let agent = self.agent.title();
            let reason = format!(
                "{question} ({agent} cannot ask its user here, so the answer is no; the user can \
                 still run the command)"
            );
            let ending = review.refuse(&hook, reason).await;
            return Ok(Answer::deny(&told(&ending)));
        }
        match self.options.own_process {
            true => self.by_ticket(call, review),
            false => self.by_the_agent(call, review).await,
        }
    }

    async fn review(&self, call: &ShellCall) -> Result<Review, spawnhook::RequestError> {
        let origin = Origin::Agent(self.agent.name().to_owned());
        let mut request = ExecRequest::new(call.command.clone(), origin);
        request.cwd = Some(self.cwd.clone());
        request.session = call.session.clone();
        request.timeout = call.timeout;
        // An agent that asks twice about a command was told what to run the first time.
        if call.event.is_last() && !call.event.rewrites() {
            self.tickets.redeem_for(&mut request);
        }
        self.host.review(request).await
    }

    /// The agent runs the command itself.
    async fn by_the_agent(&self, call: &ShellCall, review: Review) -> anyhow::Result<Answer> {
        let arguments = match carry(call, review.requested(), review.spawn()) {
            Ok(arguments) => arguments,
            Err(cannot) => {
                let reason = format!("{} {cannot}", self.agent.title());
                return Ok(refuse(review, reason).await);
            }
        };
        let is_rewritten = arguments.is_some();
        let mut answer = self.answer(&review);
        answer.arguments = arguments;
        if call.event.is_last() {
            return Ok(match review.hand_over().await {
                Ok(()) => answer,
                Err(ending) => Answer::deny(&told(&ending)),
            });
        }
        if is_rewritten {
            self.tickets.pass_on(call, review)?;
        }
        Ok(answer)
    }

    /// The agent runs spawnhook, which runs the command.
    fn by_ticket(&self, call: &ShellCall, review: Review) -> anyhow::Result<Answer> {
        let mut answer = self.answer(&review);
        if answer.reason.is_empty() {
            answer.reason = "spawnhook runs the command, and nothing of it is changed".to_owned();
        }
        let line = self.tickets.line(call, review)?;
        let mut arguments = call.arguments.clone();
        arguments.insert("command".to_owned(), line.into());
        answer.arguments = Some(arguments);
        Ok(answer)
    }

    /// With a process of our own only what has a ticket may run. This event cannot rewrite, so the
    /// one before it has.
    fn ticketed(&self, call: &ShellCall) -> Answer {
        match self.tickets.check(&call.command) {
            Some(Ok(())) => Answer {
                decision: self.no_objection(),
                reason: String::new(),
                arguments: None,
            },
            Some(Err(error)) => Answer::deny(&visible(&format!("Command not run: {error}"))),
            None => Answer::deny(
                "Command not run: it has no ticket, so the hook that rewrites commands has not seen \
                 it; `spawnhook agent-hook status` tells whether it is installed",
            ),
        }
    }

    /// What the hooks say, with the reasons for it and what they changed.
    fn answer(&self, review: &Review) -> Answer {
        let asked = review.questions().iter();
        let asked = asked.map(|(hook, question)| format!("hook `{hook}` asks: {question}"));
        let mut reasons: Vec<String> = asked.collect();
        let decision = match reasons.is_empty() {
            true => self.no_objection(),
            false => Decision::Ask,
        };
        let changes = review.changes();
        if !changes.is_empty() {
            reasons.push(format!("hooks changed what will run:\n{changes}"));
        }
        Answer {
            decision,
            reason: reasons.join("\n").trim_end().to_owned(),
            arguments: None,
        }
    }

    fn no_objection(&self) -> Decision {
        match self.options.approve {
            true => Decision::Allow,
            false => Decision::Defer,
        }
    }
}

async fn refuse(review: Review, reason: String) -> Answer {
    Answer::deny(&told(&review.refuse(SELF, reason).await))
}

/// What an agent is told about a refusal.
pub(super) fn told(ending: &Ending) -> String {
    status(ending).unwrap_or_default()
}
