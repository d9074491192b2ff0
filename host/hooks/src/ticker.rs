use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use wasmtime::{Engine, EngineWeak};

/// The time between two ticks of the epoch. A guest overruns its limit by at most one, and a call
/// that takes some 30 µs, which is the usual one, mostly sees none.
const INTERVAL: Duration = Duration::from_millis(1);

/// Advances the epoch of an engine while calls are active, from a thread of its own: a runtime's
/// task would be late exactly when a guest keeps the machine busy.
#[derive(Debug)]
pub(crate) struct Ticker {
    shared: Arc<Shared>,
}

/// Keeps the epoch advancing as long as it lives.
#[derive(Debug)]
pub(crate) struct Ticking {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    active: usize,
    stopped: bool,
}

impl Ticker {
    /// Starts the thread. It ends with the ticker, and keeps no engine alive.
    ///
    /// # Errors
    ///
    /// If the system starts no thread.
    pub(crate) fn start(engine: &Engine) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let engine = engine.weak();
        std::thread::Builder::new()
            .name("hook-ticker".to_owned())
            .spawn({
                let shared = Arc::clone(&shared);
                move || tick(&shared, &engine)
            })?;
        Ok(Self { shared })
    }

    /// Lets the epoch advance until the result is dropped.
    pub(crate) fn ticking(&self) -> Ticking {
        let mut state = self.shared.lock();
        state.active += 1;
        let was_idle = state.active == 1;
        drop(state);
        if was_idle {
            self.shared.changed.notify_one();
        }
        Ticking {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.changed.notify_one();
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.shared.lock().active -= 1;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps until there is a call to tick for; whether there will ever be one.
    fn wait_for_call(&self) -> bool {
        let idle = |state: &mut State| state.active == 0 && !state.stopped;
        let state = self
            .changed
            .wait_while(self.lock(), idle)
            .unwrap_or_else(PoisonError::into_inner);
        !state.stopped
    }
}

fn tick(shared: &Shared, engine: &EngineWeak) {
    while shared.wait_for_call() {
        std::thread::sleep(INTERVAL);
        let Some(engine) = engine.upgrade() else {
            return;
        };
        engine.increment_epoch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_ends_with_its_ticker() {
        let engine = Engine::default();
        let ticker = Ticker::start(&engine).unwrap();
        let shared = Arc::downgrade(&ticker.shared);
        drop(ticker);
        while shared.upgrade().is_some() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_call_that_is_active_does_not_keep_the_thread_of_a_dropped_ticker() {
        let engine = Engine::default();
        let ticker = Ticker::start(&engine).unwrap();
        let ticking = ticker.ticking();
        let shared = Arc::downgrade(&ticking.shared);
        drop(ticker);
        while shared.strong_count() > 1 {
            std::thread::yield_now();
        }
        drop(ticking);
    }
}
