use std::path::Path;

use spawnhook_model::Timeout;

use super::Limits;
use super::error::ConfigError;
use super::file::LimitsTable;
use super::key::Key;
use super::provenance::{Place, Provenance};
use super::source::Source;
use super::values::{Parsed, Positive, duration_text, size_text};

pub(super) const DEFAULT_TIMEOUT: &str = "limits.default_timeout";
pub(super) const MAX_TIMEOUT: &str = "limits.max_timeout";

/// A file that sets limits, and what binds it.
pub(super) struct Bounds<'a> {
    pub(super) source: &'a Source<'a>,
    /// Where the limits of the layers before came from.
    pub(super) provenance: &'a Provenance,
    /// The system's file, if this one stands below it.
    pub(super) binding: Option<&'a Path>,
}

/// Lays what a file sets over `limits`.
pub(super) fn lay(
    limits: &Limits,
    table: LimitsTable,
    bounds: &Bounds<'_>,
) -> Result<Limits, ConfigError> {
    let mut next = limits.clone();
    let max_lines = table.max_lines.map(|Parsed(lines)| lines.0);
    let max_bytes = table.max_bytes.map(|Parsed(Positive(size))| size.0);
    let spill_quota = table.spill_quota.map(|Parsed(size)| size.0);
    bounds.shrink(
        MAX_TIMEOUT,
        &mut next.max_timeout,
        table.max_timeout.map(|given| given.0),
        timeout_text,
    )?;
    bounds.shrink(
        "limits.max_lines",
        &mut next.output.max_lines,
        max_lines,
        |lines| lines.to_string(),
    )?;
    let mut bytes = u64::try_from(next.output.max_bytes).unwrap_or(u64::MAX);
    bounds.shrink("limits.max_bytes", &mut bytes, max_bytes, size_text)?;
    next.output.max_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    bounds.shrink(
        "limits.spill_quota",
        &mut next.spill_quota,
        spill_quota,
        size_text,
    )?;
    if let Some(Parsed(stop_grace)) = table.stop_grace {
        next.stop_grace = stop_grace;
    }
    next.default_timeout =
        bounds.default_timeout(&next, table.default_timeout.map(|given| given.0))?;
    Ok(next)
}

impl Bounds<'_> {
    /// Sets a maximum to what the file gives, and refuses one above that which binds it.
    fn shrink<T: PartialOrd + Copy>(
        &self,
        key: &str,
        maximum: &mut T,
        given: Option<T>,
        text: fn(T) -> String,
    ) -> Result<(), ConfigError> {
        let Some(given) = given else { return Ok(()) };
        match self.binding {
            Some(binding) if given > *maximum => {
                let holder = self.provenance.holder(key, binding);
                let problem = format!(
                    "{} is above {}, {holder}, and a maximum only shrinks; lower it or remove it",
                    text(given),
                    text(*maximum)
                );
                Err(self.source.reject(&Key::from(key), problem))
            }
            _ => {
                *maximum = given;
                Ok(())
            }
        }
    }

    /// The default that goes with a maximum. One that no file set follows the maximum down.
    fn default_timeout(
        &self,
        limits: &Limits,
        given: Option<Timeout>,
    ) -> Result<Timeout, ConfigError> {
        let (default, max) = (given.unwrap_or(limits.default_timeout), limits.max_timeout);
        let place = self.provenance.place(DEFAULT_TIMEOUT);
        if default <= max {
            Ok(default)
        } else if given.is_some() {
            let problem = format!(
                "{} is above `{MAX_TIMEOUT}`, {}; lower it",
                timeout_text(default),
                timeout_text(max)
            );
            Err(self.source.reject(&Key::from(DEFAULT_TIMEOUT), problem))
        } else if place == Place::BuiltIn {
            Ok(max)
        } else {
            let problem = format!(
                "{} is below `{DEFAULT_TIMEOUT}`, {} set by {place}; set that one lower as well",
                timeout_text(max),
                timeout_text(default)
            );
            Err(self.source.reject(&Key::from(MAX_TIMEOUT), problem))
        }
    }
}

/// A time limit as a config has it.
pub(super) fn timeout_text(timeout: Timeout) -> String {
    duration_text(timeout.duration())
}
