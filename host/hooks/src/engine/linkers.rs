use std::sync::OnceLock;

use spawnhook_model::Stage;
use wasmtime::Engine;
use wasmtime::component::Linker;

use crate::call::{self, CallState};
use crate::wasi;

/// What components can import. Each selection is put together for the first that asks for it: WASI
/// is large, and hooks that were built without it never see it.
#[derive(Default)]
pub(crate) struct Linkers([[OnceLock<Linker<CallState>>; 2]; 2]);

impl Linkers {
    /// What a hook of this stage can import, with WASI or without it.
    pub(crate) fn get(
        &self,
        engine: &Engine,
        stage: Stage,
        with_wasi: bool,
    ) -> wasmtime::Result<&Linker<CallState>> {
        let audits = stage == Stage::Audit;
        let linker = &self.0[usize::from(audits)][usize::from(with_wasi)];
        match linker.get() {
            Some(linker) => Ok(linker),
            None => {
                let new = linker_of(engine, audits, with_wasi)?;
                Ok(linker.get_or_init(|| new))
            }
        }
    }
}

fn linker_of(
    engine: &Engine,
    audits: bool,
    with_wasi: bool,
) -> wasmtime::Result<Linker<CallState>> {
    let mut linker = Linker::new(engine);
    call::offer(&mut linker)?;
    if audits {
        call::offer_audit(&mut linker)?;
    }
    if with_wasi {
        wasi::offer(&mut linker)?;
    }
    Ok(linker)
}
