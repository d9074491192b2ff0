use wasmtime::{Config, InstanceAllocationStrategy, OptLevel, Strategy, WasmFeatures};

/// The stack of a guest: deep enough for recursive parsers, and well within that of a hook thread.
pub(super) const STACK_BYTES: usize = 256 << 10;

/// How instances get their memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Allocation {
    /// Mapped for each call: nothing to set up, which suits a process that runs one command.
    OnDemand,
}

/// Proposals that toolchains use. Everything else is off: each one is code that a hostile
/// component can reach.
pub(super) const FEATURES: WasmFeatures = WasmFeatures::MUTABLE_GLOBAL
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::CALL_INDIRECT_OVERLONG)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::BULK_MEMORY_OPT)
    .union(WasmFeatures::SIMD)
    .union(WasmFeatures::FLOATS)
    .union(WasmFeatures::MULTI_MEMORY)
    .union(WasmFeatures::TAIL_CALL)
    .union(WasmFeatures::EXTENDED_CONST)
    .union(WasmFeatures::COMPONENT_MODEL);

/// The engine's settings.
pub(super) fn config(allocation: Allocation) -> Config {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed)
        // One result whatever the machine.
        .cranelift_nan_canonicalization(true)
        .epoch_interruption(true)
        .consume_fuel(false)
        .max_wasm_stack(STACK_BYTES)
        .concurrency_support(false)
        .gc_support(false)
        .shared_memory(false)
        // Names of functions in failures, and no more.
        .generate_address_map(true)
        .debug_info(false)
        .wasm_features(WasmFeatures::all().difference(FEATURES), false)
        .wasm_features(FEATURES, true);
    match allocation {
        Allocation::OnDemand => {
            config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
        }
    }
    config
}
