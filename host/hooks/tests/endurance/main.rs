//! Failures without end leave the host as it was. By itself, since it looks at the whole process.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[expect(dead_code, reason = "other tests use the rest of it")]
#[path = "../guests/support.rs"]
mod support;

use std::fs;

use spawnhook_hooks::{Chain, HookEngine};
use support::{Guest, call, engines, runtime, spawn};

/// Every way to fail that does not wait for a limit of time.
const FAILING: [&str; 8] = [
    "bad-discriminant",
    "divides-by-zero",
    "invalid-utf8",
    "log-flood",
    "memories-grow",
    "panics",
    "recurses",
    "sets-without-right",
];

fn chain(engine: &HookEngine, name: &str) -> Chain {
    Chain::new(vec![engine.load(Guest::named(name).spec()).unwrap()]).unwrap()
}

fn result(runtime: &tokio::runtime::Runtime, chain: &Chain) -> &'static str {
    let decision = runtime.block_on(chain.decide(&call(), spawn()));
    decision.reports[0].result.name()
}

/// A number of `/proc/self/status`: threads, or the resident memory in KiB.
fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line
        .unwrap()
        .trim_start_matches(':')
        .split_whitespace()
        .next();
    number.unwrap().parse().unwrap()
}

#[test]
fn a_thousand_failures_leave_memory_threads_and_later_calls_as_they_were() {
    for engine in engines() {
        let runtime = runtime();
        let failing = FAILING.map(|name| chain(&engine, name));
        let good = chain(&engine, "good");
        let round = |calls: usize| {
            for call in 0..calls {
                let chain = &failing[call % failing.len()];
                let name = FAILING[call % failing.len()];
                let expected = if name == "log-flood" {
                    "unchanged"
                } else {
                    "skipped"
                };
                assert_eq!(result(&runtime, chain), expected, "{name}");
            }
            assert_eq!(result(&runtime, &good), "unchanged");
        };
        // Whatever is kept for good is there after these.
        round(200);
        let before = (status("Threads"), status("VmRSS"));
        round(1000);
        // One that was not needed before may have started meanwhile, up to their number.
        let most = before.0 + std::thread::available_parallelism().unwrap().get() as u64;
        assert!(status("Threads") <= most, "{} threads before", before.0);
        let grown = status("VmRSS").saturating_sub(before.1);
        assert!(grown < 8 << 10, "{grown} KiB more than {} KiB", before.1);
    }
}
