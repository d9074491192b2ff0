use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use spawnhook::Execution;
use spawnhook::session_file::{BashExecution, SessionFile};
use spawnhook::wire::ResultObject;
use spawnhook_exec::Text;
use spawnhook_model::{Chunk, Ending, Event as HostEvent, Outcome, Stream};

use super::super::pieces::Pieces;
use super::output::Output;
use super::response::{BashResult, Event, Response};

/// Who wants to know of a command.
pub(super) struct Caller {
    pub(super) id: Option<Value>,
    pub(super) exclude_from_context: bool,
    pub(super) output: Output,
    pub(super) session: Option<Arc<SessionFile>>,
}

impl Caller {
    /// Tells everything of a command until its end, keeps it, and answers last.
    pub(super) async fn follow(self, mut execution: Execution) {
        let mut streams = BTreeMap::new();
        while let Some(event) = execution.next_event().await {
            match event {
                HostEvent::Started { call, spawn } => {
                    let start = Event::Start {
                        id: &self.id,
                        call_id: &call.id,
                        command: &spawn.command,
                        cwd: spawn.cwd.display().to_string(),
                    };
                    self.output.tell(&start).await;
                }
                HostEvent::Output(chunk) => self.update(&mut streams, &chunk).await,
                HostEvent::Finished(outcome) => {
                    self.finish_streams(streams).await;
                    return self.finish(*outcome).await;
                }
                _ => {}
            }
        }
        let error = match execution.outcome().await {
            Ok(_) => return,
            Err(error) => error.to_string(),
        };
        let failure = Response::<()>::failure(self.id, "bash", error);
        self.output.answer(&failure);
    }

    async fn update(&self, streams: &mut BTreeMap<Stream, Pieces>, chunk: &Chunk) {
        let pieces = streams.entry(chunk.stream());
        let pieces = pieces.or_insert_with(|| Pieces::new(Text::default()));
        pieces.push(chunk);
        let delta = pieces.take_appended();
        self.tell(chunk.stream(), &delta).await;
    }

    async fn finish_streams(&self, streams: BTreeMap<Stream, Pieces>) {
        for (stream, mut pieces) in streams {
            pieces.finish();
            self.tell(stream, &pieces.take_appended()).await;
        }
    }

    async fn tell(&self, stream: Stream, delta: &str) {
        if delta.is_empty() {
            return;
        }
        let update = Event::Update {
            id: &self.id,
            delta,
            stream: stream.name(),
        };
        self.output.tell(&update).await;
    }

    async fn finish(self, outcome: Outcome) {
        if let Ending::HookFailed { hook, failure } = &outcome.ending {
            let error = Event::ExtensionError {
                extension_path: hook,
                event: "before_spawn",
                error: failure.to_string(),
            };
            self.output.tell(&error).await;
        }
        let end = Event::End {
            id: &self.id,
            call_id: &outcome.call.id,
            result: &ResultObject::from(&outcome),
        };
        self.output.tell(&end).await;
        let not_kept = self.keep(&outcome).await;
        // Answered in the order of the events.
        match BashResult::of(&outcome, not_kept.into_iter().collect()) {
            Ok(result) => {
                let success = Response::success(self.id, "bash", result);
                self.output.answer(&success);
            }
            Err(error) => {
                let failure = Response::<()>::failure(self.id, "bash", error);
                self.output.answer(&failure);
            }
        }
    }

    /// Keeps the execution before it is answered, so that who has the answer finds it. Returns why
    /// it could not be kept.
    async fn keep(&self, outcome: &Outcome) -> Option<String> {
        let session = self.session.clone()?;
        let execution = BashExecution::of(outcome, self.exclude_from_context)?;
        let kept = tokio::task::spawn_blocking(move || session.append(&execution)).await;
        match kept {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(format!("{:#}", anyhow::Error::from(error))),
            Err(error) => Some(error.to_string()),
        }
    }
}
