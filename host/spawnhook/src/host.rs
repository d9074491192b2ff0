use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use spawnhook_exec::{
    Backend, BoxFuture, Canceller, Collector, Cwd, CwdError, LocalBackend, Ran, Spawn, SpawnError,
    Spawner, SpillOptions, Streams, Wires,
};
use spawnhook_hooks::{Chain, EngineOptions, HookEngine, NativeHook, SpawnHook};
use spawnhook_model::Env;
use tokio::sync::mpsc;

use crate::accept::Handling;
use crate::ask::Ask;
use crate::audit::AuditFile;
use crate::builtin::Builtins;
use crate::config::Config;
use crate::deployment::{self, BuildError, ExtraHook};
use crate::execution::Execution;
use crate::pipeline::{Pipeline, Review};
use crate::request::{ExecRequest, Keep, RequestError};

/// How many events may wait for the front end.
const EVENTS_IN_FLIGHT: usize = 16;

/// Runs commands through the hooks of one deployment. Cheap to clone.
#[derive(Clone)]
pub struct Host {
    parts: Arc<Parts>,
}

/// What every call of a host shares.
pub(crate) struct Parts {
    pub(crate) config: Config,
    pub(crate) environment: Env,
    pub(crate) temporary: PathBuf,
    pub(crate) chain: Chain,
    /// What the operator should know of the start; the first call tells it.
    start_notices: Mutex<Vec<String>>,
    pub(crate) audit: Option<AuditFile>,
    pub(crate) backend: Arc<dyn Backend>,
    pub(crate) ask: Option<Arc<dyn Ask>>,
}

/// Where commands run.
pub enum Via {
    /// Nowhere: commands are reviewed for somebody else who runs them.
    Nowhere,
    /// On this machine, in the shell of the deployment, started by this spawner.
    Shell(Spawner),
    /// Where this backend runs them.
    Backend(Arc<dyn Backend>),
}

/// Puts a [`Host`] together.
pub struct HostBuilder {
    config: Config,
    environment: Env,
    temporary: PathBuf,
    builtins: Builtins,
    engine: EngineOptions,
    extra: Vec<ExtraHook>,
    native: Vec<MakeHook>,
    via: Via,
    ask: Option<Arc<dyn Ask>>,
}

/// A hook in Rust, once there is an engine.
type MakeHook = Box<dyn FnOnce(&HookEngine) -> NativeHook + Send>;

impl Host {
    /// Begins with a deployment's config and the environment that commands inherit from, usually
    /// the process's own. Neither this nor anything else in the library reads that by itself.
    pub fn builder(config: Config, environment: Env, via: Via) -> HostBuilder {
        HostBuilder {
            config,
            environment,
            temporary: PathBuf::from("/tmp"),
            builtins: Builtins::default(),
            engine: EngineOptions::default(),
            extra: Vec::new(),
            native: Vec::new(),
            via,
            ask: None,
        }
    }

    /// Accepts a request, and starts it on the current tokio runtime.
    ///
    /// # Errors
    ///
    /// If the request could not run whatever the hooks say. No hook sees such a request.
    pub fn start(&self, request: ExecRequest) -> Result<Execution, RequestError> {
        let accepted = self.parts.accept(request)?;
        let call = accepted.call.clone();
        let (canceller, cancel) = Canceller::new();
        let (sender, events) = mpsc::channel(EVENTS_IN_FLIGHT);
        let pipeline = Pipeline::new(self.parts.clone(), accepted, cancel, sender);
        drop(tokio::spawn(pipeline.run()));
        Ok(Execution::new(call, canceller, events))
    }

    /// Accepts a request, and has its hooks decide about it for somebody else who is going to run
    /// the command: rewrite hooks, guards, and whether it could run in its directory. The review
    /// that comes of it is refused, handed over, or goes on in another process by a ticket.
    ///
    /// # Errors
    ///
    /// As [`Self::start`].
    pub async fn review(&self, request: ExecRequest) -> Result<Review, RequestError> {
        let accepted = self.parts.accept(request)?;
        let (_, cancel) = Canceller::new();
        let (sender, _) = mpsc::channel(1);
        let pipeline = Pipeline::new(self.parts.clone(), accepted, cancel, sender);
        Ok(pipeline.review().await)
    }

    /// The config of the deployment.
    pub fn config(&self) -> &Config {
        &self.parts.config
    }

