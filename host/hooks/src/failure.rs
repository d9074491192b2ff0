use std::char::DecodeUtf16Error;
use std::fmt;
use std::str::Utf8Error;
use std::time::Duration;

use spawnhook_model::{Failure, FailureClass};
use wasmtime::component::ResourceTableError;
use wasmtime::{Trap, WasmBacktrace};
use wasmtime_wasi::I32Exit;

use crate::HookLimits;
use crate::call::CallState;
use crate::limits::{OverBudget, Refused, Resource};
use crate::text::{SHOWN_BYTES, one_line};
use crate::threads::ThreadError;

/// What was being done with an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Start,
    Configure,
    BeforeSpawn,
    AfterExit,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Configure => "configure",
            Self::BeforeSpawn => "before-spawn",
            Self::AfterExit => "after-exit",
        })
    }
}

impl Phase {
    /// Says in which phase a hook did what a failure tells.
    pub(crate) fn blame(self, failure: Failure) -> Failure {
        Failure {
            class: failure.class,
            message: one_line(&format!("{self} {}", failure.message), SHOWN_BYTES),
        }
    }
}

/// The failure behind an error of the runtime, told apart by types alone.
pub(crate) fn describe(
    error: &wasmtime::Error,
    phase: Phase,
    state: &CallState,
    limits: &HookLimits,
) -> Failure {
    let (class, mut message) = classify(error, phase, state, limits);
    let explained = matches!(
        class,
        FailureClass::Panicked | FailureClass::Exited | FailureClass::Trapped
    );
    if explained {
        message.push_str(&state.log().explanation());
    }
    phase.blame(Failure { class, message })
}

fn classify(
    error: &wasmtime::Error,
    phase: Phase,
    state: &CallState,
    limits: &HookLimits,
) -> (FailureClass, String) {
    if let Some(refused) = state.refused() {
        (FailureClass::MemoryLimit, beyond(refused))
    } else if let Some(over) = error.downcast_ref::<OverBudget>() {
        over_budget(*over, limits)
    } else if let Some(I32Exit(code)) = error.downcast_ref() {
        (
            FailureClass::Exited,
            format!("called exit({code}) instead of returning"),
        )
    } else if let Some(trap) = error.downcast_ref::<Trap>() {
        trapped(*trap, error)
    } else {
        untyped(error, phase, limits)
    }
}

fn over_budget(over: OverBudget, limits: &HookLimits) -> (FailureClass, String) {
    match over {
        OverBudget::Cpu(limit) if limit != limits.cpu => (
            FailureClass::CpuLimit,
            format!("used more than {} of CPU time", ms(limit)),
        ),
        OverBudget::Cpu(limit) => (
            FailureClass::CpuLimit,
            format!("used more than its {} of CPU time (limits.cpu)", ms(limit)),
        ),
        OverBudget::Wall(limit) => (FailureClass::WallLimit, no_return(limit)),
    }
}

fn no_return(limit: Duration) -> String {
    format!(
        "did not return within its {} of wall time (limits.wall)",
        ms(limit)
    )
}

fn beyond(refused: Refused) -> String {
    let Refused { asked, limit, .. } = refused;
    match refused.resource {
        Resource::Memory => {
            format!("asked for {asked} bytes of memory; its limit is {limit} (limits.memory)")
        }
        Resource::Tables => {
            format!("asked for {asked} elements in its tables; the limit is {limit}")
        }
    }
}

fn trapped(trap: Trap, error: &wasmtime::Error) -> (FailureClass, String) {
    let place = place(error);
    match trap {
        Trap::StackOverflow => (
            FailureClass::StackOverflow,
            format!("recursed deeper than its stack holds{place}"),
        ),
        Trap::UnreachableCodeReached => (FailureClass::Panicked, format!("panicked{place}")),
        Trap::InvalidChar
        | Trap::InvalidDiscriminant
        | Trap::ListOutOfBounds
        | Trap::StringOutOfBounds
        | Trap::UnalignedPointer => (FailureClass::BadResult, no_value(&trap)),
        _ => (
            FailureClass::Trapped,
            format!("trapped{place}: {}", plain(&trap)),
        ),
    }
}

/// An error that is no trap. Left over, once the others are told apart, is the one type that the
/// runtime keeps to itself: too much data in one transfer.
fn untyped(error: &wasmtime::Error, phase: Phase, limits: &HookLimits) -> (FailureClass, String) {
    let root = error.root_cause();
    let in_guest = error.downcast_ref::<WasmBacktrace>().is_some();
    let message =
        error.downcast_ref::<&str>().is_some() || error.downcast_ref::<String>().is_some();
    let decoding = error.downcast_ref::<Utf8Error>().is_some()
        || error.downcast_ref::<DecodeUtf16Error>().is_some();
    if phase == Phase::Start && !in_guest {
        let class = if message {
            FailureClass::Trapped
        } else {
            FailureClass::Host
        };
        (class, format!("failed: {root}"))
    } else if error.downcast_ref::<std::io::Error>().is_some() {
        (FailureClass::Host, format!("failed: {root}"))
    } else if decoding || (message && !in_guest) {
        (FailureClass::BadResult, no_value(&root))
    } else if message || error.downcast_ref::<ResourceTableError>().is_some() {
        (FailureClass::Trapped, format!("trapped: {root}"))
    } else {
        let limit = limits.data_bytes;
        (
            FailureClass::DataLimit,
            format!("passed more than {limit} bytes of data at once"),
        )
    }
}

fn no_value(cause: &dyn fmt::Display) -> String {
    format!(
        "passed something that is no value of the interface: {}",
        plain(cause)
    )
}

/// The cause without the prefix that the runtime gives to traps.
fn plain(cause: &dyn fmt::Display) -> String {
    let text = cause.to_string();
    text.strip_prefix("wasm trap: ").unwrap_or(&text).to_owned()
}

fn place(error: &wasmtime::Error) -> String {
    error
        .downcast_ref::<WasmBacktrace>()
        .and_then(|trace| trace.frames().first()?.func_name())
        .map(|name| format!(" (in {})", one_line(name, 200)))
        .unwrap_or_default()
}

/// The failure of a call whose data the host does not even hand over.
pub(crate) fn data_limit(bytes: u64, limit: u64) -> Result<(), Failure> {
    if bytes <= limit {
        return Ok(());
    }
    Err(Failure {
        class: FailureClass::DataLimit,
        message: format!("would have been given {bytes} bytes of data; its limit is {limit}"),
    })
}

/// The failure of a call that no hook thread brought to an end.
pub(crate) fn of_thread(error: ThreadError) -> Failure {
    let (class, message) = match error {
        ThreadError::GivenUp(limit) => (
            FailureClass::WallLimit,
            format!("{}; its thread was given up", no_return(limit)),
        ),
        ThreadError::Panicked | ThreadError::Busy | ThreadError::NoThread => {
            (FailureClass::Host, error.to_string())
        }
    };
    Failure { class, message }
}

fn ms(duration: Duration) -> String {
    format!("{} ms", duration.as_millis())
}
