use std::fs::File;
use std::os::fd::AsRawFd as _;

use wasmtime::Engine;
use wasmtime::component::Component;

use super::entry::Entry;

/// Makes machine code of a verified entry.
#[expect(
    unsafe_code,
    reason = "compiled code is nothing that could be checked, only known"
)]
pub(super) fn component(engine: &Engine, entry: &Entry) -> wasmtime::Result<Component> {
    // SAFETY: the bytes have to be what `Component::serialize` returned, and stay so. An `Entry` is
    // made by `Entry::read` alone: from a file that nobody but this user could have written, since
    // it and its directory are the user's and writable by nobody else, whose checksum of key and
    // code fits, and whose key names this component and the settings of this engine. Only
    // `cache::write` makes such files, of such bytes. They are in memory that we own, or in a file
    // in memory that was sealed, so that nobody can change them any more. Or they are in the entry
    // itself, which `cache::write` replaces and never writes to: that nobody else of this user does
    // is for those to say who ask for `KeptCode::Mapped`.
    unsafe {
        match entry {
            Entry::Sealed(code) => mapped(engine, code.file()),
            Entry::File(code) => mapped(engine, code),
            Entry::Owned(code) => Component::deserialize(engine, code),
        }
    }
}

/// As [`component`], of a file that begins with the code.
#[expect(unsafe_code, reason = "as for `component`")]
unsafe fn mapped(engine: &Engine, file: &File) -> wasmtime::Result<Component> {
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: as for `component`. Copied where a policy forbids to map it.
    unsafe {
        Component::deserialize_file(engine, &path)
            .or_else(|_| Component::deserialize(engine, std::fs::read(&path)?))
    }
}
