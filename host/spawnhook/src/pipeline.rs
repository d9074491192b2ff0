//! The flow of one command: agree, execute, record. The same for every front end.

use std::sync::Arc;
use std::time::Instant;

use spawnhook_exec::{Cancel, Cwd, Invocation, Spawn, Streams, Wires};
use spawnhook_hooks::{Decision, Verdict};
use spawnhook_model::{
    AuditHead, Call, Ending, Event, HookReport, HookResult, Outcome, SpawnContext,
};
use tokio::sync::mpsc;

use crate::accept::{Accepted, Before, Handling};
use crate::ask::{Answer, Ask, Question};
use crate::causes::one_line;
use crate::host::Parts;
use crate::pump::Pump;
use crate::wrapping::Wrapping;

mod ended;
mod later;
mod record;
mod review;

use ended::Ended;
pub use review::Review;

/// How many chunks may wait between the command and what becomes of them.
const CHUNKS_IN_FLIGHT: usize = 8;

/// What is named in the place of a hook where a ticket is no good.
const TICKET: &str = "ticket";

/// One accepted request on its way to its outcome.
pub(crate) struct Pipeline {
    host: Arc<Parts>,
    call: Arc<Call>,
    spawn: Arc<SpawnContext>,
    invocation: Invocation,
    wrapping: Option<Wrapping>,
    env_removed: Vec<String>,
    handling: Handling,
    ask: Option<Arc<dyn Ask>>,
    cancel: Cancel,
    events: mpsc::Sender<Event>,
    notices: Vec<String>,
    hooks: Vec<HookReport>,
    audit: Option<AuditHead>,
    before: Before,
    started: Instant,
}

impl Pipeline {
    pub(crate) fn new(
        host: Arc<Parts>,
        accepted: Accepted,
        cancel: Cancel,
        events: mpsc::Sender<Event>,
    ) -> Self {
        Self {
            host,
            call: accepted.call,
            spawn: Arc::new(accepted.spawn),
            invocation: accepted.invocation,
            wrapping: accepted.wrapping,
            env_removed: accepted.env_removed,
            handling: accepted.handling,
            ask: accepted.ask,
            cancel,
            events,
            notices: accepted.notices,
            hooks: Vec::new(),
            audit: None,
            before: accepted.before,
            started: Instant::now(),
        }
    }

    /// Runs to the end and tells the front end.
    pub(crate) async fn run(mut self) {
        let ended = match self.agree().await {
            Ok(cwd) => self.execute(cwd).await,
            Err(ending) => Ended::without_spawn(ending),
        };
        self.record_exit(&ended).await;
        let events = self.events.clone();
        let finished = Event::Finished(Box::new(self.outcome(ended)));
        // A front end that is gone has no use for it; the records are written.
        drop(events.send(finished).await);
    }

    /// Everything that has to agree before the spawn, in this order: hooks, the person they ask,
    /// the working directory, the audit log.
    async fn agree(&mut self) -> Result<Cwd, Ending> {
        let agreed = self.hear_all().await;
        self.wrap_again();
        agreed?;
        let cwd = self.open_cwd()?;
        self.record_spawn().await?;
        Ok(cwd)
    }

    /// Hooks, and then the person whom they ask.
    async fn hear_all(&mut self) -> Result<(), Ending> {
        let requested = self.spawn.clone();
        let questions = self.decide().await?;
        self.ask(&requested, &questions).await
    }

    fn open_cwd(&self) -> Result<Cwd, Ending> {
        let cwd = self.host.open_cwd(&self.spawn.cwd);
        cwd.map_err(|error| Ending::SpawnFailed(error.to_string()))
    }

    /// What the hooks have to say: the questions of guards, if nobody refuses.
    async fn decide(&mut self) -> Result<Vec<(String, String)>, Ending> {
        let decision = self.hear().await?;
        self.spawn = Arc::new(decision.spawn);
        self.hooks.extend(decision.reports);
        match decision.verdict {
            Verdict::Proceed => Ok(Vec::new()),
            Verdict::Denied { hook, reason } => Err(Ending::Denied { hook, reason }),
            Verdict::Failed { hook, failure } => Err(Ending::HookFailed { hook, failure }),
            Verdict::Ask(questions) => Ok(questions),
        }
    }

    async fn hear(&mut self) -> Result<Decision, Ending> {
        let spawn = SpawnContext::clone(&self.spawn);
        let chain = &self.host.chain;
        match std::mem::replace(&mut self.before, Before::Nothing) {
            Before::Nothing => Ok(chain.decide(&self.call, spawn).await),
            Before::Rewritten(reports) => {
                self.hooks = reports;
                Ok(chain.guard(&self.call, spawn).await)
            }
            Before::Refused(reason) => Err(Ending::Denied {
                hook: TICKET.to_owned(),
                reason,
            }),
        }
    }

