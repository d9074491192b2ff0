use spawnhook_model::{Ending, Refusal};

use crate::answer::{Returned, Shown};

mod generated {
    wasmtime::component::bindgen!({
        path: "../../wit",
        world: "audit-plugin",
        ownership: Borrowing { duplicate_if_necessary: true },
    });
}

use self::generated::spawnhook::hook::types;

pub(super) use self::generated::spawnhook::hook::{audit_log, call, exit, log};

pub(crate) use self::generated::exports::spawnhook::hook::exit_hook::GuestIndices as ExitHookIndices;
pub(crate) use self::generated::exports::spawnhook::hook::settings::GuestIndices as SettingsIndices;
pub(crate) use self::generated::exports::spawnhook::hook::spawn_hook::GuestIndices as SpawnHookIndices;

/// What a hook is shown, as its instance takes it.
pub(super) fn context<'a>(shown: &'a Shown<'_>) -> types::SpawnContextParam<'a> {
    types::SpawnContextParam {
        command: shown.command,
        cwd: shown.cwd,
        env: &shown.env,
    }
}

/// What an instance returned.
pub(super) fn returned(context: types::SpawnContextResult) -> Returned {
    Returned {
        command: context.command,
        cwd: context.cwd,
        env: context.env,
    }
}

/// The refusal that an instance returned.
pub(super) fn refusal(refusal: types::Refusal) -> Refusal {
    match refusal {
        types::Refusal::Deny(reason) => Refusal::Deny(reason),
        types::Refusal::Ask(question) => Refusal::Ask(question),
    }
}

/// An ending as `after-exit` is told it.
pub(super) fn exit_status(ending: &Ending) -> types::ExitStatus<'_> {
    match ending {
        Ending::Exited(code) => types::ExitStatus::Exited(*code),
        Ending::Signaled(signal) => types::ExitStatus::Signaled(*signal),
        Ending::TimedOut { shell, .. } => types::ExitStatus::TimedOut(*shell),
        Ending::Cancelled { shell } => types::ExitStatus::Cancelled(*shell),
        Ending::Denied { reason, .. } => types::ExitStatus::Denied(reason),
        Ending::HookFailed { failure, .. } => types::ExitStatus::HookFailed(&failure.message),
        Ending::SpawnFailed(reason) => types::ExitStatus::SpawnFailed(reason),
    }
}
