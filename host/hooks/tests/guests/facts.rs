use std::sync::Arc;

use spawnhook_hooks::{Chain, HookEngine, HookSpec, Verdict};
use spawnhook_model::{Call, Stage};

use crate::support::{call, runtime, spawn};

/// A guard that denies with what a function without parameters returned: a string.
fn tells(interface: &str, function: &str) -> String {
    format!(
        r#"(component
          (import "spawnhook:hook/types@0.1.0" (instance $types
            (type $context (record
              (field "command" string) (field "cwd" string)
              (field "env" (list (tuple string string)))))
            (export "spawn-context" (type (eq $context)))
            (type $refusal (variant (case "deny" string) (case "ask" string)))
            (export "refusal" (type (eq $refusal)))))
          (alias export $types "spawn-context" (type $spawn-context))
          (alias export $types "refusal" (type $refusal))
          (import "{interface}" (instance $asked {function}))
          (core module $memory
            (memory (export "memory") 1)
            (global $free (mut i32) (i32.const 4096))
            (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
              (global.get $free)
              (global.set $free (i32.and
                (i32.add (i32.add (global.get $free) (local.get $size)) (i32.const 7))
                (i32.const -8)))))
          (core instance $memory (instantiate $memory))
          (core func $ask (canon lower (func $asked "ask")
            (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
          (core module $m
            (import "asked" "ask" (func $ask ASK))
            (import "memory" "memory" (memory 1))
            (func (export "before-spawn") (param i32 i32 i32 i32 i32 i32) (result i32)
              CODE
              (i32.store8 (i32.const 0) (i32.const 1))
              (i32.store8 (i32.const 4) (i32.const 0))
              (i32.const 0)))
          (core instance $i (instantiate $m
            (with "asked" (instance (export "ask" (func $ask))))
            (with "memory" (instance $memory))))
          (func $before-spawn (param "spawn" $spawn-context)
            (result (result $spawn-context (error $refusal)))
            (canon lift (core func $i "before-spawn")
              (memory (core memory $memory "memory")) (realloc (core func $memory "realloc"))))
          (instance $spawn-hook (export "before-spawn" (func $before-spawn)))
          (export "spawnhook:hook/spawn-hook@0.1.0" (instance $spawn-hook)))"#
    )
}

/// What a guard denies `call` with.
fn reason(component: &str, call: &Arc<Call>) -> String {
    let engine = HookEngine::new().unwrap();
    let component = wat::parse_str(component).unwrap();
    let spec = HookSpec::new("tells", Stage::Guard, component);
    let chain = Chain::new(vec![engine.load(spec).unwrap()]).unwrap();
    let decision = runtime().block_on(chain.decide(call, spawn()));
    match decision.verdict {
        Verdict::Denied { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

fn fact(name: &str) -> String {
    let function = format!(r#"(export "{name}" (func (result string)))"#);
    let component = tells("spawnhook:hook/call@0.1.0", &function)
        .replace(r#"$asked "ask""#, &format!(r#"$asked "{name}""#))
        .replace("ASK", "(param i32)")
        .replace("CODE", "(call $ask (i32.const 8))");
    reason(&component, &call())
}

#[test]
fn a_hook_is_told_the_facts_of_its_call() {
    assert_eq!(fact("id"), "call-1");
    assert_eq!(fact("origin"), "agent:test");
    assert_eq!(fact("requested"), "echo hello");
    assert_eq!(fact("prefix"), "set -e");
    assert_eq!(fact("workspace"), "/project");
}

/// A guard that denies with eight letters made from a number.
fn number(interface: &str, function: &str) -> String {
    tells(
        interface,
        &format!(r#"(export "{function}" (func (result u64)))"#),
    )
    .replace(r#"$asked "ask""#, &format!(r#"$asked "{function}""#))
    .replace("ASK", "(result i64)")
    .replace(
        "CODE",
        "(i64.store (i32.const 64) (i64.or (i64.const 0x6060606060606060)
           (i64.and (i64.const 0x0f0f0f0f0f0f0f0f) (call $ask))))
         (i32.store (i32.const 8) (i32.const 64))
         (i32.store (i32.const 12) (i32.const 8))",
    )
}

#[test]
fn random_numbers_follow_from_the_id_of_the_call() {
    let random = number("wasi:random/random@0.2.0", "get-random-u64");
    let another = Arc::new(Call {
        id: "call-2".to_owned(),
        ..(*call()).clone()
    });
    assert_eq!(reason(&random, &call()), reason(&random, &call()));
    assert_ne!(reason(&random, &call()), reason(&random, &another));
}

#[test]
fn the_monotonic_clock_counts_its_readings() {
    let now = number("wasi:clocks/monotonic-clock@0.2.0", "now");
    assert_eq!(reason(&now, &call()), reason(&now, &call()));
}
