use std::sync::Arc;

use crate::{Call, Chunk, Outcome, SpawnContext};

/// What a front end is told while a call runs. The order is `Started`, any number of `Output`,
/// `Finished`; a call that is refused has no `Started`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Every hook has agreed, and the command is being spawned.
    Started {
        /// The facts of the call.
        call: Arc<Call>,
        /// What is spawned.
        spawn: Arc<SpawnContext>,
    },
    /// What the command wrote.
    Output(Chunk),
    /// The last event.
    Finished(Box<Outcome>),
}
