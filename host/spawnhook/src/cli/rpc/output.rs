use std::sync::Arc;

use anyhow::Context as _;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::super::server::LAST_ANSWERS;
use super::super::stream::write_stdout;

/// Events that may wait for the client.
const EVENTS_IN_FLIGHT: usize = 64;

/// Standard output, on which lines come whole and in order. A thread of its own writes, since a
/// client that does not read would hold up everything else.
#[derive(Clone)]
pub(super) struct Output {
    lines: mpsc::UnboundedSender<Queued>,
    /// Room for events, so that a command that writes much waits for the client. Answers wait for
    /// none: there are no more of them than requests.
    room: Arc<Semaphore>,
    lost: CancellationToken,
}

struct Queued {
    line: Vec<u8>,
    _room: Option<OwnedSemaphorePermit>,
}

/// Tells when everything was written.
pub(super) struct Written(oneshot::Receiver<()>);

impl Output {
    pub(super) fn start() -> anyhow::Result<(Self, Written)> {
        let (lines, mut queue) = mpsc::unbounded_channel::<Queued>();
        let (written, end) = oneshot::channel();
        let lost = CancellationToken::new();
        let loss = lost.clone();
        let write = move || {
            while let Some(queued) = queue.blocking_recv() {
                if write_stdout(&queued.line).is_err() {
                    loss.cancel();
                    break;
                }
            }
            // Dropped with what it could tell, which tells as much.
            drop(written);
        };
        let thread = std::thread::Builder::new().name("responses".to_owned());
        drop(thread.spawn(write).context("cannot start a thread")?);
        let output = Self {
            lines,
            room: Arc::new(Semaphore::new(EVENTS_IN_FLIGHT)),
            lost,
        };
        Ok((output, Written(end)))
    }

    /// Cancelled once nobody reads any more.
    pub(super) fn lost(&self) -> &CancellationToken {
        &self.lost
    }

    /// Writes an answer, without waiting for anything.
    pub(super) fn answer(&self, answer: &impl Serialize) {
        self.queue(answer, None);
    }

    /// Writes an event, once there is room.
    pub(super) async fn tell(&self, event: &impl Serialize) {
        tokio::select! {
            room = self.room.clone().acquire_owned() => self.queue(event, room.ok()),
            () = self.lost.cancelled() => {}
        }
    }

    fn queue(&self, value: &impl Serialize, room: Option<OwnedSemaphorePermit>) {
        let mut line = serde_json::to_vec(value).expect("invariant: it is plain data");
        line.push(b'\n');
        // Nobody is there to read it if it cannot be queued.
        drop(self.lines.send(Queued { line, _room: room }));
    }
}

impl Written {
    /// Once every output is dropped: waits for what was queued, as long as a client may take.
    pub(super) async fn wait(self) {
        drop(tokio::time::timeout(LAST_ANSWERS, self.0).await);
    }
}
