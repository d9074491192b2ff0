use std::time::Duration;

use proptest::prelude::*;
use spawnhook_model::{Env, Failure, FailureClass, Field};

use super::*;

/// What a scripted hook does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Keep,
    Change,
    Deny,
    Ask,
    Fail,
    FailAndSkip,
}

fn act() -> impl Strategy<Value = Act> {
    prop::sample::select(vec![
        Act::Keep,
        Act::Keep,
        Act::Change,
        Act::Deny,
        Act::Ask,
        Act::Fail,
        Act::FailAndSkip,
    ])
}

fn spawn(command: String) -> SpawnContext {
    SpawnContext {
        command,
        cwd: "/".into(),
        env: Env::new(),
    }
}

fn failure() -> Failure {
    Failure {
        class: FailureClass::Trapped,
        message: "trapped".to_owned(),
    }
}

fn answer(act: Act, before: &SpawnContext) -> Result<Answer, Failure> {
    match act {
        Act::Keep => Ok(Answer::Unchanged),
        Act::Change => {
            let after = spawn(format!("{}+", before.command));
            Ok(Answer::Changed(Arc::new(after), vec![Field::Command]))
        }
        Act::Deny => Ok(Answer::Refused(Refusal::Deny("no".to_owned()))),
        Act::Ask => Ok(Answer::Refused(Refusal::Ask("sure?".to_owned()))),
        Act::Fail | Act::FailAndSkip => Err(failure()),
    }
}

/// The chain over scripted hooks, as `Chain::decide` walks over real ones.
fn run(acts: &[Act]) -> Decision {
    let mut progress = Progress::new(Arc::new(spawn(String::new())));
    for (number, act) in acts.iter().enumerate() {
        let name = number.to_string();
        let place = Place {
            name: &name,
            stage: Stage::Guard,
            on_failure: match act {
                Act::FailAndSkip => OnFailure::Skip,
                _ => OnFailure::Deny,
            },
        };
        let called = Called {
            took: Duration::ZERO,
            answer: answer(*act, progress.spawn()),
            notices: Vec::new(),
        };
        if let ControlFlow::Break(verdict) = progress.take(place, called) {
            return progress.decide(verdict);
        }
    }
    progress.finish()
}

/// The same in one breath: the first hook that ends the chain decides, and otherwise whether any
/// hook asked.
fn model(acts: &[Act]) -> (usize, usize, Verdict) {
    let end = acts
        .iter()
        .position(|act| matches!(act, Act::Deny | Act::Fail));
    let called = end.map_or(acts.len(), |end| end + 1);
    let changes = acts[..called].iter().filter(|act| **act == Act::Change);
    let asked: Vec<_> = acts
        .iter()
        .enumerate()
        .filter(|(_, act)| **act == Act::Ask)
        .map(|(number, _)| (number.to_string(), "sure?".to_owned()))
        .collect();
    let verdict = match end {
        Some(end) if acts[end] == Act::Deny => Verdict::Denied {
            hook: end.to_string(),
            reason: "no".to_owned(),
        },
        Some(end) => Verdict::Failed {
            hook: end.to_string(),
            failure: failure(),
        },
        None if asked.is_empty() => Verdict::Proceed,
        None => Verdict::Ask(asked),
    };
    (called, changes.count(), verdict)
}

proptest! {
    #[test]
    fn a_chain_decides_as_its_model_does(acts in prop::collection::vec(act(), 0..12)) {
        let decision = run(&acts);
        let (called, changes, verdict) = model(&acts);
        prop_assert_eq!(decision.verdict, verdict);
        prop_assert_eq!(decision.reports.len(), called);
        prop_assert_eq!(decision.spawn.command, "+".repeat(changes));
        for (report, act) in decision.reports.iter().zip(&acts) {
            let result = match act {
                Act::Keep => "unchanged",
                Act::Change => "changed",
                Act::Deny => "denied",
                Act::Ask => "asked",
                Act::Fail => "failed",
                Act::FailAndSkip => "skipped",
            };
            prop_assert_eq!(report.result.name(), result);
            prop_assert_eq!(report.changed.is_empty(), *act != Act::Change);
        }
    }
}

#[test]
fn a_denial_wins_over_a_question() {
    let verdict = run(&[Act::Ask, Act::Deny]).verdict;
    assert!(matches!(verdict, Verdict::Denied { hook, .. } if hook == "1"));
}
