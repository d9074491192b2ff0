use std::sync::Arc;

use spawnhook_model::{Call, Ending, HookReport, SpawnContext};

use super::Pipeline;
use super::ended::Ended;
use crate::difference::difference_without_values;
use crate::ticket::Settled;

/// What the hooks of a host have decided about a command that somebody else is going to run.
///
/// A refusal of a hook is recorded in the audit log by then. Otherwise one of [`Self::refuse`],
/// [`Self::hand_over`] and [`Self::settle`] says what becomes of it.
#[must_use = "nothing is recorded of a review that is dropped"]
pub struct Review {
    pipeline: Pipeline,
    requested: Arc<SpawnContext>,
    questions: Vec<(String, String)>,
    refusal: Option<Ending>,
}

impl Pipeline {
    pub(crate) async fn review(mut self) -> Review {
        let requested = self.spawn.clone();
        let decided = match self.decide().await {
            Ok(questions) => self.open_cwd().map(|_| questions),
            Err(ending) => Err(ending),
        };
        let (questions, refusal) = match decided {
            Ok(questions) => (questions, None),
            Err(ending) => (Vec::new(), Some(self.refuse(ending).await)),
        };
        Review {
            pipeline: self,
            requested,
            questions,
            refusal,
        }
    }

    async fn refuse(&mut self, ending: Ending) -> Ending {
        let ended = Ended::without_spawn(ending);
        self.record_exit(&ended).await;
        ended.ending
    }
}

impl Review {
    /// The facts of the call.
    pub fn call(&self) -> &Call {
        &self.pipeline.call
    }

    /// The command as it came to the first hook, after the prefix.
    pub fn requested(&self) -> &SpawnContext {
        &self.requested
    }

    /// The command as it is to run, or would have.
    pub fn spawn(&self) -> &SpawnContext {
        &self.pipeline.spawn
    }

    /// What hooks changed, for people, with control characters made visible and without the values
    /// of variables; empty if it is nothing.
    #[must_use]
    pub fn changes(&self) -> String {
        difference_without_values(&self.requested, &self.pipeline.spawn)
    }

    /// How a hook, or its failure, has stopped it; none if nothing has.
    pub fn refusal(&self) -> Option<&Ending> {
        self.refusal.as_ref()
    }

    /// The guards that want a person asked before it runs, and their questions.
    pub fn questions(&self) -> &[(String, String)] {
        &self.questions
    }

    /// What each hook did so far, in the order of the calls.
    pub fn reports(&self) -> &[HookReport] {
        &self.pipeline.hooks
    }

    /// What the operator should know besides, one sentence each.
    pub fn notices(&self) -> &[String] {
        &self.pipeline.notices
    }

    /// Has the command not run after all, for a reason of the front end's, under the name `by`. The
    /// refusal is recorded; one that a hook has spoken before stays the only one.
    pub async fn refuse(mut self, by: &str, reason: String) -> Ending {
        match self.refusal.take() {
            Some(ending) => ending,
            None => {
                let hook = by.to_owned();
                self.pipeline.refuse(Ending::Denied { hook, reason }).await
            }
        }
    }

    /// Leaves the command to whoever asked, which is recorded: nobody will tell of its end.
    ///
    /// # Errors
    ///
    /// How it was refused: by a hook before, or by an audit hook that could not record it.
    pub async fn hand_over(mut self) -> Result<(), Ending> {
        if let Some(ending) = self.refusal.take() {
            return Err(ending);
        }
        match self.pipeline.record_hand_over().await {
            Ok(()) => Ok(()),
            Err(ending) => Err(self.pipeline.refuse(ending).await),
        }
    }

    /// What another process of this deployment needs to go on with the command. Nothing is recorded
    /// here: that process does, if it ever comes to it.
    ///
    /// # Errors
    ///
    /// How it was refused before.
    pub fn settle(self) -> Result<Settled, Ending> {
        if let Some(ending) = self.refusal {
            return Err(ending);
        }
        let rewritten = |report: &HookReport| report.stage == spawnhook_model::Stage::Rewrite;
        let reports = self.pipeline.hooks.into_iter().filter(rewritten);
        Ok(Settled {
            call: self.pipeline.call.id.clone(),
            requested: self.pipeline.call.requested.clone(),
            prefix: self.pipeline.call.prefix.clone(),
            spawn: Arc::unwrap_or_clone(self.pipeline.spawn),
            reports: reports.collect(),
            questions: self.questions,
        })
    }
}
