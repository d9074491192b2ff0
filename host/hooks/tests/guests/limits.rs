use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use spawnhook_hooks::{AuditLog, Chain, HookEngine, HookLimits, Recorded};
use spawnhook_model::HookResult;

use crate::support::{Guest, Records, call, runtime, spawn};

/// A command behind a guest that never returns, and one behind a good one, as they end.
async fn decide(chain: Arc<Chain>) -> &'static str {
    let decision = chain.decide(&call(), spawn()).await;
    match &decision.reports[0].result {
        HookResult::Skipped(failure) => failure.class.name(),
        other => other.name(),
    }
}

#[test]
fn guests_that_never_return_do_not_harm_others_beside_them() {
    let engine = HookEngine::new().unwrap();
    let [bad, good] = ["loops", "good"].map(|name| {
        let hook = engine.load(Guest::named(name).spec()).unwrap();
        Arc::new(Chain::new(vec![hook]).unwrap())
    });
    let runtime = runtime();
    runtime.block_on(async {
        let spawned = |chain: &Arc<Chain>| tokio::spawn(decide(Arc::clone(chain)));
        let pairs: Vec<_> = (0..8).map(|_| (spawned(&bad), spawned(&good))).collect();
        for (bad, good) in pairs {
            assert_eq!(bad.await.unwrap(), "cpu-limit");
            assert_eq!(good.await.unwrap(), "unchanged");
        }
    });
}

#[test]
fn a_call_that_is_dropped_midway_breaks_nothing() {
    let engine = HookEngine::new().unwrap();
    let hooks = ["loops", "good"].map(|name| engine.load(Guest::named(name).spec()).unwrap());
    let chain = Arc::new(Chain::new(hooks.to_vec()).unwrap());
    runtime().block_on(async {
        for _ in 0..8 {
            let decision = tokio::spawn(decide(Arc::clone(&chain)));
            tokio::task::yield_now().await;
            decision.abort();
        }
        assert_eq!(decide(chain).await, "cpu-limit");
    });
}

/// The failure of a guest that has these limits, as `class: message`.
fn failure(guest: &str, limits: HookLimits) -> String {
    let engine = HookEngine::new().unwrap();
    let mut spec = Guest::named(guest).spec();
    spec.limits = limits;
    let chain = Chain::new(vec![engine.load(spec).unwrap()]).unwrap();
    let decision = runtime().block_on(chain.decide(&call(), spawn()));
    let HookResult::Skipped(failure) = &decision.reports[0].result else {
        panic!("{:?}", decision.reports);
    };
    format!("{}: {failure}", failure.class.name())
}

#[test]
fn the_limit_of_cpu_time_is_the_one_that_is_set() {
    let limits = HookLimits {
        cpu: Duration::from_millis(7),
        ..HookLimits::default()
    };
    assert_eq!(
        failure("loops", limits),
        "cpu-limit: before-spawn used more than its 7 ms of CPU time (limits.cpu)"
    );
}

#[test]
fn the_limit_of_wall_time_ends_a_guest_that_may_still_use_the_cpu() {
    let limits = HookLimits {
        cpu: Duration::from_secs(600),
        wall: Duration::from_millis(30),
        ..HookLimits::default()
    };
    let failure = failure("loops", limits);
    assert!(
        failure.starts_with(
            "wall-limit: before-spawn did not return within its 30 ms of wall time (limits.wall)"
        ) || failure.starts_with("wall-limit: did not return within its 30 ms"),
        "{failure}"
    );
}

#[test]
fn the_limit_of_memory_is_the_one_that_is_set() {
    let limits = HookLimits {
        memory_bytes: 1 << 20,
        ..HookLimits::default()
    };
    assert_eq!(
        failure("memory-grows", limits),
        "memory-limit: before-spawn asked for 1114112 bytes of memory; its limit is 1048576 \
         (limits.memory)"
    );
}

#[test]
fn the_limit_of_data_holds_for_what_a_hook_is_given() {
    let limits = HookLimits {
        data_bytes: 10,
        ..HookLimits::default()
    };
    assert_eq!(
        failure("good", limits),
        "data-limit: before-spawn would have been given 25 bytes of data; its limit is 10"
    );
}

/// An audit log whose first record never ends, until the sender is dropped.
struct Blocked(Mutex<Option<mpsc::Receiver<()>>>);

impl AuditLog for Blocked {
    fn append(&self, _hook: &str, _entry: &str) -> Result<(), String> {
        let blocked = self.0.lock().unwrap().take();
        blocked.map_or(Ok(()), |blocked| {
            blocked.recv().ok();
            Ok(())
        })
    }
}

#[test]
fn a_call_that_blocks_in_the_host_is_given_up_and_others_go_on() {
    let engine = HookEngine::new().unwrap();
    let mut spec = Guest::named("audit-records").spec();
    spec.limits.wall = Duration::from_millis(20);
    let chain = Chain::new(vec![engine.load(spec).unwrap()]).unwrap();
    let (release, blocked) = mpsc::channel();
    let blocked: Arc<dyn AuditLog> = Arc::new(Blocked(Mutex::new(Some(blocked))));
    let spawn = Arc::new(spawn());
    let record = |log| runtime().block_on(chain.record_spawn(&call(), &spawn, log));
    let Recorded::Proceed { reports } = record(&blocked) else {
        panic!("the failure is to be skipped");
    };
    let HookResult::Skipped(failure) = &reports[0].result else {
        panic!("{reports:?}");
    };
    assert_eq!(
        failure.message,
        "did not return within its 20 ms of wall time (limits.wall); its thread was given up"
    );
    let records = Records::default();
    let log = records.log();
    for _ in 0..20 {
        record(&log);
    }
    assert!(records.by("audit-records") > 0);
    drop(release);
}

/// An audit log that panics.
struct Broken;

impl AuditLog for Broken {
    fn append(&self, _hook: &str, _entry: &str) -> Result<(), String> {
        panic!("on purpose");
    }
}

#[test]
fn a_panic_of_the_host_is_a_failure_of_the_call_alone() {
    let engine = HookEngine::new().unwrap();
    let hook = engine.load(Guest::named("audit-records").spec()).unwrap();
    let chain = Chain::new(vec![hook]).unwrap();
    let spawn = Arc::new(spawn());
    let record = |log: Arc<dyn AuditLog>| {
        let recorded = runtime().block_on(chain.record_spawn(&call(), &spawn, &log));
        let Recorded::Proceed { reports } = recorded else {
            panic!("the failure is to be skipped");
        };
        reports.into_iter().next().unwrap().result
    };
    let HookResult::Skipped(failure) = record(Arc::new(Broken)) else {
        panic!("the audit log panicked");
    };
    assert_eq!(failure.class.name(), "host");
    assert_eq!(record(Records::default().log()), HookResult::Unchanged);
}

#[test]
fn a_hook_that_keeps_failing_is_reported_loudly() {
    let engine = HookEngine::new().unwrap();
    let spec = Guest::named("divides-by-zero").spec();
    let chain = Chain::new(vec![engine.load(spec).unwrap()]).unwrap();
    for failures in 1..=6 {
        let decision = runtime().block_on(chain.decide(&call(), spawn()));
        let loud = format!("it has failed {failures} times in a row");
        assert_eq!(decision.reports[0].notices.contains(&loud), failures >= 5);
    }
}
