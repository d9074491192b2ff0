use std::time::Duration;

use tokio::time::Instant;

use crate::lifecycle::Timer;

/// The waits under way, at most one of each kind.
#[derive(Debug, Default)]
pub(super) struct Timers([Option<Instant>; Timer::ALL.len()]);

impl Timers {
    pub(super) fn arm(&mut self, timer: Timer, after: Duration) {
        self.0[timer as usize] = Some(Instant::now() + after);
    }

    /// Returns the first that elapses, which is then under way no more; never, if there is none.
    pub(super) async fn elapsed(&mut self) -> Timer {
        let first = Timer::ALL
            .into_iter()
            .filter_map(|timer| self.0[timer as usize].map(|at| (at, timer)))
            .min_by_key(|(at, _)| *at);
        let Some((at, timer)) = first else {
            return std::future::pending().await;
        };
        tokio::time::sleep_until(at).await;
        self.0[timer as usize] = None;
        timer
    }
}
