use wasmtime::Engine;
use wasmtime::component::Component;

use super::entry::Entry;

/// Makes machine code of a verified entry: mapped, or copied where that is forbidden.
#[expect(
    unsafe_code,
    reason = "compiled code is nothing that could be checked, only known"
)]
pub(super) fn component(engine: &Engine, entry: &Entry) -> wasmtime::Result<Component> {
    let code = entry.code();
    // SAFETY: the bytes have to be what `Component::serialize` returned, and stay so. An `Entry` is
    // made by `Entry::read` alone: from a file that nobody but this user could have written, since
    // it and its directory are the user's and writable by nobody else, whose digest over key and
    // code fits, and whose key names this component and the settings of this engine. Only
    // `cache::write` makes such files, of such bytes. They are in memory that was sealed, so that
    // nobody, this process included, can change them any more.
    unsafe {
        Component::deserialize_file(engine, code.path())
            .or_else(|_| Component::deserialize(engine, code.content()?))
    }
}
