//! The process that starts commands in the place of this one, and the host's side of it.

mod assignment;
mod drain;
mod error;
mod link;
mod plan;
mod serve;
mod standby;
mod supervisor;
mod tree;
pub(crate) mod wire;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::sys::prctl;
use spawnhook_model::Leftover;

pub use error::SpawnerError;
pub(crate) use link::Request;
pub(crate) use plan::Plan;
pub(crate) use tree::KILL_LIMIT;

use crate::sys::fork;
use crate::sys::processes::{self, Process, own_pid};
use crate::sys::signals::survive_file_size_limit;
use crate::sys::socket::Wait;
use crate::sys::wait::{self, Children};
use link::{Link, exit_code, is_gone};
use serve::Commands;
use tree::Tree;

/// How often a supervisor changes its parent before it is not believed to be one: once it is
/// seen with its spawner, then with this process.
const GENERATIONS: usize = 8;

/// A tiny process with one thread that forks a supervisor for every command, so that starting one
/// costs the same however large this process is, and so that a command's processes are all found
/// when they are to be killed.
///
/// A program has one; clones are the same one. If it dies the next command starts another, and
/// commands that run go on.
///
/// # A program of its own
///
/// [`Spawner::fork`] is the first thing that `main` does, once it is clear that a command is going
/// to run, and [`Spawner::serve_if_asked`] comes before that:
///
/// ```no_run
/// use spawnhook_exec::Spawner;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// Spawner::serve_if_asked(std::env::args_os());
/// let spawner = Spawner::fork(std::env::current_exe()?)?;
/// let runtime = tokio::runtime::Runtime::new()?;
/// # Ok(())
/// # }
/// ```
///
/// # A program that has threads already
///
/// uses [`Spawner::launch`] with a program that calls [`Spawner::serve_if_asked`] first thing,
/// which may be itself:
///
/// ```no_run
/// # use spawnhook_exec::{LocalBackend, Spawner};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let backend = LocalBackend::new(Spawner::launch("/usr/bin/spawnhook")?, None, None);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Spawner(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    program: PathBuf,
    /// Whether orphans of the spawner become children of this process.
    adopts: bool,
    link: Mutex<Link>,
    /// Supervisors of commands that run, by pid.
    supervisors: Mutex<BTreeSet<i32>>,
}

impl Spawner {
    /// The argument with which a program is executed to be a spawner. Users never see it.
    pub const ARGUMENT: &'static str = "__spawner";

    /// Forks this process, which must have one thread. Should the spawner die, it is launched
    /// anew from `program`.
    ///
    /// From now on this process adopts orphans, prctl(2) PR_SET_CHILD_SUBREAPER. Should a command
    /// kill both its supervisor and the spawner, every child of this process is killed that is
    /// not one of these: a program that starts processes in other ways too launches its spawner.
    /// And SIGXFSZ is ignored, so that a limit which this process runs under costs a file of
    /// output, and not the process.
    ///
    /// # Errors
    ///
    /// If this process has other threads, or cannot be forked.
    pub fn fork(program: impl Into<PathBuf>) -> Result<Self, SpawnerError> {
        Self::fork_for(Commands::Many, program.into())
    }

    /// As [`Self::fork`], for a process that is going to run one command: nobody stands by for
    /// another, which spares a fork while the command starts. There may be more all the same.
    ///
    /// # Errors
    ///
    /// Those of [`Self::fork`].
    pub fn fork_for_one(program: impl Into<PathBuf>) -> Result<Self, SpawnerError> {
        Self::fork_for(Commands::One, program.into())
    }

    fn fork_for(commands: Commands, program: PathBuf) -> Result<Self, SpawnerError> {
        let failed = |source| SpawnerError::Fork { source };
        match fork::threads().map_err(failed)? {
            1 => {}
            threads => return Err(SpawnerError::Threads { threads }),
        }
        let link = Link::fork(commands).map_err(failed)?;
        prctl::set_child_subreaper(true).map_err(|error| failed(error.into()))?;
        survive_file_size_limit().map_err(failed)?;
        Ok(Self::new(program, true, link))
    }

    /// Executes `program`, which must call [`Self::serve_if_asked`], as a spawner. What this
    /// process's threads do meanwhile does not matter.
    ///
    /// # Errors
    ///
    /// If the program cannot be executed.
    pub fn launch(program: impl Into<PathBuf>) -> Result<Self, SpawnerError> {
        let program = program.into();
        match Link::launch(&program) {
            Ok(link) => Ok(Self::new(program, false, link)),
            Err(source) => Err(SpawnerError::Launch { program, source }),
        }
    }

