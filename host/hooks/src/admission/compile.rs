use wasmtime::component::Component;

use super::{Digest, LoadFault, shown, structure};
use crate::engine::Shared;

/// The compiled form of a component: from the cache, else from the compiler.
///
/// Strangers can make a component that keeps the compiler busy for days, which nothing in this
/// process could stop. So unless it is `vetted`, another process has to get through with it first.
pub(crate) fn compile(
    shared: &Shared,
    bytes: &[u8],
    sha256: &Digest,
    vetted: bool,
) -> Result<Component, LoadFault> {
    let kept = || shared.cache.load(&shared.engine, sha256.bytes());
    if let Some(component) = kept() {
        return Ok(component);
    }
    if let Some(compiler) = shared.compiler.as_ref().filter(|_| !vetted) {
        structure::check(bytes)?;
        compiler.try_out(bytes).map_err(LoadFault::Compile)?;
        if let Some(component) = kept() {
            return Ok(component);
        }
    }
    compile_here(shared, bytes, sha256)
}

/// Compiles a component that another was made into, and keeps nothing.
pub(super) fn compile_instrumented(shared: &Shared, bytes: &[u8]) -> Result<Component, LoadFault> {
    Component::from_binary(&shared.engine, bytes).map_err(|error| LoadFault::Invalid(shown(&error)))
}

/// Compiles a snapshot and keeps the result under a key of its own.
pub(super) fn compile_snapshot(
    shared: &Shared,
    key: &[u8; 32],
    bytes: &[u8],
) -> Result<Component, LoadFault> {
    structure::check(bytes)?;
    let component = compile_instrumented(shared, bytes)?;
    structure::check_resources(&component)?;
    shared.cache.store(&shared.engine, key, &component);
    Ok(component)
}

/// Compiles a component in this process and keeps the result.
pub(crate) fn compile_here(
    shared: &Shared,
    bytes: &[u8],
    sha256: &Digest,
) -> Result<Component, LoadFault> {
    structure::check(bytes)?;
    let component = Component::from_binary(&shared.engine, bytes)
        .map_err(|error| LoadFault::Invalid(shown(&error)))?;
    structure::check_resources(&component)?;
    shared
        .cache
        .store(&shared.engine, sha256.bytes(), &component);
    Ok(component)
}