    /// The absolute path of a directory that the deployment lets a command run in, as far as the
    /// place matters; a relative one is taken from the workspace's root.
    ///
    /// # Errors
    ///
    /// Why no command can run there.
    pub fn check_cwd(&self, cwd: &Path) -> Result<PathBuf, RequestError> {
        self.parts.requested_cwd(Some(cwd))
    }
}

impl HostBuilder {
    /// Where full-output files go; `/tmp` if nothing is said.
    #[must_use]
    pub fn temporary_directory(mut self, directory: PathBuf) -> Self {
        self.temporary = directory;
        self
    }

    /// Where `builtin:` components come from; those inside the program if nothing is said.
    #[must_use]
    pub fn builtins(mut self, builtins: Builtins) -> Self {
        self.builtins = builtins;
        self
    }

    /// How hooks are compiled and called; a plain engine without a cache if nothing is said.
    #[must_use]
    pub fn engine(mut self, options: EngineOptions) -> Self {
        self.engine = options;
        self
    }

    /// Adds a hook behind the configured ones of its stage.
    #[must_use]
    pub fn hook(mut self, hook: ExtraHook) -> Self {
        self.extra.push(hook);
        self
    }

    /// Adds a hook in Rust that may change a command and deny it, behind every component of stage
    /// `rewrite`. No other hook may have its name.
    #[must_use]
    pub fn rewrite(mut self, name: impl Into<String>, hook: impl SpawnHook) -> Self {
        let name = name.into();
        self.native
            .push(Box::new(|engine| engine.rewrite(name, hook)));
        self
    }

    /// Adds a hook in Rust that may deny a final command or have a person asked, behind every
    /// component of stage `guard`. No other hook may have its name.
    #[must_use]
    pub fn guard(mut self, name: impl Into<String>, hook: impl SpawnHook) -> Self {
        let name = name.into();
        self.native
            .push(Box::new(|engine| engine.guard(name, hook)));
        self
    }

    /// Who answers the questions of guards.
    #[must_use]
    pub fn ask(mut self, ask: impl Ask) -> Self {
        self.ask = Some(Arc::new(ask));
        self
    }

    /// Loads every hook.
    ///
    /// # Errors
    ///
    /// If one of them cannot be loaded; a deployment never runs with fewer hooks than it names.
    pub fn build(self) -> Result<Host, BuildError> {
        let engine = HookEngine::with(self.engine)?;
        let mut chain = deployment::load(&engine, &self.config, &self.builtins, self.extra)?;
        for hook in self.native {
            chain = chain.and(hook(&engine))?;
        }
        let audit = AuditFile::new(&self.config.audit);
        let backend = match self.via {
            Via::Nowhere => Arc::new(Nowhere),
            Via::Backend(backend) => backend,
            Via::Shell(spawner) => {
                let search_path = self.environment.get("PATH").map(ToOwned::to_owned);
                let shell = self.config.shell.path.clone();
                Arc::new(LocalBackend::new(spawner, shell, search_path))
            }
        };
        Ok(Host {
            parts: Arc::new(Parts {
                config: self.config,
                environment: self.environment,
                temporary: self.temporary,
                chain,
                start_notices: Mutex::new(engine.take_notices()),
                audit,
                backend,
                ask: self.ask,
            }),
        })
    }
}

/// Runs nothing.
struct Nowhere;

impl Backend for Nowhere {
    fn run<'a>(&'a self, _: Spawn, _: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        Box::pin(async { Err(SpawnError::NoBackend) })
    }
}

impl Parts {
    /// What is to be told of the start, the first time that it is asked for.
    pub(crate) fn take_start_notices(&self) -> Vec<String> {
        let notices = self.start_notices.lock();
        std::mem::take(&mut *notices.unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn open_cwd(&self, cwd: &Path) -> Result<Cwd, CwdError> {
        let workspace = &self.config.workspace;
        let confine_to = workspace.confine_cwd.then_some(workspace.root.as_path());
        Cwd::open(cwd, confine_to)
    }

    pub(crate) fn collector(&self, handling: Handling) -> Collector {
        let limits = &self.config.limits;
        let spill = (handling.keep == Keep::TailAndFile).then(|| SpillOptions {
            directory: self.temporary.clone(),
            quota_bytes: limits.spill_quota,
        });
        let collector = Collector::new(limits.output, spill).with_policy(handling.text);
        match handling.streams {
            Streams::Merged | Streams::Inherit => collector,
            Streams::Separate => collector.with_streams_apart(),
        }
    }
}

#[cfg(test)]
mod tests;
