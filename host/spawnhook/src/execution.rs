use std::sync::Arc;

use spawnhook_exec::Canceller;
use spawnhook_model::{Call, Event, Outcome};
use tokio::sync::mpsc;

/// One command on its way. Dropping it cancels the command.
#[must_use = "dropping an execution cancels its command"]
#[derive(Debug)]
pub struct Execution {
    call: Arc<Call>,
    canceller: Canceller,
    events: mpsc::Receiver<Event>,
    finished: bool,
}

/// Why an execution has no outcome.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The task that ran the command is gone, because it panicked or its runtime was shut down.
    #[error("the host lost the call {id} before it had an outcome")]
    Lost {
        /// The id of the call.
        id: String,
    },
    /// [`Execution::next_event`] had already returned the outcome.
    #[error("the outcome of the call {id} was already taken")]
    Taken {
        /// The id of the call.
        id: String,
    },
}

impl Execution {
    pub(crate) fn new(
        call: Arc<Call>,
        canceller: Canceller,
        events: mpsc::Receiver<Event>,
    ) -> Self {
        Self {
            call,
            canceller,
            events,
            finished: false,
        }
    }

    /// The facts of the call.
    pub fn call(&self) -> &Arc<Call> {
        &self.call
    }

    /// Cancels the command from anywhere, as often as wanted.
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// The next event; none after [`Event::Finished`]. Cancel safe.
    ///
    /// A caller that does not take events slows the command down once it has written what the
    /// buffers between them hold; it keeps neither its time limit nor a cancel from working.
    pub async fn next_event(&mut self) -> Option<Event> {
        let event = self.events.recv().await;
        self.finished |= matches!(event, Some(Event::Finished(_)));
        event
    }

    /// Waits for the end, and passes over the events until then.
    ///
    /// # Errors
    ///
    /// If the host lost the call, or the outcome was already taken.
    pub async fn outcome(mut self) -> Result<Outcome, RunError> {
        while let Some(event) = self.next_event().await {
            if let Event::Finished(outcome) = event {
                return Ok(*outcome);
            }
        }
        let id = self.call.id.clone();
        Err(if self.finished {
            RunError::Taken { id }
        } else {
            RunError::Lost { id }
        })
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        self.canceller.cancel();
    }
}
