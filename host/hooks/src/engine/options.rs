use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;

/// How an engine is set up. The default keeps nothing on disk, compiles in this process, and suits
/// a process of few calls.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// How instances get their memory.
    pub allocation: Allocation,
    /// Where calls run.
    pub placement: Placement,
    /// Whether calls start from an instance that has read its settings.
    pub snapshots: Snapshots,
    /// The directory for compiled components, an absolute path; none keeps nothing. It is made if
    /// it is missing. Only what this user alone can have written is ever loaded from it.
    pub cache: Option<PathBuf>,
    /// What is run of a component that was kept in the cache.
    pub kept_code: KeptCode,
    /// Tries the components that are not part of the program on the compiler first; without one
    /// they are compiled with no limit of time and memory.
    pub compiler: Option<Arc<dyn Compiler>>,
    /// Whether the instructions that guests run are counted, which makes them two or three times
    /// slower: for authors who measure their hooks, not for deployments.
    pub counts_instructions: bool,
}

/// How instances get their memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocation {
    /// Mapped for each call: nothing to set up, which suits a process that runs one command.
    #[default]
    OnDemand,
    /// From a pool, which costs some milliseconds to set up and half a terabyte of addresses, and
    /// saves some 20 µs a call. Where the system does not give the addresses, on demand.
    Pooling,
}

/// Where calls run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// On threads for hooks. Handing a call over and its answer back costs as much as the call.
    #[default]
    HookThreads,
    /// On the thread of a multi-threaded tokio runtime that asks for it, with
    /// [`block_in_place`](tokio::task::block_in_place), so not from within a `LocalSet`. Calls
    /// of audit hooks whose log has to wait, and calls from elsewhere, still run on hook threads.
    InPlace,
    /// On the thread that asks for it, whatever else waits for that thread: for a runtime that
    /// serves one command. Calls of audit hooks whose log has to wait, and of hooks that ask for
    /// WASI, run on hook threads.
    Here,
}

/// Whether calls start from an instance that has read its settings, instead of each reading them
/// anew. Every call has an instance of its own all the same.
///
/// There is a snapshot of a hook where reading its settings takes more than a tenth of a call, if
/// the hook asks the host for nothing meanwhile, if its component has a form that can be written
/// down, and if no setting is a secret, since snapshots are kept in the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Snapshots {
    /// Never: every call reads the settings.
    #[default]
    Never,
    /// Where the cache has one, which suits a process of few calls.
    IfKept,
    /// Also where it has to be taken first, which costs as much as compiling the component twice.
    Take,
}

/// What is run of a compiled component that was kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeptCode {
    /// A copy that nobody can change any more, not even this user.
    #[default]
    Copied,
    /// The file as it was when it was verified, which saves a third of a millisecond for a small
    /// hook. Nobody can write to it but this user, who can take this process over in other ways
    /// too; but one that goes on and on is better off with a copy.
    Mapped,
}

/// Tries components that strangers made on the compiler, where it may take what time and memory it
/// will: in a process of its own, within limits.
pub trait Compiler: Debug + Send + Sync {
    /// Sees that compiling `component` comes to an end within the limits, whatever end that is.
    /// One that can be compiled is best left in the cache, with
    /// [`HookEngine::compile`](crate::HookEngine::compile); if it is not, it is compiled again.
    ///
    /// # Errors
    ///
    /// Which limit it ran into, as a fragment of a sentence.
    fn try_out(&self, component: &[u8]) -> Result<(), String>;
}
