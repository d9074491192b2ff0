mod pool;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, Instant};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

use self::pool::{Job, Pool, STACK_BYTES, start_thread};
use crate::Placement;

/// The longest wait for a free thread. Calls end within their wall limits, so that a wait beyond
/// this means that the machine cannot keep up.
const QUEUE_WAIT: Duration = Duration::from_secs(30);

/// The time beyond its wall limit that a call has to notice it by itself, at the next tick. After
/// that it must be blocked in a host function.
const GRACE: Duration = Duration::from_millis(100);

/// Threads that run guests: guests block, and no task of a runtime may.
#[derive(Debug)]
pub(crate) struct HookThreads {
    pool: Arc<Pool>,
    free: Arc<Semaphore>,
    placement: Placement,
}

/// What work needs of the thread that it runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    /// That no runtime is at work there: WASI has one of its own.
    NoRuntime,
}

/// Why there is no result from a hook thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ThreadError {
    #[error("did not return within its {0:?} of wall time and was given up")]
    GivenUp(Duration),
    #[error("the host panicked during the call")]
    Panicked,
    #[error("no hook thread was free within {QUEUE_WAIT:?}")]
    Busy,
    #[error("the system starts no thread for the call")]
    NoThread,
}

impl HookThreads {
    /// Threads for `count` calls side by side; they start when they are needed.
    pub(crate) fn new(count: usize, placement: Placement) -> Self {
        Self {
            pool: Arc::new(Pool::new(count)),
            free: Arc::new(Semaphore::new(count)),
            placement,
        }
    }

    /// Runs `work`, which blocks nowhere but in the guest, on this thread if it may be, else on a
    /// hook thread.
    ///
    /// # Errors
    ///
    /// As [`Self::run`].
    pub(crate) async fn run_anywhere<T: Send + 'static>(
        &self,
        needs: Needs,
        wall: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ThreadError> {
        match self.place(needs) {
            Some(place) => place.run(work),
            None => self.run(wall, work).await,
        }
    }

    /// A place on this thread, if calls may run there, it may block, and it is not one too many.
    pub(crate) fn place(&self, needs: Needs) -> Option<Place<'_>> {
        let may_run = match self.placement {
            Placement::HookThreads => false,
            Placement::InPlace => may_block() && has_stack(),
            Placement::Here => needs == Needs::Nothing && has_stack(),
        };
        let permit = may_run.then(|| self.free.try_acquire().ok()).flatten()?;
        Some(Place {
            tells_runtime: self.placement == Placement::InPlace,
            _permit: permit,
        })
    }

    /// Runs `work` on a hook thread.
    ///
    /// Dropping the future does not stop `work`: its own limits do.
    ///
    /// # Errors
    ///
    /// If no thread takes it, if it panics, or if it does not return within `wall` once a thread
    /// has taken it. In the last case the thread is given up and replaced.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        wall: Duration,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ThreadError> {
        if self.free.available_permits() == 0 {
            self.replace_overdue();
        }
        let permit = tokio::time::timeout(QUEUE_WAIT, Arc::clone(&self.free).acquire_owned())
            .await
            .map_err(|_| ThreadError::Busy)?
            .expect("invariant: the semaphore is never closed");
        let taken = Arc::new(OnceLock::new());
        let (done, on_done) = oneshot::channel();
        let work = {
            let taken = Arc::clone(&taken);
            move || {
                taken.get_or_init(Instant::now);
                // A send fails where the future was dropped, and then nobody is left to be told.
                done.send(catch_unwind(AssertUnwindSafe(work))).ok();
            }
        };
        Pool::submit(&self.pool, Job::new(permit, wall + GRACE, work))?;
        match in_time(wall + GRACE, &taken, on_done).await {
            Some(Ok(result)) => result.map_err(|_| ThreadError::Panicked),
            Some(Err(_)) if taken.get().is_none() => Err(ThreadError::NoThread),
            Some(Err(_)) => Err(ThreadError::Panicked),
            None => {
                self.replace_overdue();
                Err(ThreadError::GivenUp(wall))
            }
        }
    }

    fn replace_overdue(&self) {
        self.free.add_permits(self.pool.replace_overdue());
    }
}

/// A place for a call on the thread that asks for it.
pub(crate) struct Place<'a> {
    /// Whether the runtime is to give what else waits for this thread to another one.
    tells_runtime: bool,
    _permit: SemaphorePermit<'a>,
}

impl Place<'_> {
    /// Runs `work`, which blocks nowhere but in the guest.
    ///
    /// # Errors
    ///
    /// If it panics.
    pub(crate) fn run<T>(self, work: impl FnOnce() -> T) -> Result<T, ThreadError> {
        let work = || catch_unwind(AssertUnwindSafe(work));
        let done = if self.tells_runtime {
            tokio::task::block_in_place(work)
        } else {
            work()
        };
        done.map_err(|_| ThreadError::Panicked)
    }
}

/// What a thread sends within `limit` of having taken the work; none if it does not. When it takes
/// the work is read off, and not told: to wake somebody costs as much as a small call.
async fn in_time<T>(
    limit: Duration,
    taken: &OnceLock<Instant>,
    mut on_done: oneshot::Receiver<T>,
) -> Option<Result<T, oneshot::error::RecvError>> {
    loop {
        let spent = taken.get().map_or(Duration::ZERO, Instant::elapsed);
        let left = limit.checked_sub(spent)?;
        if let Ok(done) = tokio::time::timeout(left, &mut on_done).await {
            return Some(done);
        }
    }
}

/// Whether the runtime can do without this thread for a while.
fn may_block() -> bool {
    Handle::try_current()
        .is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread)
}

/// Whether this thread has as much stack as a guest and its host functions need.
fn has_stack() -> bool {
    stacker::remaining_stack().is_some_and(|left| left >= STACK_BYTES / 2)
}

impl Drop for HookThreads {
    fn drop(&mut self) {
        self.pool.close();
    }
}

/// Runs `work` on a hook thread of its own, and blocks until it is done.
///
/// # Errors
///
/// As [`HookThreads::run`].
pub(crate) fn run_once<T: Send + 'static>(
    wall: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ThreadError> {
    let (done, on_done) = mpsc::channel();
    start_thread(move || {
        // A send fails where the work was given up.
        done.send(work()).ok();
    })
    .map_err(|_| ThreadError::NoThread)?;
    on_done
        .recv_timeout(wall + GRACE)
        .map_err(|error| match error {
            mpsc::RecvTimeoutError::Timeout => ThreadError::GivenUp(wall),
            mpsc::RecvTimeoutError::Disconnected => ThreadError::Panicked,
        })
}
