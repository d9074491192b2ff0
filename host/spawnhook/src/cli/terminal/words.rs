//! What a person reads about a run, besides the output.

use std::time::Duration;

use spawnhook::message;
use spawnhook_exec::visible;
use spawnhook_model::{HookResult, Outcome, Timeout};

/// `Elapsed 42s, limit 2m 0s`.
pub(super) fn status(elapsed: Duration, limit: Option<Timeout>) -> String {
    let elapsed = whole(elapsed.as_secs());
    match limit {
        Some(limit) => format!("Elapsed {elapsed}, limit {}", duration(limit.duration())),
        None => format!("Elapsed {elapsed}"),
    }
}

/// One line about a command that ran: how it ended, how long it took, how much it wrote, and which
/// hooks changed what.
pub(super) fn summary(outcome: &Outcome, took: Duration) -> String {
    let ending = message::status(&outcome.ending);
    let ending = ending.unwrap_or_else(|| "Command exited with code 0".to_owned());
    if outcome.ending.before_spawn() {
        return ending;
    }
    let mut line = format!("{ending}; took {}, {}", duration(took), written(outcome));
    let changes = changes(outcome);
    if !changes.is_empty() {
        line.push_str(&format!(", changed by {changes}"));
    }
    if let Some(file) = &outcome.output.full_output {
        line.push_str(&format!(", full output: {}", file.display()));
    }
    line
}

fn written(outcome: &Outcome) -> String {
    let output = &outcome.output;
    let size = message::size(output.raw_bytes);
    match (output.raw_bytes, output.lines) {
        (0, _) => "wrote nothing".to_owned(),
        (_, 1) => format!("wrote {size} in 1 line"),
        (_, lines) => format!("wrote {size} in {lines} lines"),
    }
}

/// The hooks that changed something, each with what.
fn changes(outcome: &Outcome) -> String {
    let hooks = outcome.hooks.iter();
    let changing = hooks.filter(|report| report.result == HookResult::Changed);
    let changes = changing.map(|report| {
        let fields = report.changed.iter().map(|field| field.name());
        let fields = fields.collect::<Vec<_>>().join(", ");
        format!("`{}` ({fields})", visible(&report.name))
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// `40ms`, `4.2s`, `1m 30s`.
fn duration(duration: Duration) -> String {
    match duration.as_millis() {
        millis @ 0..1000 => format!("{millis}ms"),
        1000..60_000 => {
            let text = format!("{:.1}s", duration.as_secs_f64());
            text.replace(".0s", "s")
        }
        _ => whole(duration.as_secs()),
    }
}

/// `42s`, `1m 30s`, `2h 3m 4s`.
fn whole(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, _) => format!("{minutes}m {rest}s"),
        _ => format!("{hours}h {minutes}m {rest}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_told_in_the_units_that_it_fills() {
        for (seconds, text) in [(0, "0s"), (90, "1m 30s"), (7384, "2h 3m 4s")] {
            assert_eq!(whole(seconds), text);
        }
        for (millis, text) in [
            (40, "40ms"),
            (4200, "4.2s"),
            (10_000, "10s"),
            (90_400, "1m 30s"),
        ] {
            assert_eq!(duration(Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn the_status_has_the_limit_if_there_is_one() {
        let limit = Timeout::from_seconds(120.0).unwrap();
        let elapsed = Duration::from_millis(42_900);
        assert_eq!(status(elapsed, Some(limit)), "Elapsed 42s, limit 2m 0s");
        assert_eq!(status(elapsed, None), "Elapsed 42s");
    }
}
