//! Where the calls run that append to a log.

use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use spawnhook_hooks::{AuditLog, Chain, Recorded};

use crate::support::guest::guests;
use crate::support::{call, engines, exit, runtime, spawn};

/// A log that somebody else holds, or nobody.
struct Held {
    held: bool,
    /// The threads that wrote, and whether they were ready to wait.
    written: Mutex<Vec<(ThreadId, bool)>>,
}

impl Held {
    fn write(&self, waits: bool) -> Result<(), String> {
        let mut written = self.written.lock().unwrap();
        written.push((thread::current().id(), waits));
        Ok(())
    }
}

impl AuditLog for Held {
    fn append(&self, _hook: &str, _entry: &str) -> Result<(), String> {
        self.write(true)
    }

    fn append_at_once(&self, _hook: &str, _entry: &str) -> Option<Result<(), String>> {
        (!self.held).then(|| self.write(false))
    }
}

/// Records the spawn and the exit of a call, and says where that was done.
fn record(held: bool) -> Vec<(bool, bool)> {
    let [_, engine] = engines();
    let guest = guests()
        .into_iter()
        .find(|guest| guest.name == "audit-records");
    let hook = engine.load(guest.unwrap().spec()).unwrap();
    let chain = Chain::new(vec![hook]).unwrap();
    let held = Arc::new(Held {
        held,
        written: Mutex::default(),
    });
    let log = Arc::clone(&held) as Arc<dyn AuditLog>;
    let spawn = Arc::new(spawn());
    runtime().block_on(async {
        let recorded = chain.record_spawn(&call(), &spawn, &log).await;
        assert!(matches!(recorded, Recorded::Proceed { .. }));
        chain.record_exit(&call(), &spawn, &exit(), &log).await;
    });
    let here = thread::current().id();
    let written = held.written.lock().unwrap();
    written
        .iter()
        .map(|(thread, waits)| (*thread == here, *waits))
        .collect()
}

#[test]
fn a_log_that_keeps_nobody_waiting_is_written_where_the_call_is_asked_for() {
    assert_eq!(record(false), [(true, false); 2]);
}

#[test]
fn a_log_that_has_to_wait_is_written_once_and_on_a_hook_thread() {
    assert_eq!(record(true), [(false, true); 2]);
}
