use wasmtime::Engine;
use wasmtime::component::Component;

use super::entry::Entry;

/// Makes machine code of a verified entry.
#[expect(
    unsafe_code,
    reason = "compiled code is nothing that could be checked, only known"
)]
pub(super) fn component(engine: &Engine, entry: &Entry) -> wasmtime::Result<Component> {
    // SAFETY: the bytes have to be what `Component::serialize` returned. An `Entry` is made by
    // `entry::verify` alone: from a file that nobody but this user could have written, since it
    // and its directory are the user's and writable by nobody else, whose digest over key and
    // code fits, and whose key names this component and the settings of this engine. Only
    // `cache::write` makes such files, of such bytes. The bytes are in memory that we own, so
    // that they are still those that were verified.
    unsafe { Component::deserialize(engine, entry.code()) }
}
