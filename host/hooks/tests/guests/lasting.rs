//! The interface lasts: what was built against a version of it goes on loading and running.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use spawnhook_hooks::{Chain, HookEngine, HookSpec, Recorded, Rights, Verdict};
use spawnhook_model::{HookResult, SpawnContext, Stage};

use crate::support::{Records, call, exit, runtime, spawn};

/// `cat wit/*.wit | sha256sum`
const DIGEST: &str = "19666e349c2a768cdcb7b2c54b443f547a0ea2e6fcf2fe43e0c1cb6e9b75ee51";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder with this ending, in the order of their names.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let found: BTreeSet<_> = paths
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    found.into_iter().collect()
}

#[test]
fn the_published_interface_is_what_it_was() {
    let mut digest = Sha256::new();
    for file in files(&root().join("wit"), "wit") {
        digest.update(fs::read(file).unwrap());
    }
    let found: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        found, DIGEST,
        "the interface in wit/ has changed. Read \"How this interface grows\" in wit/README.md. If \
         the change is one of those that no built hook notices (a function more in an interface \
         that hooks import, an interface more, a comment), put the new digest here. If it is \
         another, it needs a new version of the package beside this one. Never replace a file of \
         tests/components to make a test pass"
    );
}

/// A component that was built against a version of the interface, and what it is called with.
struct Built {
    file: &'static str,
    stage: Stage,
    settings: &'static str,
    rights: fn(&mut Rights),
}

/// Every file of tests/components.
const BUILT: [Built; 4] = [
    Built {
        file: "0.1.0/audit-log.wasm",
        stage: Stage::Audit,
        settings: r#"{"mask": true}"#,
        rights: |_| {},
    },
    Built {
        file: "0.1.0/command-rewrite.wasm",
        stage: Stage::Rewrite,
        settings: r#"{"prepend": ["set -u"], "rules": [{"pattern": "hel+o", "replace": "bye"}]}"#,
        rights: |rights| rights.command = true,
    },
    Built {
        file: "0.1.0/env-inject.wasm",
        stage: Stage::Rewrite,
        settings: r#"{"set": {"CI": "1"}, "unset": ["VISIBLE"]}"#,
        rights: |rights| {
            rights.set_env = vec!["CI".to_owned()];
            rights.see_env = vec!["VISIBLE".to_owned()];
            rights.unset_env = vec!["VISIBLE".to_owned()];
        },
    },
    Built {
        file: "0.1.0/rust-wasip2.wasm",
        stage: Stage::Guard,
        settings: "{}",
        rights: |_| {},
    },
];

fn load(file: &str) -> Chain {
    let built = BUILT.iter().find(|built| built.file == file).unwrap();
    let component = fs::read(root().join("tests/components").join(file)).unwrap();
    let mut spec = HookSpec::new("built", built.stage, component);
    built.settings.clone_into(&mut spec.settings);
    (built.rights)(&mut spec.rights);
    let engine = HookEngine::new().unwrap();
    Chain::new(vec![engine.load(spec).unwrap()]).unwrap()
}

fn decide(file: &str, command: &str) -> (SpawnContext, Verdict) {
    let spawn = SpawnContext {
        command: command.to_owned(),
        ..spawn()
    };
    let decision = runtime().block_on(load(file).decide(&call(), spawn));
    (decision.spawn, decision.verdict)
}

#[test]
fn every_component_that_was_kept_is_called() {
    let kept = root().join("tests/components");
    let mut found = BTreeSet::new();
    for version in fs::read_dir(&kept).unwrap() {
        for file in files(&version.unwrap().path(), "wasm") {
            let file = file.strip_prefix(&kept).unwrap();
            found.insert(file.to_str().unwrap().to_owned());
        }
    }
    let called = BUILT.iter().map(|built| built.file.to_owned()).collect();
    assert_eq!(found, called);
}

#[test]
fn a_rewriting_hook_of_0_1_0_still_rewrites() {
    let (spawn, verdict) = decide("0.1.0/command-rewrite.wasm", "set -e\necho hello");
    assert_eq!(verdict, Verdict::Proceed);
    assert_eq!(spawn.command, "set -e\nset -u\necho bye");
}

#[test]
fn a_hook_of_0_1_0_still_sets_and_unsets_variables() {
    let (changed, verdict) = decide("0.1.0/env-inject.wasm", "true");
    assert_eq!(verdict, Verdict::Proceed);
    let names: Vec<_> = changed.env.names().collect();
    assert_eq!(names, ["CI", "PATH"]);
}

#[test]
fn a_guard_of_0_1_0_from_an_ordinary_toolchain_still_decides() {
    let (_, verdict) = decide("0.1.0/rust-wasip2.wasm", "echo hello");
    assert_eq!(verdict, Verdict::Proceed);
    let (_, verdict) = decide("0.1.0/rust-wasip2.wasm", "deny-me");
    assert!(matches!(verdict, Verdict::Denied { .. }), "{verdict:?}");
}

#[test]
fn an_audit_hook_of_0_1_0_still_records_spawn_and_exit() {
    let chain = load("0.1.0/audit-log.wasm");
    let records = Records::default();
    let (spawn, log) = (Arc::new(spawn()), records.log());
    runtime().block_on(async {
        let recorded = chain.record_spawn(&call(), &spawn, &log).await;
        assert!(matches!(recorded, Recorded::Proceed { .. }), "{recorded:?}");
        let reports = chain.record_exit(&call(), &spawn, &exit(), &log).await;
        assert_eq!(reports[0].result, HookResult::Unchanged);
    });
    assert_eq!(records.by("built"), 2);
}
