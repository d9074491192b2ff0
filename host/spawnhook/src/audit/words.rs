//! How a command of a log is told to people.

use std::time::Duration;

use jiff::Timestamp;
use spawnhook_exec::signal_name;

use super::Command;

/// `41 ms`, `1.5 s`, `2m 3s`, `1h 2m 3s`.
pub fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes, seconds) {
        (0, 0, 0) => format!("{milliseconds} ms"),
        (0, 0, _) => format!(
            "{:.1} s",
            Duration::from_millis(milliseconds / 100 * 100).as_secs_f64()
        ),
        (0, ..) => format!("{minutes}m {rest}s"),
        _ => format!("{hours}h {minutes}m {rest}s"),
    }
}

/// To the second, in UTC: `2026-01-31 12:00:00`.
pub fn time(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// To the minute, in UTC: `2026-01-31 12:00`.
pub fn minute(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M").to_string()
}

/// `exited 3`, `signal KILL`, the name of another ending, or `unended`.
pub fn ending(command: &Command) -> String {
    let Some(ending) = &command.ending else {
        return "unended".to_owned();
    };
    match (ending.as_str(), command.exit_code, command.signal) {
        ("exited", Some(code), _) => format!("exited {code}"),
        ("signaled", _, Some(signal)) => match signal_name(signal) {
            Some(name) => format!("signal {}", name.trim_start_matches("SIG")),
            None => format!("signal {signal}"),
        },
        _ => ending.clone(),
    }
}

/// The text of a command, or the digest that is all that is known of it.
pub fn command(command: &Command) -> String {
    match &command.command {
        Some(text) => text.clone(),
        None => format!("sha256:{}", command.command_sha256),
    }
}

/// Who refused, and why; none of a command that nobody did.
pub fn refusal(command: &Command) -> Option<String> {
    match (&command.refused_by, &command.reason) {
        (Some(hook), Some(reason)) => Some(format!("{hook}: {reason}")),
        (hook, reason) => hook.clone().or_else(|| reason.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_shown_in_the_units_that_it_fills() {
        for (milliseconds, text) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (1999, "1.9 s"),
            (59_999, "59.9 s"),
            (90_000, "1m 30s"),
            (7_384_000, "2h 3m 4s"),
        ] {
            assert_eq!(duration(milliseconds), text);
        }
    }

    #[test]
    fn an_ending_is_told_with_what_there_is_to_it() {
        let told = |name: Option<&str>, exit_code, signal| {
            ending(&Command {
                ending: name.map(str::to_owned),
                exit_code,
                signal,
                ..Command::default()
            })
        };
        assert_eq!(told(Some("exited"), Some(3), None), "exited 3");
        assert_eq!(told(Some("exited"), None, None), "exited");
        assert_eq!(told(Some("signaled"), None, Some(9)), "signal KILL");
        assert_eq!(told(Some("timed-out"), Some(0), None), "timed-out");
        assert_eq!(told(None, None, None), "unended");
    }
}
