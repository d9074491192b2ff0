use std::process::ExitCode;

use spawnhook::wire::{NoOutcome, ResultObject};
use spawnhook_model::Ending;

use super::stream;

/// The command ran into its time limit; the code is that of `timeout`.
const TIMED_OUT: u8 = 124;
/// spawnhook itself failed.
pub(crate) const FAILED: u8 = 125;
/// A hook, or the person it asked, refused.
pub(crate) const DENIED: u8 = 126;
/// The caller cancelled; 128 + SIGINT.
const CANCELLED: u8 = 130;

/// The exit code of an ending.
pub(crate) fn code(ending: &Ending) -> ExitCode {
    let code = match ending {
        Ending::TimedOut { .. } => TIMED_OUT,
        Ending::Cancelled { .. } => CANCELLED,
        Ending::Denied { .. } => DENIED,
        Ending::HookFailed { .. } | Ending::SpawnFailed(_) => FAILED,
        Ending::Exited(_) | Ending::Signaled(_) => {
            let code = ending.exit_code().unwrap_or(i32::from(FAILED));
            // As the system itself does with codes that do not fit.
            u8::try_from(code & 0xff).expect("one byte is left")
        }
    };
    ExitCode::from(code)
}

/// Ends a command line that clap did not accept, or that asked for help.
pub(crate) fn usage(error: &clap::Error, wants_object: bool) -> ExitCode {
    if !error.use_stderr() {
        stream::to_stdout(&error.to_string());
        return ExitCode::SUCCESS;
    }
    if wants_object {
        let text = error.to_string();
        let message = text.trim_start_matches("error: ").trim_end().to_owned();
        return no_outcome(NoOutcome::Invalid, message, stream::Form::Object);
    }
    stream::to_stderr(&error.to_string());
    ExitCode::from(FAILED)
}

/// Ends a run that has no outcome.
pub(crate) fn no_outcome(why: NoOutcome, message: String, form: stream::Form) -> ExitCode {
    match form {
        stream::Form::Text => stream::say(&message),
        stream::Form::Object => stream::object(&ResultObject::without_outcome(why, message)),
        stream::Form::Events => {
            stream::finished(&ResultObject::without_outcome(why, message));
        }
    }
    ExitCode::from(FAILED)
}

/// Ends a command that either did its work or failed.
pub(crate) fn report(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            stream::say(&one_line(&error));
            ExitCode::from(FAILED)
        }
    }
}

/// An error and its causes.
pub(crate) fn one_line(error: &anyhow::Error) -> String {
    format!("{error:#}")
}
