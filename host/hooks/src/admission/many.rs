use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::{HookLoadError, admit};
use crate::engine::Shared;
use crate::{Hook, HookSpec};

/// What components have together where a second thread pays: below it they are loaded from the cache
/// in the time that a thread takes to start.
const LARGE_BYTES: usize = 1 << 20;

/// Admits hooks, two at a time where they are large: whoever starts a command waits for it, and more
/// at once would cost memory where they have to be compiled.
///
/// # Errors
///
/// That of the first, in their order, that cannot be loaded.
pub(crate) fn admit_all(
    shared: &Arc<Shared>,
    specs: Vec<HookSpec>,
) -> Result<Vec<Hook>, HookLoadError> {
    let bytes: usize = specs.iter().map(|spec| spec.component.len()).sum();
    let alone = specs.len() < 2 || bytes < LARGE_BYTES;
    let queue = Mutex::new(specs.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let admit_some = || {
        let mut admitted = Vec::new();
        while let Some((place, spec)) = next() {
            admitted.push((place, admit(shared, spec)));
        }
        admitted
    };
    let mut admitted = thread::scope(|scope| {
        let other = (!alone)
            .then(|| thread::Builder::new().spawn_scoped(scope, admit_some))
            // One that does not start is one that does not help.
            .and_then(Result::ok);
        let mut admitted = admit_some();
        if let Some(other) = other {
            admitted.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        admitted
    });
    admitted.sort_by_key(|(place, _)| *place);
    admitted.into_iter().map(|(_, hook)| hook).collect()
}
