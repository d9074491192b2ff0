use std::path::Path;

use spawnhook_hooks::{Chain, EngineOptions, Hook, HookEngine, HookSpec, Snapshots};
use spawnhook_model::Stage;

use crate::support::{call, runtime, spawn};

/// A guest that counts how often it read its settings and how often it was called, each of them
/// once in the life of an instance, or else traps. Reading takes long enough to pay for a snapshot.
fn guest(while_it_reads: &str) -> Vec<u8> {
    let text = r#"(component
      (import "spawnhook:hook/types@0.1.0" (instance $types
        (type $context (record
          (field "command" string) (field "cwd" string) (field "env" (list (tuple string string)))))
        (export "spawn-context" (type (eq $context)))
        (type $refusal (variant (case "deny" string) (case "ask" string)))
        (export "refusal" (type (eq $refusal)))))
      (alias export $types "spawn-context" (type $spawn-context))
      (alias export $types "refusal" (type $refusal))
      (import "spawnhook:hook/call@0.1.0" (instance $call
        (export "started-ms" (func (result u64)))))
      (core func $started (canon lower (func $call "started-ms")))
      (core module $m
        (import "host" "started" (func $started (result i64)))
        (memory (export "memory") 1)
        (global $free (mut i32) (i32.const 4096))
        (global $configured (mut i32) (i32.const 0))
        (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
          (global.get $free)
          (global.set $free (i32.and
            (i32.add (i32.add (global.get $free) (local.get $size)) (i32.const 7))
            (i32.const -8))))
        (func (export "before-spawn") (param $command i32) (param $command-length i32)
          (param $cwd i32) (param $cwd-length i32) (param $env i32) (param $env-length i32)
          (result i32)
          (if (i32.ne (global.get $configured) (i32.const 1)) (then (unreachable)))
          (if (i32.ne (i32.load (i32.const 2048)) (i32.const 500000)) (then (unreachable)))
          (if (i32.load (i32.const 2052)) (then (unreachable)))
          (i32.store (i32.const 2052) (i32.const 1))
          (i32.store8 (i32.const 0) (i32.const 0))
          (i32.store (i32.const 4) (local.get $command))
          (i32.store (i32.const 8) (local.get $command-length))
          (i32.store (i32.const 12) (local.get $cwd))
          (i32.store (i32.const 16) (local.get $cwd-length))
          (i32.store (i32.const 20) (local.get $env))
          (i32.store (i32.const 24) (local.get $env-length))
          (i32.const 0))
        (func (export "configure") (param i32 i32) (result i32)
          (global.set $configured (i32.add (global.get $configured) (i32.const 1)))
          WHILE
          (loop $again
            (i32.store (i32.const 2048) (i32.add (i32.load (i32.const 2048)) (i32.const 1)))
            (br_if $again (i32.lt_u (i32.load (i32.const 2048)) (i32.const 500000))))
          (i32.store8 (i32.const 0) (i32.const 0))
          (i32.const 0)))
      (core instance $i (instantiate $m
        (with "host" (instance (export "started" (func $started))))))
      (func $before-spawn (param "spawn" $spawn-context)
        (result (result $spawn-context (error $refusal)))
        (canon lift (core func $i "before-spawn")
          (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
      (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
      (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook))
      (func $configure (param "settings" string) (result (result (error (list string))))
        (canon lift (core func $i "configure")
          (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
      (instance $settings (export "configure" (func $configure)))
      (export "spawnhook:hook/settings@0.1.0" (instance $settings)))"#;
    wat::parse_str(text.replace("WHILE", while_it_reads)).unwrap()
}

fn spec(while_it_reads: &str, settings: &str) -> HookSpec {
    HookSpec {
        settings: settings.to_owned(),
        ..HookSpec::new("guest", Stage::Rewrite, guest(while_it_reads))
    }
}

/// The hook as an engine loads it, which was called a few times.
fn load(cache: &Path, snapshots: Snapshots, spec: HookSpec) -> Hook {
    let engine = HookEngine::with(EngineOptions {
        snapshots,
        cache: Some(cache.to_owned()),
        ..EngineOptions::default()
    });
    let hook = engine.unwrap().load(spec).unwrap();
    let chain = Chain::new(vec![hook.clone()]).unwrap();
    for _ in 0..3 {
        let decision = runtime().block_on(chain.decide(&call(), spawn()));
        assert_eq!(decision.reports[0].result.name(), "unchanged");
    }
    hook
}

#[test]
fn calls_start_from_a_snapshot_and_yet_each_from_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let load = |snapshots, settings| {
        let hook = load(folder.path(), snapshots, spec("", settings));
        hook.starts_configured()
    };
    assert!(!load(Snapshots::Never, "{}"));
    assert!(!load(Snapshots::IfKept, "{}"));
    assert!(load(Snapshots::Take, "{}"));
    assert!(load(Snapshots::IfKept, "{}"));
    assert!(!load(Snapshots::IfKept, r#"{"other": 1}"#));
    assert!(!load(Snapshots::Never, "{}"));
}

#[test]
fn what_depends_on_the_call_is_read_in_every_call() {
    let folder = tempfile::tempdir().unwrap();
    let asking = spec("(drop (call $started))", "{}");
    assert!(!load(folder.path(), Snapshots::Take, asking).starts_configured());
}

#[test]
fn settings_with_secrets_are_read_in_every_call() {
    let folder = tempfile::tempdir().unwrap();
    let mut secret = spec("", "{}");
    secret.secret_settings = true;
    assert!(!load(folder.path(), Snapshots::Take, secret).starts_configured());
}
