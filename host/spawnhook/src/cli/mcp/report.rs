use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::task::JoinHandle;

use super::job::Job;

/// The least time between two notifications, as between two updates of the original.
const TICK: Duration = Duration::from_millis(100);

/// The most time between two notifications: some clients wait as long as they hear something.
const SILENCE: Duration = Duration::from_secs(5);

/// The end of the output that a notification shows: some fifty lines.
const TAIL_BYTES: usize = 4096;

/// Tells a client how a call gets on, if it wants to know.
pub(super) struct Reporter {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    started: Instant,
    last: Instant,
    bytes: u64,
    ticks: tokio::time::Interval,
    /// A client that does not read keeps one notification, and nothing else, waiting.
    in_flight: Option<JoinHandle<()>>,
}

impl Reporter {
    pub(super) fn new(context: &RequestContext<RoleServer>) -> Self {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        Self {
            peer: context.peer.clone(),
            token: context.meta.get_progress_token(),
            started: Instant::now(),
            last: Instant::now(),
            bytes: 0,
            ticks,
            in_flight: None,
        }
    }

    /// When to report. Never returns if nobody wants to know. Cancel safe.
    pub(super) async fn tick(&mut self) {
        if self.token.is_none() {
            return std::future::pending().await;
        }
        self.ticks.tick().await;
    }

    /// Reports what is new.
    pub(super) fn report(&mut self, job: &Job) {
        let bytes = job.progress().bytes;
        let has_news = bytes != self.bytes || self.last.elapsed() >= SILENCE;
        let is_waiting = self
            .in_flight
            .as_ref()
            .is_some_and(|sent| !sent.is_finished());
        let Some(token) = self.token.clone().filter(|_| has_news && !is_waiting) else {
            return;
        };
        self.bytes = bytes;
        self.last = Instant::now();
        // Time goes on, so that it increases with every notification, as it has to.
        let progress = self.started.elapsed().as_secs_f64();
        let notification =
            ProgressNotificationParam::new(token, progress).with_message(job.tail(TAIL_BYTES));
        let peer = self.peer.clone();
        self.in_flight = Some(tokio::spawn(async move {
            // A client that is gone needs none.
            peer.notify_progress(notification).await.ok();
        }));
    }

    /// Waits until nothing is on its way, since none may follow the answer.
    pub(super) async fn end(self) {
        if let Some(sent) = self.in_flight {
            tokio::time::timeout(TICK, sent).await.ok();
        }
    }
}
