use std::time::{Duration, SystemTime, UNIX_EPOCH};

use wasmtime::component::{HasData, Linker, Resource, ResourceTable};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock::{self, Host};
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};
use wasmtime_wasi::{HostWallClock, async_trait};

use crate::call::CallState;

/// What one reading of the monotonic clock adds to it, in nanoseconds: enough to divide by, and
/// nothing that tells how fast the machine is.
const STEP: u64 = 1_000;

/// A wall clock that stands at the time when the call was accepted.
pub(super) struct CallStart(Duration);

impl CallStart {
    pub(super) fn new(started: SystemTime) -> Self {
        Self(started.duration_since(UNIX_EPOCH).unwrap_or_default())
    }
}

impl HostWallClock for CallStart {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        self.0
    }
}

/// A monotonic clock that counts how often it was read.
#[derive(Debug, Default)]
pub(crate) struct Steps(u64);

impl Steps {
    /// Whether nobody has read the clock or waited.
    pub(crate) fn is_untouched(&self) -> bool {
        self.0 == 0
    }
}

/// The monotonic clock of a call, with the table that its pollables live in.
struct StepsView<'a> {
    steps: &'a mut Steps,
    table: &'a mut ResourceTable,
}

struct Clock;

impl HasData for Clock {
    type Data<'a> = StepsView<'a>;
}

/// Replaces the monotonic clock of WASI, which sleeps in real time whatever clock it is given: a
/// guest that sleeps would hold a hook thread where no limit reaches it.
pub(super) fn offer(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    monotonic_clock::add_to_linker::<CallState, Clock>(linker, |state| {
        let (steps, table) = state.clock();
        StepsView { steps, table }
    })
}

impl Host for StepsView<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        self.steps.0 = self.steps.0.saturating_add(STEP);
        Ok(self.steps.0)
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        Ok(STEP)
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.steps.0 = self.steps.0.max(when);
        self.subscribe()
    }

    fn subscribe_duration(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.steps.0 = self.steps.0.saturating_add(duration);
        self.subscribe()
    }
}

impl StepsView<'_> {
    fn subscribe(&mut self) -> wasmtime::Result<Resource<DynPollable>> {
        let now = self.table.push(Now)?;
        subscribe(self.table, now)
    }
}

/// A point of time that has come.
struct Now;

#[async_trait]
impl Pollable for Now {
    async fn ready(&mut self) {}
}
