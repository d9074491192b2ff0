use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::job::Job;

/// Commands that have ended and are kept for those who ask; older ones are forgotten.
const MOST_ENDED: usize = 64;

/// The commands that a client can ask about.
#[derive(Debug, Default)]
pub(super) struct Jobs(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    started: u64,
    jobs: BTreeMap<u64, Arc<Job>>,
}

impl Jobs {
    pub(super) fn add(&self, requested: String, cwd: PathBuf) -> Arc<Job> {
        let mut known = self.known();
        known.forget_old();
        known.started += 1;
        let number = known.started;
        let job = Arc::new(Job::new(format!("bash_{number}"), requested, cwd));
        known.jobs.insert(number, job.clone());
        job
    }

    pub(super) fn find(&self, handle: &str) -> Option<Arc<Job>> {
        let known = self.known();
        let mut jobs = known.jobs.values();
        jobs.find(|job| job.handle == handle).cloned()
    }

    /// Nobody will ask about it any more.
    pub(super) fn forget(&self, job: &Job) {
        self.known()
            .jobs
            .retain(|_, known| known.handle != job.handle);
    }

    /// In the order of their starts.
    pub(super) fn all(&self) -> Vec<Arc<Job>> {
        self.known().jobs.values().cloned().collect()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn forget_old(&mut self) {
        let ended = self.jobs.iter();
        let ended = ended.filter(|(_, job)| job.progress().is_finished);
        let ended: Vec<u64> = ended.map(|(number, _)| *number).collect();
        let surplus = ended.len().saturating_sub(MOST_ENDED);
        for number in &ended[..surplus] {
            self.jobs.remove(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_found_by_its_handle_until_it_is_forgotten() {
        let jobs = Jobs::default();
        let first = jobs.add("one".to_owned(), "/".into());
        let second = jobs.add("two".to_owned(), "/".into());
        assert_ne!(first.handle, second.handle);
        assert_eq!(jobs.find(&second.handle).unwrap().requested, "two");
        jobs.forget(&second);
        assert!(jobs.find(&second.handle).is_none());
        assert_eq!(jobs.all().len(), 1);
        assert_ne!(
            jobs.add("three".to_owned(), "/".into()).handle,
            second.handle
        );
    }
}
