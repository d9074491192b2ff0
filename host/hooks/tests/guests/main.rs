//! Hostile and well-behaved guests: each file under `tests/guests` says in its header what must
//! come of it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod admission;
mod corpus;
mod encodings;
mod facts;
mod lasting;
mod limits;
mod recording;
mod slots;
mod snapshots;
mod support;
mod toolchain;
mod trial;

use std::time::{Duration, Instant};

use spawnhook_hooks::{Chain, Hook, HookEngine, OnFailure, Recorded};
use spawnhook_model::{HookReport, HookResult, Stage};
use support::guest::guests;
use support::{Guest, Records, call, engines, exit, runtime, spawn};

/// What one call may take at most: far above every limit of a guest, and far below a hang. Loading
/// compiles, and the machine may be busy.
const CALL_LIMIT: Duration = Duration::from_secs(4);

#[test]
fn every_guest_ends_as_its_header_says() {
    let mut wrong = Vec::new();
    for engine in engines() {
        for guest in guests() {
            if let Err(problem) = check(&engine, &guest) {
                wrong.push(format!("{}: {problem}", guest.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn there_are_guests_for_every_stage() {
    for stage in Stage::ALL {
        assert!(guests().iter().any(|guest| guest.stage == stage), "{stage}");
    }
}

fn check(engine: &HookEngine, guest: &Guest) -> Result<(), String> {
    match engine.load(guest.spec()) {
        Err(error) => {
            let text = error.to_string();
            let kind = format!("load:{}", error.fault.name());
            expect(guest, &kind, &text)?;
            holds(text.contains(&guest.name), "the error names no hook")
        }
        Ok(hook) => check_calls(engine, guest, hook),
    }
}

/// Calls the guest, and behind it one that is well-behaved and must not notice.
fn check_calls(engine: &HookEngine, guest: &Guest, hook: Hook) -> Result<(), String> {
    let behind = match guest.stage {
        Stage::Rewrite => "good",
        Stage::Guard => "good-guard",
        Stage::Audit => "audit-records",
    };
    let behind = Guest::named(behind).renamed("behind");
    let chain = Chain::new(vec![hook, engine.load(behind.spec()).unwrap()]).unwrap();
    let started = Instant::now();
    let seen = match guest.stage {
        Stage::Rewrite | Stage::Guard => decide(&chain),
        Stage::Audit => record(&chain, guest.after_exit),
    };
    holds(started.elapsed() < CALL_LIMIT, "it took too long")?;
    expect(guest, &seen.class, &seen.text)?;
    let ended = matches!(seen.class.as_str(), "denied");
    holds(
        ended || seen.behind,
        "the hook behind it did not return well",
    )
}

/// What came of the calls.
struct Seen {
    class: String,
    text: String,
    behind: bool,
}

fn decide(chain: &Chain) -> Seen {
    let decision = runtime().block_on(chain.decide(&call(), spawn()));
    let mut seen = seen(&decision.reports);
    seen.text.push_str(&decision.spawn.command);
    seen
}

fn record(chain: &Chain, after_exit: bool) -> Seen {
    let records = Records::default();
    let (spawn, log) = (spawn().into(), records.log());
    let reports = runtime().block_on(async {
        let recorded = chain.record_spawn(&call(), &spawn, &log).await;
        let Recorded::Proceed { reports } = recorded else {
            panic!("failures are skipped, but the chain ended: {recorded:?}");
        };
        if after_exit {
            chain.record_exit(&call(), &spawn, &exit(), &log).await
        } else {
            reports
        }
    });
    let seen = seen(&reports);
    assert!(!seen.behind || records.by("behind") > 0);
    seen
}

fn seen(reports: &[HookReport]) -> Seen {
    let (class, text) = match &reports[0].result {
        HookResult::NotCalled => ("not-called", ""),
        HookResult::Unchanged => ("ok", "unchanged"),
        HookResult::Changed => ("ok", "changed"),
        HookResult::Denied(text) => ("denied", text.as_str()),
        HookResult::Asked(text) => ("asked", text.as_str()),
        HookResult::Failed(failure) | HookResult::Skipped(failure) => {
            (failure.class.name(), failure.message.as_str())
        }
    };
    Seen {
        class: class.to_owned(),
        text: format!("{text}\n{}\n", reports[0].notices.join("\n")),
        behind: reports
            .get(1)
            .is_some_and(|report| report.result == HookResult::Unchanged),
    }
}

fn expect(guest: &Guest, class: &str, text: &str) -> Result<(), String> {
    holds(
        guest.expect == class,
        &format!("expected {}, found {class}: {text}", guest.expect),
    )?;
    for says in &guest.says {
        holds(text.contains(says), &format!("says no \"{says}\": {text}"))?;
    }
    Ok(())
}

fn holds(condition: bool, problem: &str) -> Result<(), String> {
    condition.then_some(()).ok_or_else(|| problem.to_owned())
}

#[test]
fn a_guest_that_fails_stops_the_command_unless_it_is_to_be_skipped() {
    let engine = HookEngine::new().unwrap();
    let mut spec = Guest::named("panics").spec();
    spec.on_failure = OnFailure::Deny;
    let chain = Chain::new(vec![engine.load(spec).unwrap()]).unwrap();
    let decision = runtime().block_on(chain.decide(&call(), spawn()));
    let spawnhook_hooks::Verdict::Failed { hook, failure } = decision.verdict else {
        panic!("{:?}", decision.verdict);
    };
    assert_eq!(
        (hook.as_str(), failure.class.name()),
        ("panics", "panicked")
    );
}
