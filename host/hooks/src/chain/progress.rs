#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use spawnhook_model::{HookReport, HookResult, Refusal, SpawnContext, Stage};

use super::{Decision, Recorded, Verdict};
use crate::OnFailure;
use crate::answer::{Answer, Called};

/// What the chain has to know of the hook that was called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) name: &'a str,
    pub(crate) stage: Stage,
    pub(crate) on_failure: OnFailure,
}

/// How far a command got through a chain. Pure: calling the hooks is up to the chain.
#[derive(Debug)]
pub(crate) struct Progress {
    spawn: Arc<SpawnContext>,
    reports: Vec<HookReport>,
    questions: Vec<(String, String)>,
}

impl Progress {
    pub(crate) fn new(spawn: Arc<SpawnContext>) -> Self {
        Self {
            spawn,
            reports: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// What the next hook is to be called with.
    pub(crate) fn spawn(&self) -> &Arc<SpawnContext> {
        &self.spawn
    }

    /// Takes what came of a call; breaks with the verdict that ends the chain.
    pub(crate) fn take(&mut self, place: Place<'_>, called: Called) -> ControlFlow<Verdict> {
        if let Ok(Answer::Changed(spawn, _)) = &called.answer {
            self.spawn = Arc::clone(spawn);
        }
        let report = report(place, called);
        let flow = match &report.result {
            HookResult::Denied(reason) => ControlFlow::Break(Verdict::Denied {
                hook: place.name.to_owned(),
                reason: reason.clone(),
            }),
            HookResult::Failed(failure) => ControlFlow::Break(Verdict::Failed {
                hook: place.name.to_owned(),
                failure: failure.clone(),
            }),
            HookResult::Asked(question) => {
                self.questions
                    .push((place.name.to_owned(), question.clone()));
                ControlFlow::Continue(())
            }
            HookResult::NotCalled
            | HookResult::Unchanged
            | HookResult::Changed
            | HookResult::Skipped(_) => ControlFlow::Continue(()),
        };
        self.reports.push(report);
        flow
    }

    /// Reports a hook that is not for this command.
    pub(crate) fn pass_over(&mut self, place: Place<'_>) {
        self.reports.push(HookReport {
            name: place.name.to_owned(),
            stage: place.stage,
            took: Duration::ZERO,
            result: HookResult::NotCalled,
            changed: Vec::new(),
            notices: Vec::new(),
        });
    }

    /// The decision once every hook was heard.
    pub(crate) fn finish(mut self) -> Decision {
        let questions = std::mem::take(&mut self.questions);
        if questions.is_empty() {
            self.decide(Verdict::Proceed)
        } else {
            self.decide(Verdict::Ask(questions))
        }
    }

    pub(crate) fn decide(self, verdict: Verdict) -> Decision {
        Decision {
            spawn: Arc::unwrap_or_clone(self.spawn),
            verdict,
            reports: self.reports,
        }
    }

    /// The outcome of a stage whose hooks neither change nor refuse.
    pub(crate) fn recorded(self, verdict: Verdict) -> Recorded {
        let reports = self.reports;
        match verdict {
            Verdict::Failed { hook, failure } => Recorded::Failed {
                hook,
                failure,
                reports,
            },
            Verdict::Proceed | Verdict::Denied { .. } | Verdict::Ask(_) => {
                Recorded::Proceed { reports }
            }
        }
    }
}

/// The report of one call.
pub(crate) fn report(place: Place<'_>, called: Called) -> HookReport {
    let mut changed = Vec::new();
    let result = match called.answer {
        Ok(Answer::Unchanged) => HookResult::Unchanged,
        Ok(Answer::Changed(_, fields)) => {
            changed = fields;
            HookResult::Changed
        }
        Ok(Answer::Refused(Refusal::Deny(reason))) => HookResult::Denied(reason),
        Ok(Answer::Refused(Refusal::Ask(question))) => HookResult::Asked(question),
        Err(failure) if place.on_failure == OnFailure::Skip => HookResult::Skipped(failure),
        Err(failure) => HookResult::Failed(failure),
    };
    HookReport {
        name: place.name.to_owned(),
        stage: place.stage,
        took: called.took,
        result,
        changed,
        notices: called.notices,
    }
}
