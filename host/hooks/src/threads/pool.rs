use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;
use wasmtime::Engine;

use super::ThreadError;

/// The stack of a hook thread. Guests get 256 KiB of it; the rest is for the host's own code,
/// which lifts and lowers values.
pub(super) const STACK_BYTES: usize = 2 << 20;

/// Threads that were given up, are still blocked and have been replaced, at one time.
const LOST: usize = 32;

/// Threads that take jobs off a queue. The queue is bounded by the permits that jobs hold.
#[derive(Debug)]
pub(super) struct Pool {
    limit: usize,
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Job>,
    /// When each running job is overdue, by its number.
    running: BTreeMap<u64, Instant>,
    next: u64,
    threads: usize,
    idle: usize,
    lost: usize,
    closed: bool,
}

/// One call, waiting for a thread.
pub(super) struct Job {
    permit: OwnedSemaphorePermit,
    overdue_after: Duration,
    work: Box<dyn FnOnce() + Send>,
}

impl Job {
    pub(super) fn new(
        permit: OwnedSemaphorePermit,
        overdue_after: Duration,
        work: impl FnOnce() + Send + 'static,
    ) -> Self {
        Self {
            permit,
            overdue_after,
            work: Box::new(work),
        }
    }
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").finish_non_exhaustive()
    }
}

impl Pool {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            state: Mutex::default(),
            wake: Condvar::new(),
        }
    }

    /// Hands a job to an idle thread, or to a new one while there are fewer than the limit.
    pub(super) fn submit(pool: &Arc<Self>, job: Job) -> Result<(), ThreadError> {
        let mut state = pool.lock();
        state.queue.push_back(job);
        if state.queue.len() > state.idle && state.threads < pool.limit {
            let worker = Arc::clone(pool);
            match start_thread(move || worker.work()) {
                Ok(()) => state.threads += 1,
                Err(_) if state.threads == 0 => {
                    state.queue.pop_back();
                    return Err(ThreadError::NoThread);
                }
                Err(_) => {}
            }
        }
        drop(state);
        pool.wake.notify_one();
        Ok(())
    }

    /// Gives up the threads whose jobs are overdue, and makes room for as many new ones; returns
    /// how many.
    pub(super) fn replace_overdue(&self) -> usize {
        let now = Instant::now();
        let mut state = self.lock();
        let room = LOST - state.lost;
        let overdue: Vec<u64> = state
            .running
            .iter()
            .filter(|(_, overdue)| **overdue <= now)
            .map(|(number, _)| *number)
            .take(room)
            .collect();
        for number in &overdue {
            state.running.remove(number);
        }
        state.lost += overdue.len();
        state.threads -= overdue.len();
        overdue.len()
    }

    /// Lets every thread end after its job.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.wake.notify_all();
    }

    /// How many threads were given up and are still blocked.
    #[cfg(test)]
    pub(super) fn lost(&self) -> usize {
        self.lock().lost
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some((number, job)) = self.next_job() {
            (job.work)();
            if !self.finished(number) {
                // The thread was replaced, and the permit with it.
                job.permit.forget();
                return;
            }
        }
    }

    fn next_job(&self) -> Option<(u64, Job)> {
        let mut state = self.lock();
        state.idle += 1;
        let mut state = self
            .wake
            .wait_while(state, |state| state.queue.is_empty() && !state.closed)
            .unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        let job = state.queue.pop_front()?;
        let number = state.next;
        state.next += 1;
        state
            .running
            .insert(number, Instant::now() + job.overdue_after);
        Some((number, job))
    }

    /// Whether this thread still belongs to the pool after its job.
    fn finished(&self, number: u64) -> bool {
        let mut state = self.lock();
        let ours = state.running.remove(&number).is_some();
        if !ours {
            state.lost -= 1;
        }
        ours
    }
}

/// Starts a thread that can run guests.
///
/// It stands in a tokio context of its own: the host functions of WASI look for one, and would
/// otherwise start a runtime with threads for the whole process. Nothing ever waits in it, since
/// everything that a guest can wait for is ready.
pub(super) fn start_thread(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let context = tokio::runtime::Builder::new_current_thread().build()?;
    std::thread::Builder::new()
        .name("hook".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let _context = context.enter();
            Engine::tls_eager_initialize();
            work();
        })?;
    Ok(())
}
