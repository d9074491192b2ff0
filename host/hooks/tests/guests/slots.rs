//! What one instance leaves behind, no other finds: not in memory, tables, globals or locals, not
//! in its log, whether the one before it returned, trapped or was stopped.

use std::sync::Arc;

use spawnhook_hooks::{Chain, Decision, Hook, HookEngine, HookSpec, OnFailure, Verdict};
use spawnhook_model::{HookResult, Stage};

use crate::support::{call, engines, runtime, spawn};

const TEMPLATE: &str = include_str!("slots.wat");

/// A hook that looks for what others left, and leaves what others should not find.
#[derive(Clone, Copy)]
struct Prober {
    /// Names the hook, and is what it writes everywhere.
    secret: &'static str,
    /// Pages of memory and elements of its table at the start; it takes as many again.
    size: u32,
    /// What it does first, and what it does last.
    order: [&'static str; 2],
    /// How it ends.
    ending: &'static str,
}

const LOOK: &str = "(if (call $finds) (then (return (call $found))))";
const LEAVE: &str = "(call $leave)";
const RETURN: &str = "(return (i32.const 0))";
const TRAP: &str = "(unreachable)";
const LOOP: &str = "(loop $again (br $again))";

impl Prober {
    fn new(secret: &'static str, size: u32, ending: &'static str) -> Self {
        let order = [LOOK, LEAVE];
        Self {
            secret,
            size,
            order,
            ending,
        }
    }

    fn load(&self, engine: &HookEngine) -> Hook {
        let text = TEMPLATE
            .replace("SIZE", &self.size.to_string())
            .replace("SECRET", self.secret)
            .replace("ORDER", &self.order.concat())
            .replace("ENDING", self.ending);
        let component = wat::parse_str(text).unwrap();
        let spec = HookSpec {
            on_failure: OnFailure::Skip,
            ..HookSpec::new(self.secret, Stage::Guard, component)
        };
        engine.load(spec).unwrap()
    }
}

fn chain(engine: &HookEngine, probers: &[Prober]) -> Arc<Chain> {
    let hooks = probers.iter().map(|prober| prober.load(engine));
    Arc::new(Chain::new(hooks.collect()).unwrap())
}

/// Checks an engine, however it gives instances their memory.
fn assert_nothing_is_left_behind(engine: &HookEngine) {
    let probers = [
        Prober::new("alpha---", 4, RETURN),
        Prober::new("bravo---", 1, TRAP),
        Prober::new("charlie-", 9, RETURN),
        Prober::new("delta---", 2, LOOP),
        Prober::new("echo----", 9, TRAP),
        Prober::new("foxtrot-", 1, RETURN),
    ];
    let chain = chain(engine, &probers);
    runtime().block_on(async {
        for _ in 0..8 {
            // Side by side and one after the other.
            let decide = || {
                let chain = Arc::clone(&chain);
                tokio::spawn(async move { chain.decide(&call(), spawn()).await })
            };
            for decision in [decide(), decide(), decide()] {
                assert_alone(&decision.await.unwrap(), &probers);
            }
        }
    });
}

fn assert_alone(decision: &Decision, probers: &[Prober]) {
    assert_eq!(decision.verdict, Verdict::Proceed);
    for (report, prober) in decision.reports.iter().zip(probers) {
        let class = match &report.result {
            HookResult::Unchanged => RETURN,
            HookResult::Skipped(failure) if failure.class.name() == "panicked" => TRAP,
            HookResult::Skipped(failure) if failure.class.name() == "cpu-limit" => LOOP,
            other => panic!("{}: {other:?}", prober.secret),
        };
        assert_eq!(class, prober.ending);
        let told = format!("{report:?}");
        let others = probers.iter().filter(|other| other.secret != prober.secret);
        for other in others {
            assert!(!told.contains(other.secret), "{told}");
        }
    }
    assert_eq!(decision.reports.len(), probers.len());
}

#[test]
fn an_instance_finds_nothing_of_those_before_it() {
    for engine in engines() {
        assert_nothing_is_left_behind(&engine);
    }
}

/// Otherwise the test above could not fail.
#[test]
fn an_instance_finds_what_it_has_left_itself() {
    let engine = HookEngine::new().unwrap();
    let prober = Prober {
        order: [LEAVE, LOOK],
        ..Prober::new("golf----", 3, RETURN)
    };
    let chain = chain(&engine, &[prober]);
    let decision = runtime().block_on(chain.decide(&call(), spawn()));
    let Verdict::Denied { reason, .. } = decision.verdict else {
        panic!("{:?}", decision.verdict);
    };
    assert_eq!(reason, "found");
}
