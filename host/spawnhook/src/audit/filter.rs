//! Which commands of a log are wanted. No I/O.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, SpanRelativeTo, Timestamp};

use super::Command;

/// What a command must be to be wanted. What is none or empty holds for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// It began then or later.
    pub since: Option<Timestamp>,
    /// It began then or earlier.
    pub until: Option<Timestamp>,
    /// Its id begins so.
    pub call: Option<String>,
    /// Its text would run one of these programs.
    pub programs: Vec<String>,
    /// It ended in one of these ways; `unended` if no record says how.
    pub endings: Vec<String>,
    /// One of these hooks changed, refused or recorded it, or was left out of it.
    pub hooks: Vec<String>,
}

/// A text that is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a time such as 2026-01-31T12:00:00Z, a day or a time in UTC such as 2026-01-31 or \
     2026-01-31T12:00, or how long ago it was, such as 90m or 2d"
)]
pub struct TimeError;

/// Reads a time, or how long before `now` it was.
///
/// # Errors
///
/// If it is neither.
pub fn parse_time(text: &str, now: Timestamp) -> Result<Timestamp, TimeError> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    if let Ok(time) = text.parse::<DateTime>() {
        return TimeZone::UTC.to_timestamp(time).map_err(|_| TimeError);
    }
    let span = text.parse::<Span>().map_err(|_| TimeError)?;
    let ago = span.to_duration(SpanRelativeTo::days_are_24_hours());
    let time = ago.and_then(|ago| now.checked_sub(ago));
    time.map_err(|_| TimeError)
}

impl Filter {
    /// Whether a command is wanted.
    pub fn wants(&self, command: &Command) -> bool {
        let time = command.time();
        let ending = command.ending.as_deref().unwrap_or("unended");
        self.since
            .is_none_or(|since| time.is_some_and(|time| time >= since))
            && self
                .until
                .is_none_or(|until| time.is_some_and(|time| time <= until))
            && self
                .call
                .as_ref()
                .is_none_or(|call| command.call.starts_with(call))
            && any(&self.endings, |wanted| wanted == ending)
            && any(&self.hooks, |hook| command.concerns(hook))
            && (self.programs.is_empty() || {
                let programs = command.programs();
                any(&self.programs, |wanted| {
                    programs.iter().any(|name| name == wanted)
                })
            })
    }
}

fn any(wanted: &[String], is_so: impl Fn(&str) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(|wanted| is_so(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn command() -> Command {
        Command {
            call: "6f1c22".into(),
            started: Some(time("2026-01-31T12:00:00Z")),
            ending: Some("exited".into()),
            command: Some("cd x && cargo test".into()),
            refused_by: Some("no-push".into()),
            ..Command::default()
        }
    }

    #[test]
    fn a_time_is_absolute_or_before_now() {
        let now = time("2026-02-01T00:00:00Z");
        for (text, expected) in [
            ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
            ("2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00Z"),
            ("2026-01-31", "2026-01-31T00:00:00Z"),
            ("2026-01-31 12:30", "2026-01-31T12:30:00Z"),
            ("90m", "2026-01-31T22:30:00Z"),
            ("1d 2h", "2026-01-30T22:00:00Z"),
        ] {
            assert_eq!(parse_time(text, now), Ok(time(expected)), "{text}");
        }
        for bad in ["", "yesterday", "12", "2026-13-01", "9999999999d", "1month"] {
            assert_eq!(parse_time(bad, now), Err(TimeError), "{bad}");
        }
    }

    #[test]
    fn nothing_is_asked_of_a_command_by_default() {
        assert!(Filter::default().wants(&command()));
        assert!(Filter::default().wants(&Command::default()));
    }

    #[test]
    fn everything_that_is_asked_must_hold() {
        let all = Filter {
            since: Some(time("2026-01-31T12:00:00Z")),
            until: Some(time("2026-01-31T12:00:00Z")),
            call: Some("6f".into()),
            programs: vec!["make".into(), "cargo".into()],
            endings: vec!["unended".into(), "exited".into()],
            hooks: vec!["no-push".into()],
        };
        assert!(all.wants(&command()));
        let but = |change: fn(&mut Filter)| {
            let mut filter = all.clone();
            change(&mut filter);
            filter.wants(&command())
        };
        assert!(!but(
            |filter| filter.since = Some(time("2026-01-31T12:00:01Z"))
        ));
        assert!(!but(
            |filter| filter.until = Some(time("2026-01-31T11:59:59Z"))
        ));
        assert!(!but(|filter| filter.call = Some("f1".into())));
        assert!(!but(|filter| filter.programs = vec!["test".into()]));
        assert!(!but(|filter| filter.endings = vec!["denied".into()]));
        assert!(!but(|filter| filter.hooks = vec!["other".into()]));
    }
}
