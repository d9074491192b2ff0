mod config;
mod linkers;
mod options;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use wasmtime::Engine;

use self::config::config;
use self::linkers::Linkers;
use crate::cache::CodeCache;
use crate::threads::HookThreads;
use crate::ticker::Ticker;
use crate::{
    Hook, HookLoadError, HookSpec, InspectError, Inspection, LoadFault, admission, inspect,
};

pub use self::options::{Allocation, Compiler, EngineOptions, KeptCode, Placement, Snapshots};

/// Compiles components and runs their calls. One serves a whole process; clones are one engine.
#[derive(Clone, Debug)]
pub struct HookEngine {
    shared: Arc<Shared>,
}

/// What every hook of an engine uses.
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) cache: CodeCache,
    pub(crate) compiler: Option<Arc<dyn Compiler>>,
    pub(crate) snapshots: Snapshots,
    pub(crate) linkers: Linkers,
    pub(crate) ticker: Ticker,
    pub(crate) threads: HookThreads,
    /// Whether every call is told how many instructions it ran.
    pub(crate) counts_instructions: bool,
}

/// Why there is no engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The compiler could not be set up: the machine is not one that it knows.
    #[error("the WebAssembly engine could not be set up: {0}")]
    Setup(String),
    /// The system starts no thread.
    #[error("the WebAssembly engine could not start its timer thread")]
    Thread(#[source] std::io::Error),
}

impl HookEngine {
    /// Sets an engine up with the default options.
    ///
    /// # Errors
    ///
    /// As [`HookEngine::with`].
    pub fn new() -> Result<Self, EngineError> {
        Self::with(EngineOptions::default())
    }

    /// Sets an engine up. No thread that runs hooks starts before the first call.
    ///
    /// # Errors
    ///
    /// If the machine is unknown to the compiler, or if no thread can be started.
    pub fn with(options: EngineOptions) -> Result<Self, EngineError> {
        let counts_instructions = options.counts_instructions;
        let engine = engine(options.allocation, counts_instructions).map_err(setup)?;
        let ticker = Ticker::start(&engine).map_err(EngineError::Thread)?;
        let threads = match options.placement {
            // One command calls its hooks one by one.
            Placement::Here => 1,
            // More threads than processors only wait for each other; eight are plenty for hooks.
            Placement::InPlace | Placement::HookThreads => std::thread::available_parallelism()
                .map_or(1, usize::from)
                .min(config::MOST_THREADS),
        };
        let cache = options.cache.as_deref();
        let cache = cache.map(|directory| CodeCache::open(directory, options.kept_code));
        Ok(Self {
            shared: Arc::new(Shared {
                engine,
                cache: cache.unwrap_or_default(),
                compiler: options.compiler,
                snapshots: options.snapshots,
                linkers: Linkers::default(),
                ticker,
                threads: HookThreads::new(threads, options.placement),
                counts_instructions,
            }),
        })
    }

    /// Admits a hook: checks its file, its imports and exports, its rights and its settings, and
    /// compiles it. Blocks while it compiles.
    ///
    /// # Errors
    ///
    /// Whatever would keep the hook from being called safely.
    pub fn load(&self, spec: HookSpec) -> Result<Hook, HookLoadError> {
        admission::admit(&self.shared, spec)
    }

    /// Admits hooks as [`load`](Self::load) does, two at a time where they are large.
    ///
    /// # Errors
    ///
    /// That of the first, in their order, that cannot be loaded.
    pub fn load_all(&self, specs: Vec<HookSpec>) -> Result<Vec<Hook>, HookLoadError> {
        admission::admit_all(&self.shared, specs)
    }

    /// Looks at a file without loading it as a hook: what it is, what it wants, where it fits.
    ///
    /// # Errors
    ///
    /// If the file is a component and yet a broken one.
    pub fn inspect(&self, bytes: &[u8]) -> Result<Inspection, InspectError> {
        inspect::inspect(&self.shared, bytes)
    }

    /// Compiles a component into the cache of this engine, and does nothing else with it. What a
    /// [`Compiler`] does in its own process.
    ///
    /// # Errors
    ///
    /// If it is none that could be loaded.
    pub fn compile(&self, component: &[u8]) -> Result<(), LoadFault> {
        let sha256 = admission::Digest::of(component);
        admission::compile_here(&self.shared, component, &sha256).map(drop)
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// What the operator should know of this engine: why its cache is not used, or a part of it.
    /// Each thing is told once.
    pub fn take_notices(&self) -> Vec<String> {
        self.shared.cache.take_notices()
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

/// An engine that allocates as it is told to, or on demand where that cannot be: a pool reserves
/// addresses, of which a container or a small machine may not have as many.
fn engine(allocation: Allocation, counts_instructions: bool) -> wasmtime::Result<Engine> {
    let engine = |allocation| {
        let mut config = config(allocation);
        config.consume_fuel(counts_instructions);
        Engine::new(&config)
    };
    match (allocation, engine(allocation)) {
        (Allocation::Pooling, Err(_)) => engine(Allocation::OnDemand),
        (_, engine) => engine,
    }
}

fn setup(error: wasmtime::Error) -> EngineError {
    EngineError::Setup(format!("{error:#}"))
}