    /// Hooks and people have seen what is inside; what runs, and is recorded, is the whole.
    fn wrap_again(&mut self) {
        if let Some(wrapping) = self.wrapping.take() {
            let spawn = Arc::make_mut(&mut self.spawn);
            spawn.command = wrapping.wrap(&spawn.command);
        }
    }

    async fn ask(
        &self,
        requested: &SpawnContext,
        questions: &[(String, String)],
    ) -> Result<(), Ending> {
        for (hook, reason) in questions {
            let question = Question {
                call: &self.call,
                requested,
                spawn: &self.spawn,
                hook,
                reason,
            };
            let reason = match self.answer(question).await? {
                Answer::Yes => continue,
                Answer::No => format!("{reason} (the answer was no)"),
                Answer::Nobody(why) => format!("{reason} ({why}, so the answer is no)"),
            };
            let hook = hook.clone();
            return Err(Ending::Denied { hook, reason });
        }
        Ok(())
    }

    async fn answer(&self, question: Question<'_>) -> Result<Answer, Ending> {
        let Some(ask) = &self.ask else {
            return Ok(Answer::Nobody("nobody is there to be asked".to_owned()));
        };
        let mut cancel = self.cancel.clone();
        tokio::select! {
            // Who cancels gives up the question with it.
            biased;
            () = cancel.cancelled() => Err(Ending::Cancelled { shell: None }),
            answer = ask.ask(question) => match self.cancel.is_cancelled() {
                // The question may be withdrawn because of it, right after it was looked for.
                true => Err(Ending::Cancelled { shell: None }),
                false => Ok(answer),
            },
        }
    }

    async fn execute(&mut self, cwd: Cwd) -> Ended {
        let spawned = Instant::now();
        let started = Event::Started {
            call: self.call.clone(),
            spawn: self.spawn.clone(),
        };
        drop(self.events.send(started).await);
        let (sender, chunks) = mpsc::channel(CHUNKS_IN_FLIGHT);
        let mut pump = Pump::new(self.host.collector(self.handling), self.events.clone());
        let spawn = Spawn {
            command: self.spawn.command.clone(),
            invocation: self.invocation.clone(),
            cwd,
            env: self.spawn.env.clone(),
            stdin: self.handling.stdin,
            streams: self.handling.streams,
            timeout: self.call.timeout,
            stop_grace: self.host.config.limits.stop_grace,
            leftovers: self.handling.leftovers,
            rlimits: self.host.config.process,
        };
        let wires = Wires {
            output: sender,
            cancel: self.cancel.clone(),
        };
        // Side by side, so that a front end that is slow keeps no time limit from working.
        let (mut ran, ()) = tokio::join!(self.host.backend.run(spawn, wires), pump.run(chunks));
        let later = ran.as_mut().ok().and_then(|ran| ran.later.take());
        let kept = later.map(|later| later::keep(later, &mut pump));
        let (output, notices) = pump.finish();
        self.notices.extend(notices);
        self.notices
            .extend(kept.map(|kept| later::notice(kept, &output)));
        match ran {
            Ok(ran) => {
                self.notices.extend(ran.notices);
                let ended = Ended::after_spawn(ran.ending, output, ran.leftovers, spawned);
                match self.handling.streams {
                    Streams::Inherit => ended.without_output(),
                    Streams::Merged | Streams::Separate => ended,
                }
            }
            Err(error) => Ended::without_spawn(Ending::SpawnFailed(one_line(&error))),
        }
    }

    fn notice_all(&mut self, report: HookReport) {
        for notice in report.notices {
            self.notices.push(of_hook(&report.name, &notice));
        }
    }

    fn outcome(mut self, ended: Ended) -> Outcome {
        for report in self.hooks.clone() {
            if let HookResult::Skipped(failure) = &report.result {
                let what = format!("failed and was left out: {failure}");
                self.notices.push(of_hook(&report.name, &what));
            }
            self.notice_all(report);
        }
        Outcome {
            call: self.call,
            ending: ended.ending,
            command: self.spawn.command.clone(),
            cwd: self.spawn.cwd.clone(),
            env_removed: self.env_removed,
            output: ended.output,
            hooks: self.hooks,
            leftovers: ended.leftovers,
            audit: self.audit,
            notices: self.notices,
            took: self.started.elapsed(),
        }
    }
}

fn of_hook(name: &str, what: &str) -> String {
    format!("hook `{name}`: {what}")
}
