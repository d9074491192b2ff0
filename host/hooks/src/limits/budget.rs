use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use wasmtime::{Store, UpdateDeadline};

/// The time that one call may take. Counted from [`Budget::arm`] on the thread that makes the
/// call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// CPU time of the thread.
    pub(crate) cpu: Duration,
    /// Wall time.
    pub(crate) wall: Duration,
}

/// A guest was stopped because its time was up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OverBudget {
    #[error("more than {0:?} of CPU time")]
    Cpu(Duration),
    #[error("more than {0:?} of wall time")]
    Wall(Duration),
}

impl Budget {
    /// Lets `store` be interrupted once the budget is used up.
    ///
    /// Every tick of the engine's epoch leads here while the guest runs. The clock of the thread
    /// decides, not the number of ticks, so that nobody pays for a busy machine.
    pub(crate) fn arm<T>(self, store: &mut Store<T>) {
        let started = Instant::now();
        let cpu_started = ThreadTime::now().as_duration();
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(move |_| {
            let cpu = ThreadTime::now().as_duration().saturating_sub(cpu_started);
            if cpu > self.cpu {
                Err(OverBudget::Cpu(self.cpu).into())
            } else if started.elapsed() > self.wall {
                Err(OverBudget::Wall(self.wall).into())
            } else {
                Ok(UpdateDeadline::Continue(1))
            }
        });
    }
}
