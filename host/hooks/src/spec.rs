use std::time::Duration;

use bytes::Bytes;
use spawnhook_model::Stage;

use crate::When;

/// One hook as a deployment wants it: a component, its place, its rights and its limits.
#[derive(Clone, Debug)]
pub struct HookSpec {
    /// Names the hook in reports and errors; unique in a chain.
    pub name: String,
    /// Where in the chain it stands, and so what it may do.
    pub stage: Stage,
    /// Where the component comes from, for errors: a path, or `builtin:NAME`.
    pub origin: String,
    /// The file as it was read.
    pub component: Bytes,
    /// The SHA-256 of a component that is part of the program, and is trusted as that is. Any other
    /// may be made to keep the compiler busy, and goes through the engine's
    /// [`Compiler`](crate::Compiler) first.
    pub part_of_program: Option<[u8; 32]>,
    /// The SHA-256 that the file must have, as 64 hex digits; none if any file will do.
    pub sha256: Option<String>,
    /// The text of a JSON object for `configure`; `{}` if there are no settings.
    pub settings: String,
    /// Whether the settings hold secrets, which are kept nowhere.
    pub secret_settings: bool,
    /// What happens to the command when a call fails.
    pub on_failure: OnFailure,
    /// For which commands it is called. One that depends on the text of a command is for stage
    /// rewrite alone: a guard that a wording can switch off is none.
    pub when: When,
    /// What the hook may see and change.
    pub rights: Rights,
    /// How much it may use.
    pub limits: HookLimits,
}

impl HookSpec {
    /// A hook without settings and rights, with default limits, that stops the command when it
    /// fails.
    pub fn new(name: impl Into<String>, stage: Stage, component: impl Into<Bytes>) -> Self {
        let name = name.into();
        Self {
            origin: name.clone(),
            name,
            stage,
            component: component.into(),
            part_of_program: None,
            sha256: None,
            settings: "{}".to_owned(),
            secret_settings: false,
            on_failure: OnFailure::default(),
            when: When::default(),
            rights: Rights::default(),
            limits: HookLimits::default(),
        }
    }
}

/// What happens to a command when the call of a hook fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// It does not run.
    #[default]
    Deny,
    /// It goes on as if the hook were not there, and the report says so.
    Skip,
}

/// What a hook may see and change. The default is nothing.
///
/// The three lists hold names of variables or globs with `*` and `?`. They are checked when the
/// hook is loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// The variables it sees.
    pub see_env: Vec<String>,
    /// The variables it may set. Names that can change what a shell or a loader runs are granted
    /// by their exact name alone.
    pub set_env: Vec<String>,
    /// The variables it may unset. Exact names as for [`Self::set_env`].
    pub unset_env: Vec<String>,
    /// Whether it may change the command.
    pub command: bool,
    /// Whether it may change the working directory.
    pub cwd: bool,
}

/// How much one call of a hook may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookLimits {
    /// CPU time of the thread that runs the call, instantiation included.
    pub cpu: Duration,
    /// Wall time, counted once a hook thread has taken the call.
    pub wall: Duration,
    /// Bytes of all linear memories together.
    pub memory_bytes: u64,
    /// Bytes of data that a hook is given or gives in one step: a context, a log message.
    pub data_bytes: u64,
    /// Bytes of the hook's log that are kept: half of them its head, half its tail.
    pub log_bytes: u64,
    /// Bytes of the component's file.
    pub component_bytes: u64,
}

impl Default for HookLimits {
    /// Limits for a component of compiled code.
    fn default() -> Self {
        Self {
            // A thousand times what a small Rust hook needs, and still not felt beside a command.
            cpu: Duration::from_millis(50),
            // Forty times the CPU limit: only a machine that is badly overloaded gets there.
            wall: Duration::from_secs(2),
            // A Rust guest starts with 17 pages of 64 KiB; the largest context is 2 MiB.
            memory_bytes: 64 << 20,
            // Four times the largest command and environment that Linux lets a process start with.
            data_bytes: 8 << 20,
            // The tail is what a failure shows; the head is where the cause stands.
            log_bytes: 64 << 10,
            // A Rust component has some 100 KiB; compiling is linear in the size.
            component_bytes: 16 << 20,
        }
    }
}

impl HookLimits {
    /// Limits for a component that carries an interpreter: JavaScript or Python.
    pub fn interpreted() -> Self {
        Self {
            // Starting an interpreter from its snapshot takes a millisecond or two; running in it
            // is some fifty times slower than compiled code.
            cpu: Duration::from_millis(500),
            wall: Duration::from_secs(5),
            // CPython's snapshot alone has some 12 MiB, SpiderMonkey's heap grows in steps of 16.
            memory_bytes: 256 << 20,
            // A Python component has some 18 MiB.
            component_bytes: 48 << 20,
            ..Self::default()
        }
    }
}
