mod clock;
mod stdio;

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use rand::SeedableRng as _;
use rand::rngs::StdRng;
use sha2::{Digest as _, Sha256};
use wasmtime::component::Linker;
use wasmtime_wasi::p2;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use self::clock::CallStart;
use self::stdio::LogStream;
use crate::call::CallState;
use crate::limits::RANDOM_BYTES;
use crate::log::{Log, Writer};

pub(crate) use self::clock::Steps;

/// Offers WASI 0.2 with nothing behind it, so that what ordinary toolchains build can be loaded.
pub(crate) fn offer(linker: &mut Linker<CallState>) -> wasmtime::Result<()> {
    p2::add_to_linker_sync(linker)?;
    linker.allow_shadowing(true);
    clock::offer(linker)?;
    linker.allow_shadowing(false);
    Ok(())
}

/// The WASI of one call: no arguments, variables, files or sockets, standard input closed,
/// standard output and error into the log, a clock that stands at the call's start, and random
/// numbers that follow from the call's id.
pub(crate) fn context(call_id: &str, started: SystemTime, log: &Arc<Mutex<Log>>) -> WasiCtx {
    let seed: [u8; 32] = Sha256::digest(call_id).into();
    let mut insecure_seed = [0; 16];
    insecure_seed.copy_from_slice(&seed[..16]);
    WasiCtx::builder()
        .stdout(LogStream::new(Writer::Stdout, log))
        .stderr(LogStream::new(Writer::Stderr, log))
        .wall_clock(CallStart::new(started))
        .secure_random(StdRng::from_seed(seed))
        .insecure_random(StdRng::from_seed(seed))
        .insecure_random_seed(u128::from_le_bytes(insecure_seed))
        .max_random_size(RANDOM_BYTES)
        .allow_tcp(false)
        .allow_udp(false)
        .allow_ip_name_lookup(false)
        .build()
}

impl WasiView for CallState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let (ctx, table) = self.wasi();
        WasiCtxView { ctx, table }
    }
}
