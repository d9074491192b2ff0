//! Compiling the components of strangers in a process of its own.

use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use spawnhook_hooks::{Compiler, EngineError, EngineOptions, HookEngine};

/// The argument that makes the program a compiler.
pub const COMPILE_ARGUMENT: &str = "compile-component";

/// How much compiling one component may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileLimits {
    /// CPU time of all threads together, in seconds.
    pub cpu_seconds: u64,
    /// Address space, in bytes.
    pub memory_bytes: u64,
    /// Time on the clock.
    pub wall: Duration,
}

impl Default for CompileLimits {
    /// The largest components that toolchains make, of 18 MiB with CPython in them, take some 20 s
    /// of CPU time and 1 GiB; three times the one and four times the other.
    fn default() -> Self {
        Self {
            cpu_seconds: 60,
            memory_bytes: 4 << 30,
            wall: Duration::from_secs(120),
        }
    }
}

/// Starts the program anew for each component that is not in the cache.
#[derive(Clone, Debug)]
pub struct CompilerProcess {
    program: PathBuf,
    cache: Option<PathBuf>,
    limits: CompileLimits,
}

impl CompilerProcess {
    /// A compiler that is `program`, whose main function hands [`COMPILE_ARGUMENT`] and what
    /// follows it to [`serve`], and that leaves what it compiled in `cache`.
    pub fn new(program: PathBuf, cache: Option<PathBuf>, limits: CompileLimits) -> Self {
        Self {
            program,
            cache,
            limits,
        }
    }

    fn start(&self) -> std::io::Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .arg(COMPILE_ARGUMENT)
            .arg(self.limits.cpu_seconds.to_string())
            .arg(self.limits.memory_bytes.to_string())
            .args(&self.cache)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command.spawn()
    }

    /// What an end says of the limits.
    fn judge(&self, status: ExitStatus) -> Result<(), String> {
        let limits = &self.limits;
        let signal = status.signal();
        if status.success() {
            Ok(())
        } else if signal == Some(Signal::XCPU.as_raw()) || signal == Some(Signal::KILL.as_raw()) {
            let seconds = limits.cpu_seconds;
            Err(format!("it takes more than {seconds} s of CPU time"))
        } else {
            let mebibytes = limits.memory_bytes >> 20;
            Err(format!(
                "it takes more than {mebibytes} MiB of memory, or breaks the compiler ({status})"
            ))
        }
    }
}

impl Compiler for CompilerProcess {
    fn try_out(&self, component: &[u8]) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("the compiler cannot be run: {error}");
        let mut child = self.start().map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (mut input, mut output) = pipes.expect("invariant: both are pipes");
        let (ended, on_end) = mpsc::channel();
        let in_time = std::thread::scope(|scope| {
            scope.spawn(move || {
                // A compiler that ends early is judged by how it ended.
                input.write_all(component).ok();
                drop(input);
                output.read_to_end(&mut Vec::new()).ok();
                ended.send(()).ok();
            });
            let in_time = on_end.recv_timeout(self.limits.wall).is_ok();
            if !in_time {
                child.kill().ok();
            }
            in_time
        });
        let status = child.wait().map_err(failed)?;
        if in_time {
            self.judge(status)
        } else {
            Err(format!("it takes more than {:?}", self.limits.wall))
        }
    }
}

/// Is the compiler: limits this process, reads a component from standard input, and compiles it
/// into the cache. `arguments` are those behind [`COMPILE_ARGUMENT`].
///
/// # Errors
///
/// If the arguments are not those of a [`CompilerProcess`], or the process cannot do its work.
pub fn serve(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Result<(), ServeError> {
    let mut arguments = arguments.into_iter();
    let mut number = || {
        let text = arguments.next()?.into_string().ok()?;
        text.parse::<u64>().ok()
    };
    let (cpu_seconds, memory_bytes) = number().zip(number()).ok_or(ServeError::Arguments)?;
    for (resource, limit) in [
        (Resource::Cpu, cpu_seconds),
        (Resource::As, memory_bytes),
        (Resource::Core, 0),
    ] {
        let limit = Some(limit);
        let limit = Rlimit {
            current: limit,
            maximum: limit,
        };
        setrlimit(resource, limit).map_err(std::io::Error::from)?;
    }
    let mut component = Vec::new();
    std::io::stdin().lock().read_to_end(&mut component)?;
    let engine = HookEngine::with(EngineOptions {
        cache: arguments.next().map(PathBuf::from),
        ..EngineOptions::default()
    })?;
    // What is wrong with a component the host finds out by itself, now that it costs no more than
    // this did.
    engine.compile(&component).ok();
    Ok(())
}

/// Why a compiler process did nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// It was started by hand.
    #[error("this is for spawnhook itself, which hands over limits and a cache")]
    Arguments,
    /// The component could not be read, or the process not be limited.
    #[error("cannot read the component within limits")]
    Io(#[from] std::io::Error),
    /// There is no engine.
    #[error("cannot compile here")]
    Engine(#[from] EngineError),
}
