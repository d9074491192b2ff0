//! The flow of one command: agree, execute, record. The same for every front end.

use std::sync::Arc;
use std::time::Instant;

use spawnhook_exec::{Cancel, Cwd, Spawn, Stdin, Wires};
use spawnhook_hooks::{AuditLog, ExitFacts, Recorded, Verdict};
use spawnhook_model::{
    AuditHead, Call, Ending, Event, HookReport, HookResult, Leftover, Outcome, Output,
    SpawnContext, Stage,
};
use tokio::sync::mpsc;

use crate::audit::{CallAudit, Phase, SkippedHook, sha256_hex};
use crate::causes::one_line;
use crate::host::Parts;
use crate::output::Pump;
use crate::request::Keep;

/// How many chunks may wait between the command and what becomes of them.
const CHUNKS_IN_FLIGHT: usize = 8;

/// One accepted request on its way to its outcome.
pub(crate) struct Pipeline {
    pub(crate) host: Arc<Parts>,
    pub(crate) call: Arc<Call>,
    pub(crate) spawn: Arc<SpawnContext>,
    pub(crate) env_removed: Vec<String>,
    pub(crate) stdin: Stdin,
    pub(crate) keep: Keep,
    pub(crate) cancel: Cancel,
    pub(crate) events: mpsc::Sender<Event>,
    pub(crate) notices: Vec<String>,
    pub(crate) hooks: Vec<HookReport>,
    pub(crate) audit: Option<AuditHead>,
    pub(crate) started: Instant,
}

/// What came of the spawn, or of what kept the command from it.
struct Ended {
    ending: Ending,
    facts: ExitFacts,
    output: Output,
    leftovers: Vec<Leftover>,
}

