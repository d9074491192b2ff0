use std::sync::Arc;

use spawnhook_hooks::{EngineOptions, HookEngine, LoadFault, Trial};
use spawnhook_model::{HookResult, SpawnContext};

use crate::support::{Guest, call, runtime, spawn};

/// One call of a guest alone.
fn trial(engine: &HookEngine, guest: &str, command: &str) -> Trial {
    let hook = engine.load(Guest::named(guest).spec()).unwrap();
    let spawn = Arc::new(SpawnContext {
        command: command.to_owned(),
        ..spawn()
    });
    runtime().block_on(hook.try_before_spawn(&call(), &spawn, None))
}

#[test]
fn a_trial_tells_what_the_call_cost() {
    let trial = trial(&HookEngine::new().unwrap(), "good", "ls");
    assert_eq!(trial.report.result, HookResult::Unchanged);
    assert_eq!((trial.memory_bytes, trial.instructions), (65_536, None));
    assert!(!trial.instantiate.is_zero() && !trial.call.is_zero());
    assert!(trial.instantiate + trial.call <= trial.report.took);
}

#[test]
fn the_same_call_takes_the_same_number_of_instructions() {
    let engine = HookEngine::with(EngineOptions {
        counts_instructions: true,
        ..EngineOptions::default()
    })
    .unwrap();
    let count = |command| trial(&engine, "good", command).instructions.unwrap();
    let short = count("ls");
    assert!(short > 0);
    assert_eq!(short, count("ls"));
}

#[test]
fn a_trial_has_the_words_of_the_guest_beside_those_that_are_shown() {
    let trial = trial(&HookEngine::new().unwrap(), "denies-with-escapes", "ls");
    let HookResult::Denied(shown) = &trial.report.result else {
        panic!("{:?}", trial.report);
    };
    assert!(trial.said.unwrap().contains('\u{1b}') && !shown.contains('\u{1b}'));
}

#[test]
fn a_trial_has_the_log() {
    let trial = trial(&HookEngine::new().unwrap(), "panics", "ls");
    assert!(
        trial.log.contains("index 7 is out of range"),
        "{}",
        trial.log
    );
}

#[test]
fn settings_can_be_changed_without_loading_the_component_again() {
    let engine = HookEngine::new().unwrap();
    let hook = engine.load(Guest::named("good").spec()).unwrap();
    assert!(hook.with_settings("{}".to_owned(), 2).is_ok());
    let error = hook.with_settings(r#"{"a":1}"#.to_owned(), 1).unwrap_err();
    assert!(
        matches!(error.fault, LoadFault::SettingsUnused { .. }),
        "{error}"
    );
}
