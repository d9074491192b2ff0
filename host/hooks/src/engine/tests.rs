use wasmtime::component::Component;
use wasmtime::{OptLevel, Strategy};

use super::config::{FEATURES, STACK_BYTES};
use super::*;

#[test]
fn every_setting_is_what_it_is_meant_to_be() {
    let engine = Engine::new(&config(Allocation::OnDemand)).unwrap();
    assert_eq!(engine.get_strategy(), Some(Strategy::Cranelift));
    assert_eq!(engine.get_cranelift_opt_level(), Some(OptLevel::Speed));
    assert_eq!(engine.get_cranelift_nan_canonicalization(), Some(true));
    assert!(engine.get_epoch_interruption());
    assert!(!engine.get_consume_fuel());
    assert!(!engine.get_concurrency_support());
    assert!(!engine.get_shared_memory());
    assert!(engine.get_signals_based_traps());
    assert!(!engine.get_generate_address_map());
    assert_eq!(engine.get_native_unwind_info(), Some(false));
    assert!(!engine.get_debug_info());
    assert!(!engine.get_guest_debug());
    assert_eq!(engine.get_max_wasm_stack(), STACK_BYTES);
    assert_eq!(engine.get_wasm_features(), FEATURES);
    assert!(engine.get_pooling_config().is_none());
}

/// What cannot be read back is proved by a guest that needs it.
#[test]
fn proposals_that_are_off_are_refused() {
    let engine = HookEngine::new().unwrap();
    for (proposal, module) in [
        ("threads", "(memory 1 1 shared)"),
        ("memory64", "(memory i64 1)"),
        ("exceptions", "(tag)"),
        ("gc", "(type (struct))"),
        ("host references", "(table 1 externref)"),
        (
            "function references",
            "(type $f (func)) (func (param (ref $f)))",
        ),
        ("custom page sizes", "(memory 1 (pagesize 1))"),
        (
            "wide arithmetic",
            "(func (param i64 i64 i64 i64) (result i64 i64) local.get 0 local.get 1 local.get 2 local.get 3 i64.add128)",
        ),
        (
            "relaxed SIMD",
            "(func (param v128 v128) (result v128) local.get 0 local.get 1 i8x16.relaxed_swizzle)",
        ),
        ("stack switching", "(type $f (func)) (type $c (cont $f))"),
    ] {
        let bytes = wat::parse_str(format!("(component (core module {module}))")).unwrap();
        assert!(
            Component::from_binary(&engine.shared.engine, &bytes).is_err(),
            "{proposal}"
        );
    }
}

#[test]
fn proposals_that_toolchains_use_are_accepted() {
    let engine = HookEngine::new().unwrap();
    for module in [
        "(memory 1) (memory 1)",
        "(func (result i32 i32) i32.const 1 i32.const 2)",
        "(func (param v128))",
        "(func $f (return_call $f))",
        "(memory 1) (func (memory.fill (i32.const 0) (i32.const 0) (i32.const 0)))",
        "(table 1 funcref)",
    ] {
        let bytes = wat::parse_str(format!("(component (core module {module}))")).unwrap();
        Component::from_binary(&engine.shared.engine, &bytes).unwrap();
    }
}
