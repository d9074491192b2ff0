//! The text that a model reads of an outcome. Forms and wording are a contract that prompts and
//! forks of the original bash tool depend on.

use spawnhook_exec::signal_name;
use spawnhook_model::{Cut, Ending, Outcome, Output, Truncation};

/// The whole text: output, footer, notices, ending, each set apart by a blank line.
pub fn message(outcome: &Outcome) -> String {
    let mut parts = Vec::new();
    parts.extend(shown_output(outcome));
    if let Some(cut) = outcome.output.truncation {
        parts.push(footer(&cut, &outcome.output));
    }
    parts.extend(outcome.notices.iter().map(|notice| format!("[{notice}]")));
    parts.extend(status(&outcome.ending));
    parts.join("\n\n")
}

/// What is said of an ending; none for an exit with code 0.
pub fn status(ending: &Ending) -> Option<String> {
    Some(match ending {
        Ending::Exited(0) => return None,
        Ending::Exited(code) => format!("Command exited with code {code}"),
        Ending::Signaled(signal) => {
            let name = signal_name(*signal).map_or_else(String::new, |name| format!(", {name}"));
            let code = 128 + signal;
            format!("Command exited with code {code} (killed by signal {signal}{name})")
        }
        Ending::TimedOut { after, shell } => {
            format!(
                "Command timed out after {after} seconds{}",
                shell_note(*shell)
            )
        }
        Ending::Cancelled { shell } => format!("Command aborted{}", shell_note(*shell)),
        Ending::Denied { hook, reason } => format!("Command denied by hook `{hook}`: {reason}"),
        Ending::HookFailed { hook, failure } => {
            format!("Command not run: hook `{hook}` failed: {failure}")
        }
        Ending::SpawnFailed(reason) => reason.clone(),
    })
}

/// Sizes as the contract has them: `NB`, `N.NKB`, `N.NMB`.
pub fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let bytes_f = bytes as f64;
    if bytes < 1024 {
        format!("{bytes}B")
    } else if bytes < 1024 * 1024 {
        format!("{:.1}KB", bytes_f / 1024.0)
    } else {
        format!("{:.1}MB", bytes_f / (1024.0 * 1024.0))
    }
}

/// A placeholder stands for an output without text where the command ended by itself, since
/// providers reject an empty result.
fn shown_output(outcome: &Outcome) -> Option<String> {
    let text = &outcome.output.text;
    if !text.trim().is_empty() {
        return Some(text.clone());
    }
    outcome.ending.exit_code().map(|_| "(no output)".to_owned())
}

fn shell_note(shell: Option<i32>) -> String {
    shell.map_or_else(String::new, |code| {
        format!(" (the shell had exited with code {code}; background processes kept the call open)")
    })
}

fn footer(cut: &Truncation, output: &Output) -> String {
    let shown = if cut.last_line_partial {
        format!(
            "Showing last {} of line {} (line is {})",
            size(cut.shown_bytes),
            cut.total_lines,
            size(cut.last_line_bytes)
        )
    } else {
        let limit = match cut.by {
            Cut::Lines => String::new(),
            Cut::Bytes => format!(" ({} limit)", size(cut.max_bytes)),
        };
        format!(
            "Showing lines {}-{} of {}{limit}",
            cut.first_line,
            cut.first_line + cut.shown_lines - 1,
            cut.total_lines
        )
    };
    match &output.full_output {
        Some(path) => format!("[{shown}. Full output: {}]", path.display()),
        None => format!("[{shown}. The full output was not kept]"),
    }
}

#[cfg(test)]
mod tests;
