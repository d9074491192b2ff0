use std::path::Path;

use spawnhook_hooks::{Chain, Decision, HookEngine, HookSpec, ImportStatus, Verdict};
use spawnhook_model::{HookResult, SpawnContext, Stage};

use crate::support::{call, runtime, spawn};

fn file(path: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read(root.join(path)).unwrap()
}

/// What comes of a command with the guard that an ordinary toolchain built, standard library and
/// all.
fn decide(command: &str) -> Decision {
    let engine = HookEngine::new().unwrap();
    let component = file("tests/guests/wasip2.wasm");
    let hook = engine
        .load(HookSpec::new("wasip2", Stage::Guard, component))
        .unwrap();
    let spawn = SpawnContext {
        command: command.to_owned(),
        ..spawn()
    };
    let chain = Chain::new(vec![hook]).unwrap();
    runtime().block_on(chain.decide(&call(), spawn))
}

#[test]
fn what_an_ordinary_toolchain_builds_is_a_hook() {
    let decision = decide("echo hello");
    assert_eq!(decision.verdict, Verdict::Proceed);
    assert_eq!(decision.reports[0].result, HookResult::Unchanged);
}

#[test]
fn its_standard_library_finds_nothing_and_no_time_passes() {
    let Verdict::Denied { reason, .. } = decide("deny-me").verdict else {
        panic!("the guard refuses this");
    };
    // Between the two stands how the library of the toolchain says that there are no files.
    let (given, passed) = reason.rsplit_once(')').unwrap();
    assert!(
        given.starts_with("variables: 0, arguments: 0, file: failed ("),
        "{reason}"
    );
    assert_eq!(passed, ", unix time: 1234, elapsed: 1000 ns");
}

#[test]
fn the_hooks_that_come_with_the_host_fit_their_worlds() {
    let engine = HookEngine::new().unwrap();
    for (name, world) in [
        ("audit-log", "audit-plugin"),
        ("command-policy", "spawn-plugin"),
        ("command-rewrite", "spawn-plugin"),
        ("env-inject", "spawn-plugin"),
    ] {
        let bytes = file(&format!("plugins/dist/{name}.wasm"));
        let inspection = engine.inspect(&bytes).unwrap();
        assert!(inspection.worlds.contains(&world), "{name}: {inspection:?}");
        let imports = inspection.imports.iter();
        let mut statuses = imports.map(|import| import.status);
        assert!(
            statuses.all(|status| status != ImportStatus::Refused),
            "{name}"
        );
    }
}
