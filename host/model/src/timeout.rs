use std::fmt;
use std::time::Duration;

/// A time limit in seconds that was checked: finite, above 0, at most [`Timeout::MAX_SECONDS`].
///
/// Displays the number as it was given, so that a caller finds its own value again.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Timeout(f64);

impl Timeout {
    /// The longest limit: 2^31 - 1 milliseconds, which is what the timers of the bash tool that
    /// this contract comes from can hold.
    pub const MAX_SECONDS: f64 = 2_147_483.647;

    /// Checks a number of seconds.
    ///
    /// # Errors
    ///
    /// If the number is not finite, not above 0, or above [`Self::MAX_SECONDS`].
    pub fn from_seconds(seconds: f64) -> Result<Self, InvalidTimeout> {
        if !seconds.is_finite() || seconds <= 0.0 {
            Err(InvalidTimeout::NotAPositiveNumber)
        } else if seconds * 1000.0 > Self::MAX_SECONDS * 1000.0 {
            Err(InvalidTimeout::TooLong)
        } else {
            Ok(Self(seconds))
        }
    }

    /// The limit as a duration, at least a nanosecond.
    pub fn duration(self) -> Duration {
        Duration::from_secs_f64(self.0).max(Duration::from_nanos(1))
    }

    /// The limit in seconds.
    pub fn seconds(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Timeout {
    /// As the number of a JSON or JavaScript text: `5`, `0.5`, `1e-9`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 1e-6 {
            write!(f, "{:e}", self.0)
        } else {
            write!(f, "{}", self.0)
        }
    }
}

/// Why a number is no time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidTimeout {
    /// Not finite, zero or negative.
    NotAPositiveNumber,
    /// Above [`Timeout::MAX_SECONDS`].
    TooLong,
}

impl fmt::Display for InvalidTimeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPositiveNumber => {
                f.write_str("Invalid timeout: must be a finite number of seconds")
            }
            Self::TooLong => write!(
                f,
                "Invalid timeout: maximum is {} seconds",
                Timeout::MAX_SECONDS
            ),
        }
    }
}

impl std::error::Error for InvalidTimeout {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_finite_and_above_zero() {
        for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(
                Timeout::from_seconds(seconds).unwrap_err().to_string(),
                "Invalid timeout: must be a finite number of seconds"
            );
        }
    }

    #[test]
    fn the_longest_limit_is_that_of_the_contract() {
        assert!(Timeout::from_seconds(2_147_483.647).is_ok());
        assert_eq!(
            Timeout::from_seconds(2_147_483.648)
                .unwrap_err()
                .to_string(),
            "Invalid timeout: maximum is 2147483.647 seconds"
        );
    }

    #[test]
    fn a_limit_is_shown_as_it_was_given() {
        for (seconds, text) in [
            (5.0, "5"),
            (0.5, "0.5"),
            (1e-9, "1e-9"),
            (0.000_002, "0.000002"),
        ] {
            assert_eq!(Timeout::from_seconds(seconds).unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_shortest_limit_is_still_a_limit() {
        assert!(Timeout::from_seconds(1e-300).unwrap().duration() > Duration::ZERO);
    }
}