    fn new(program: PathBuf, adopts: bool, link: Link) -> Self {
        Self(Arc::new(Inner {
            program,
            adopts,
            link: Mutex::new(link),
            supervisors: Mutex::default(),
        }))
    }

    /// If the arguments, the program's own name being the first, ask for a spawner, this process
    /// becomes one and the call does not return. It must have one thread.
    pub fn serve_if_asked<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) {
        let mut arguments = arguments.into_iter().skip(1);
        let asked = arguments
            .next()
            .is_some_and(|first| first.as_ref() == Self::ARGUMENT);
        if asked {
            let socket = io::stdin().as_fd().try_clone_to_owned();
            fork::exit(exit_code(
                socket.and_then(|socket| serve::serve(socket, Commands::Many)),
            ));
        }
    }

    /// The process id of the spawner that there is now. If it has died meanwhile, there is none
    /// with this id.
    pub fn pid(&self) -> u32 {
        u32::try_from(self.link().pid).expect("invariant: pids are positive")
    }

    /// What a new spawner is launched from.
    pub(crate) fn program(&self) -> &Path {
        &self.0.program
    }

    /// Sends a request if that is possible at once.
    pub(crate) fn try_send(&self, request: &Request) -> io::Result<()> {
        request.send(&self.link(), Wait::No)
    }

    /// Sends a request, to a new spawner if the old one is gone.
    pub(crate) fn send(&self, request: &Request) -> io::Result<()> {
        let link = self.link();
        match request.send(&link, Wait::Yes) {
            Err(error) if is_gone(&error) => request.send(&self.replace(&link)?, Wait::Yes),
            result => result,
        }
    }

    /// The spawner may have been stopped by a command.
    pub(crate) fn wake(&self) {
        self.link().wake();
    }

    pub(crate) fn started(&self, supervisor: i32) {
        lock(&self.0.supervisors).insert(supervisor);
    }

    pub(crate) fn ended(&self, supervisor: i32) {
        lock(&self.0.supervisors).remove(&supervisor);
        // It is a child of this process if its spawner is gone; otherwise this does nothing.
        drop(wait::reap(Children::One(supervisor)));
    }

    /// Kills what a command has left whose supervisor was killed, if its spawner was killed too:
    /// these are descendants of this process, but neither a spawner's nor a supervisor's. Returns
    /// what could not be killed. A spawner that lives has done it before the end of the supervisor
    /// could be seen.
    pub(crate) fn sweep(&self, supervisor: i32) -> Vec<Leftover> {
        if !self.0.adopts || !Self::adopted(supervisor) {
            return Vec::new();
        }
        let mut spared = lock(&self.0.supervisors).clone();
        spared.remove(&supervisor);
        spared.insert(self.link().pid);
        let tree = Tree::of_this_process(spared);
        let living = || tree.living().unwrap_or_default();
        if !living().is_empty() {
            tree.kill(|longest| {
                std::thread::sleep(longest);
                living().is_empty()
            });
        }
        Self::reap_orphans(&tree);
        living().iter().map(Process::as_leftover).collect()
    }

    /// Whether a supervisor that is ending is this process's child, as it is once its spawner has
    /// ended. A spawner that lives has reaped it before the end of the connection could be seen;
    /// so if the supervisor is still there its spawner is ending as well, and waited for.
    fn adopted(supervisor: i32) -> bool {
        for _ in 0..GENERATIONS {
            match processes::one(supervisor) {
                Some(process) if process.parent == own_pid() => {
                    return wait::reap_ending(supervisor).is_ok();
                }
                // It stays a zombie until another takes its place.
                Some(process) => drop(wait::peek_ending(process.parent)),
                None => return false,
            }
        }
        false
    }

    fn reap_orphans(tree: &Tree) {
        for orphan in tree.children().unwrap_or_default() {
            drop(wait::reap(Children::One(orphan.pid)));
        }
    }

    fn link(&self) -> Link {
        lock(&self.0.link).clone()
    }

    /// Another spawner in the place of `gone`, unless somebody has done that already.
    fn replace(&self, gone: &Link) -> io::Result<Link> {
        let mut link = lock(&self.0.link);
        if link.pid == gone.pid {
            let launched = Link::launch(&self.0.program)?;
            drop(wait::reap_ending(gone.pid));
            *link = launched;
            if self.0.adopts {
                // The one that stood by has ended with it.
                let mut spared = lock(&self.0.supervisors).clone();
                spared.insert(link.pid);
                Self::reap_orphans(&Tree::of_this_process(spared));
            }
        }
        Ok(link.clone())
    }
}

/// What the locks guard is whole between any two statements.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
