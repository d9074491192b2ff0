use wasmtime::{
    Config, Enabled, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, Strategy,
    WasmFeatures,
};

use super::Allocation;
use crate::limits::{INSTANCES, MEMORIES, TABLE_ELEMENTS, TABLES};

/// The stack of a guest: deep enough for recursive parsers, and well within that of a hook thread.
pub(super) const STACK_BYTES: usize = 256 << 10;

/// Hook threads, and so calls side by side, at most.
pub(super) const MOST_THREADS: usize = 8;

/// Instances that a pool has room for: one for each thread, and as many for hooks that are being
/// loaded and for calls that were given up and have not returned.
const POOLED: usize = 2 * MOST_THREADS;

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
        // Failures name functions, which takes no map of every instruction, and nobody unwinds
        // through a guest: each start reads as much less.
        .generate_address_map(false)
        .native_unwind_info(false)
        .debug_info(false)
        .wasm_features(WasmFeatures::all().difference(FEATURES), false)
        .wasm_features(FEATURES, true);
    match allocation {
        Allocation::OnDemand => {
            config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
        }
        Allocation::Pooling => {
            config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool()));
        }
    }
    config
}

/// A pool in which every component has room that the limits of a call admit.
fn pool() -> PoolingAllocationConfig {
    let count = |each: usize| u32::try_from(POOLED * each).expect("invariant: a small number");
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(count(1))
        .total_core_instances(count(INSTANCES))
        .total_memories(count(MEMORIES))
        .total_tables(count(TABLES))
        .table_elements(TABLE_ELEMENTS)
        // Admission counts them, and its messages say more.
        .max_memories_per_module(count(MEMORIES))
        .max_tables_per_module(count(TABLES))
        // Host memory for the bookkeeping of an instance, in proportion to its functions.
        .max_core_instance_size(16 << 20)
        .max_component_instance_size(16 << 20)
        // Only calls with a stack of their own use them, and no call here does.
        .total_stacks(1)
        .total_gc_heaps(1)
        // What a small Rust guest touches is wiped, which costs less than giving it back. To wipe
        // more costs guests with large memories more than interpreters gain by it.
        .linear_memory_keep_resident(1 << 20)
        .table_keep_resident(64 << 10)
        // It takes a page that the system has swapped out for one that was never written, so that
        // another call could find there what this one left.
        .pagemap_scan(Enabled::No)
        .max_unused_warm_slots(count(1));
    pool
}