impl Pipeline {
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
        self.decide().await?;
        let cwd = self.host.open_cwd(&self.spawn.cwd);
        let cwd = cwd.map_err(|error| Ending::SpawnFailed(error.to_string()))?;
        self.record_spawn().await?;
        Ok(cwd)
    }

    async fn decide(&mut self) -> Result<(), Ending> {
        let spawn = SpawnContext::clone(&self.spawn);
        let decision = self.host.chain.decide(&self.call, spawn).await;
        self.spawn = Arc::new(decision.spawn);
        self.hooks.extend(decision.reports);
        match decision.verdict {
            Verdict::Proceed => Ok(()),
            Verdict::Denied { hook, reason } => Err(Ending::Denied { hook, reason }),
            Verdict::Failed { hook, failure } => Err(Ending::HookFailed { hook, failure }),
            Verdict::Ask(questions) => self.ask(&questions).await,
        }
    }

    async fn ask(&self, questions: &[(String, String)]) -> Result<(), Ending> {
        for (hook, question) in questions {
            let denied = |reason| Ending::Denied {
                hook: hook.clone(),
                reason,
            };
            let Some(ask) = &self.host.ask else {
                return Err(denied(format!(
                    "{question} (nobody is there to be asked, so the answer is no)"
                )));
            };
            let mut cancel = self.cancel.clone();
            let agreed = tokio::select! {
                agreed = ask.ask(&self.call, &self.spawn.command, hook, question) => agreed,
                () = cancel.cancelled() => return Err(Ending::Cancelled { shell: None }),
            };
            if !agreed {
                return Err(denied(format!("{question} (the answer was no)")));
            }
        }
        Ok(())
    }

    async fn record_spawn(&mut self) -> Result<(), Ending> {
        let phase = Phase::spawn(
            self.call.id.clone(),
            sha256_hex(&self.spawn.command),
            skipped(&self.hooks),
        );
        let audit = Arc::new(CallAudit::new(self.host.audit.clone(), phase));
        let log: Arc<dyn AuditLog> = audit.clone();
        let chain = &self.host.chain;
        let recorded = chain.record_spawn(&self.call, &self.spawn, &log).await;
        let (reports, failed) = match recorded {
            Recorded::Proceed { reports } => (reports, None),
            Recorded::Failed {
                hook,
                failure,
                reports,
            } => (reports, Some(Ending::HookFailed { hook, failure })),
        };
        if failed.is_none() {
            self.record_in_place_of(owing(&reports, &audit), &audit)
                .await;
        }
        self.hooks.extend(reports);
        self.audit = audit.head().or(self.audit.take());
        failed.map_or(Ok(()), Err)
    }

    async fn execute(&mut self, cwd: Cwd) -> Ended {
        let spawned = Instant::now();
        let started = Event::Started {
            call: self.call.clone(),
            spawn: self.spawn.clone(),
        };
        drop(self.events.send(started).await);
        let (sender, chunks) = mpsc::channel(CHUNKS_IN_FLIGHT);
        let mut pump = Pump::new(self.host.collector(self.keep), self.events.clone());
        let spawn = Spawn {
            command: self.spawn.command.clone(),
            cwd,
            env: self.spawn.env.clone(),
            stdin: self.stdin,
            timeout: self.call.timeout,
            stop_grace: self.host.stop_grace,
        };
        let wires = Wires {
            output: sender,
            cancel: self.cancel.clone(),
        };
        // Side by side, so that a front end that is slow keeps no time limit from working.
        let (ran, ()) = tokio::join!(self.host.backend.run(spawn, wires), pump.run(chunks));
        let (output, notices) = pump.finish();
        self.notices.extend(notices);
        match ran {
            Ok(ran) => {
                self.notices.extend(ran.notices);
                Ended::after_spawn(ran.ending, output, ran.leftovers, spawned)
            }
            Err(error) => Ended::without_spawn(Ending::SpawnFailed(one_line(&error))),
        }
    }

    async fn record_exit(&mut self, ended: &Ended) {
        let phase = Phase::exit(
            self.call.id.clone(),
            sha256_hex(&self.spawn.command),
            skipped(&self.hooks),
            &ended.ending,
        );
        let audit = Arc::new(CallAudit::new(self.host.audit.clone(), phase));
        let log: Arc<dyn AuditLog> = audit.clone();
        let chain = &self.host.chain;
        let reports = chain
            .record_exit(&self.call, &self.spawn, &ended.facts, &log)
            .await;
        let owing: Vec<String> = chain
            .hooks()
            .iter()
            .filter(|hook| hook.stage() == Stage::Audit && !audit.has_recorded(hook.name()))
            .map(|hook| hook.name().to_owned())
            .collect();
        self.record_in_place_of(owing, &audit).await;
        self.audit = audit.head().or(self.audit.take());
        for report in reports {
            if let HookResult::Failed(failure) | HookResult::Skipped(failure) = &report.result {
                let what = format!("failed after the end of the command: {failure}");
                self.notices.push(of_hook(&report.name, &what));
            }
            self.notice_all(report);
        }
    }

    fn notice_all(&mut self, report: HookReport) {
        for notice in report.notices {
            self.notices.push(of_hook(&report.name, &notice));
        }
    }

    /// Writes the records that hooks owe, so that no call lacks one.
    async fn record_in_place_of(&mut self, hooks: Vec<String>, audit: &Arc<CallAudit>) {
        for hook in hooks {
            let audit = audit.clone();
            let written =
                tokio::task::spawn_blocking(move || audit.record_in_place_of(&hook)).await;
            match written {
                Ok(Ok(())) => {}
                Ok(Err(error)) => self.notices.push(error),
                Err(error) => self.notices.push(error.to_string()),
            }
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

impl Ended {
    fn without_spawn(ending: Ending) -> Self {
        let facts = ExitFacts {
            ending: ending.clone(),
            duration: std::time::Duration::ZERO,
            output_bytes: None,
            output_lines: None,
            truncated: false,
            leftover_processes: 0,
        };
        Self {
            ending,
            facts,
            output: Output::default(),
            leftovers: Vec::new(),
        }
    }

    fn after_spawn(
        ending: Ending,
        output: Output,
        leftovers: Vec<Leftover>,
        spawned: Instant,
    ) -> Self {
        let facts = ExitFacts {
            ending: ending.clone(),
            duration: spawned.elapsed(),
            output_bytes: Some(output.raw_bytes),
            output_lines: Some(output.lines),
            truncated: output.truncation.is_some(),
            leftover_processes: u32::try_from(leftovers.len()).unwrap_or(u32::MAX),
        };
        Self {
            ending,
            facts,
            output,
            leftovers,
        }
    }
}

/// What an audit record says of hooks that were left out.
fn skipped(reports: &[HookReport]) -> Vec<SkippedHook> {
    reports
        .iter()
        .filter_map(|report| match &report.result {
            HookResult::Skipped(failure) => Some(SkippedHook {
                hook: report.name.clone(),
                class: failure.class.name(),
                failure: failure.message.clone(),
            }),
            _ => None,
        })
        .collect()
}

fn of_hook(name: &str, what: &str) -> String {
    format!("hook `{name}`: {what}")
}

/// The hooks that were left out and owe a record.
fn owing(reports: &[HookReport], audit: &CallAudit) -> Vec<String> {
    reports
        .iter()
        .filter(|report| matches!(report.result, HookResult::Skipped(_)))
        .filter(|report| !audit.has_recorded(&report.name))
        .map(|report| report.name.clone())
        .collect()
}
