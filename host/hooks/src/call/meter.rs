use std::sync::OnceLock;
use std::time::Duration;

use spawnhook_model::{Failure, FailureClass, Refusal};
use wasmtime::Store;

use super::CallState;
use crate::hook::Loaded;

/// More instructions than any budget of time lets a guest run.
const FUEL: u64 = u64::MAX;

/// What one call used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measures {
    /// From taking the call to having an instance with its settings.
    pub(crate) instantiate: Duration,
    /// From there to the checked answer.
    pub(crate) call: Duration,
    /// What all memories held together; memories never shrink, so that this is the most.
    pub(crate) memory_bytes: u64,
    /// Instructions, where the engine counts them.
    pub(crate) instructions: Option<u64>,
    /// What was kept of the log.
    pub(crate) log: String,
}

/// Takes the measures of one call.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    measures: OnceLock<Measures>,
    said: OnceLock<String>,
}

impl Meter {
    pub(super) fn note(&self, store: &Store<CallState>, instantiate: Duration, all: Duration) {
        let measures = Measures {
            instantiate,
            call: all.saturating_sub(instantiate),
            memory_bytes: store.data().memory_bytes(),
            instructions: store.get_fuel().ok().map(|left| FUEL - left),
            log: store.data().log().text(),
        };
        // One meter takes one call.
        self.measures.set(measures).ok();
    }

    /// Takes the text of a refusal as the guest gave it.
    pub(super) fn hear(&self, refusal: &Refusal) {
        let (Refusal::Deny(text) | Refusal::Ask(text)) = refusal;
        self.said.set(text.clone()).ok();
    }

    /// The text of the refusal, if the guest refused.
    pub(crate) fn said(&self) -> Option<String> {
        self.said.get().cloned()
    }

    /// The measures, if the call got as far as having an instance.
    pub(crate) fn measures(&self) -> Option<Measures> {
        self.measures.get().cloned()
    }
}

/// Lets a guest of an engine that counts instructions run at all.
pub(super) fn fill(hook: &Loaded, store: &mut Store<CallState>) -> Result<(), Failure> {
    if !hook.shared.counts_instructions {
        return Ok(());
    }
    store.set_fuel(FUEL).map_err(|error| Failure {
        class: FailureClass::Host,
        message: format!("the instructions of the call cannot be counted: {error}"),
    })
}
