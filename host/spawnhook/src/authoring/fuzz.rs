//! Made-up cases: generates commands and settings, calls a hook with them, and looks for an
//! invariant that does not hold.
//!
//! What case `N` of a seed is depends on nothing else, so that a finding can be had again.

mod case;
mod generator;
mod report;
mod shrink;
#[cfg(test)]
mod tests;
mod worker;

use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use spawnhook_hooks::HookLoadError;

use self::worker::{Found, Worker};
use super::fixtures::Fixtures;
use super::{Workbench, WorkbenchError};

pub use self::case::{Case, CaseSettings, Class};
pub use self::report::{Finding, FuzzReport, Spread};

/// How often progress is told.
const PROGRESS: Duration = Duration::from_millis(100);

/// How long a search goes on. It ends with the first finding in any case.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// What the cases follow from.
    pub seed: u64,
    /// No case starts after this time.
    pub time: Option<Duration>,
    /// How many cases there are.
    pub cases: Option<u64>,
    /// How many threads try cases.
    pub workers: NonZeroUsize,
}

/// Why a search could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FuzzError {
    /// The hook cannot be called.
    #[error(transparent)]
    Workbench(#[from] WorkbenchError),
    /// Settings in the file of fixtures are none for this hook.
    #[error("the settings {settings} of the fixtures cannot be used")]
    Settings {
        /// The settings.
        settings: String,
        /// Why.
        #[source]
        source: Box<HookLoadError>,
    },
    /// The shell that an invariant needs cannot be asked.
    #[error("cannot ask a shell whether a command parses")]
    Shell(#[source] io::Error),
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The cases that were tried.
    pub cases: u64,
    /// Since the start.
    pub took: Duration,
}

/// What the workers of a search share.
struct Shared {
    campaign: Campaign,
    started: Instant,
    next: AtomicU64,
    done: AtomicU64,
    /// Findings, one per worker at most of those that are not borderline.
    found: Mutex<Vec<Found>>,
    /// How many workers have ended.
    ended: Mutex<usize>,
    changed: Condvar,
}

impl Shared {
    /// The number of the next case, while there is one.
    fn next(&self) -> Option<u64> {
        let Campaign { time, cases, .. } = self.campaign;
        let in_time = time.is_none_or(|time| self.started.elapsed() < time);
        if !in_time || lock(&self.found).iter().any(|found| !found.is_borderline) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        cases.is_none_or(|cases| number < cases).then_some(number)
    }

    fn progress(&self) -> Progress {
        Progress {
            cases: self.done.load(Ordering::Relaxed),
            took: self.started.elapsed(),
        }
    }

    /// Tells progress until every worker has ended.
    fn watch(&self, progress: &dyn Fn(Progress)) {
        let workers = self.campaign.workers.get();
        let mut ended = lock(&self.ended);
        while *ended < workers {
            ended = self
                .changed
                .wait_timeout(ended, PROGRESS)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
            progress(self.progress());
        }
    }
}

/// Tells that a worker has ended, however it did.
struct Ended<'a>(&'a Shared);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        *lock(&self.0.ended) += 1;
        self.0.changed.notify_all();
    }
}

/// Searches, and shrinks what it finds. The hook is loaded with the settings of the fixtures.
///
/// # Errors
///
/// If the hook cannot be called as the fixtures have it.
pub fn fuzz(
    bench: &Workbench,
    fixtures: &Fixtures,
    campaign: Campaign,
    progress: &dyn Fn(Progress),
) -> Result<FuzzReport, FuzzError> {
    let shared = Shared {
        campaign,
        started: Instant::now(),
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        found: Mutex::default(),
        ended: Mutex::default(),
        changed: Condvar::new(),
    };
    let workers = (0..campaign.workers.get())
        .map(|_| Worker::new(bench, fixtures))
        .collect::<Result<Vec<_>, _>>()?;
    let results: Vec<Result<Spread, FuzzError>> = std::thread::scope(|scope| {
        let running: Vec<_> = workers
            .into_iter()
            .map(|worker| {
                let shared = &shared;
                scope.spawn(move || {
                    let _ended = Ended(shared);
                    worker.run(shared)
                })
            })
            .collect();
        shared.watch(progress);
        running
            .into_iter()
            .map(|thread| thread.join().expect("invariant: a worker does not panic"))
            .collect()
    });
    let took = shared.started.elapsed();
    let mut spread = Spread::default();
    for result in results {
        spread.add(&result?);
    }
    let mut found = std::mem::take(&mut *lock(&shared.found));
    found.sort_by_key(|found| (found.is_borderline, found.number));
    let finding = match found.into_iter().next() {
        None => None,
        Some(found) => {
            let worker = Worker::new(bench, fixtures)?;
            Some(shrink::shrink(&worker, found)?)
        }
    };
    Ok(FuzzReport {
        seed: campaign.seed,
        took,
        spread,
        finding,
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
