//! Waiting for a command together with its client.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolResponse, ElicitResult, ErrorData, InputRequest, InputRequiredResult, InputResponses,
};
use rmcp::service::RequestContext;
use spawnhook::Answer;
use spawnhook_exec::random_u64;
use tokio::sync::mpsc;

use super::answer;
use super::job::Job;
use super::question::{Question, Way, answer_of};
use super::report::Reporter;
use super::service::Service;

/// The name of the question in an answer that asks for more.
const QUESTION: &str = "run";

/// What guards ask about a command.
pub(super) type Questions = mpsc::Receiver<Question>;

/// A client that waits for a command.
pub(super) struct Visit {
    pub(super) job: Arc<Job>,
    pub(super) questions: Questions,
    pub(super) patience: Duration,
}

/// Visits of clients that went to ask their users, by what they show when they come back.
#[derive(Default)]
pub(super) struct Suspended(Mutex<HashMap<String, (Visit, Question)>>);

impl Service {
    /// Until the command has ended, or the client has to go.
    pub(super) async fn attend(
        &self,
        mut visit: Visit,
        context: RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let mut reporter = Reporter::new(&context);
        let answer = loop {
            tokio::select! {
                // In this order, so that whoever wants a handle gets one however short the command.
                biased;
                () = context.ct.cancelled() => {
                    self.calls.cancel(&visit.job.handle);
                    break self.finish(&visit.job).await;
                }
                Some(question) = visit.questions.recv() => match Way::of(&context) {
                    Way::None => question.cannot_be_asked(),
                    Way::Request => self.put(question, &visit.job, &context).await,
                    Way::Retry => return self.suspended.keep(visit, question).into(),
                },
                () = out_of_patience(&visit.job, visit.patience) => {
                    break answer::running(&visit.job, self.output_limits()).into();
                }
                _ = visit.job.finished() => break self.finish(&visit.job).await,
                () = reporter.tick() => reporter.report(&visit.job),
            }
        };
        reporter.end().await;
        answer
    }

    /// Asks by a request, unless the command ends meanwhile or the client gives up.
    async fn put(&self, question: Question, job: &Job, context: &RequestContext<RoleServer>) {
        let unwanted = async {
            tokio::select! {
                // Before the question is dropped, which is a denial.
                () = context.ct.cancelled() => {
                    self.calls.cancel(&job.handle);
                }
                _ = job.finished() => {}
            }
        };
        if let Some(answer) = question.put_to(&context.peer, unwanted).await {
            question.answer(answer);
        }
    }

    /// Goes on with a client that has asked its user.
    pub(super) async fn resume(
        &self,
        state: &str,
        responses: Option<InputResponses>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some((visit, question)) = self.suspended.take(state) else {
            let error = "`requestState` belongs to no call that waits for an answer";
            return Err(ErrorData::invalid_params(error, None));
        };
        let response = responses.unwrap_or_default().remove(QUESTION);
        let result = response.map(serde_json::from_value::<ElicitResult>);
        question.answer(match result {
            Some(Ok(result)) => answer_of(&result),
            Some(Err(error)) => Answer::Nobody(format!("the client's answer is none: {error}")),
            None => Answer::Nobody("the client gave no answer".to_owned()),
        });
        Ok(self.attend(visit, context).await)
    }

    /// The whole answer of a command, about which nobody has to ask any more.
    async fn finish(&self, job: &Job) -> CallToolResponse {
        let end = job.finished().await;
        self.jobs.forget(job);
        answer::finished(&end).into()
    }
}

/// Returns once the command has run for as long as its client waits. Waiting for a person does not
/// count. Cancel safe.
async fn out_of_patience(job: &Job, patience: Duration) {
    job.wait_for(|progress| progress.started.is_some()).await;
    let started = job.progress().started;
    let left = started.map(|started| patience.saturating_sub(started.elapsed()));
    // A timer would take a tick although nothing is left.
    if let Some(left) = left.filter(|left| !left.is_zero()) {
        tokio::time::sleep(left).await;
    }
}

impl Suspended {
    fn keep(&self, visit: Visit, question: Question) -> InputRequiredResult {
        let number = random_u64().expect("the system has random numbers");
        let state = format!("{number:016x}");
        let request = InputRequest::Elicitation(question.request());
        let mut suspended = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Of clients that never came back.
        suspended.retain(|_, (visit, _)| !visit.job.progress().is_finished);
        suspended.insert(state.clone(), (visit, question));
        let requests = BTreeMap::from([(QUESTION.to_owned(), request)]);
        InputRequiredResult::new(Some(requests), Some(state))
    }

    fn take(&self, state: &str) -> Option<(Visit, Question)> {
        let mut suspended = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        suspended.remove(state)
    }
}
