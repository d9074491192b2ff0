use std::path::Path;

use std::time::Duration;

use spawnhook_exec::{Leftovers, Rlimits};
use spawnhook_model::Timeout;

use super::Limits;
use super::error::ConfigError;
use super::file::{LimitsTable, ProcessTable};
use super::key::Key;
use super::provenance::{Place, Provenance};
use super::source::Source;
use super::values::{Choice, Parsed, Positive, Size, duration_text, size_text};

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
    if let Some(Parsed(given)) = table.leftovers {
        let mut most = next.leftovers.unwrap_or(Leftovers::Keep);
        bounds.shrink("limits.leftovers", &mut most, Some(given), |leftovers| {
            format!("{:?}", leftovers.name())
        })?;
        next.leftovers = Some(most);
    }
    next.default_timeout =
        bounds.default_timeout(&next, table.default_timeout.map(|given| given.0))?;
    Ok(next)
}

/// Lays what a file sets over the limits of the system for a command.
pub(super) fn lay_process(
    rlimits: &Rlimits,
    table: ProcessTable,
    bounds: &Bounds<'_>,
) -> Result<Rlimits, ConfigError> {
    let cpu = table.cpu.map(|Parsed(Positive(cpu))| seconds(cpu));
    let size = |given: Option<Parsed<Positive<Size>>>| given.map(|Parsed(Positive(size))| size.0);
    let open_files = table.open_files.map(|Parsed(count)| count.0 as u64);
    let least =
        |key, before, given, text| bounds.shrink_optional(key, before, given, u64::MAX, text);
    Ok(Rlimits {
        cpu: least("process.cpu", rlimits.cpu, cpu, seconds_text)?,
        memory: least(
            "process.memory",
            rlimits.memory,
            size(table.memory),
            size_text,
        )?,
        file_size: least(
            "process.file_size",
            rlimits.file_size,
            size(table.file_size),
            size_text,
        )?,
        open_files: least(
            "process.open_files",
            rlimits.open_files,
            open_files,
            |count| count.to_string(),
        )?,
    })
}

/// The system counts whole seconds.
fn seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}

pub(super) fn seconds_text(seconds: u64) -> String {
    duration_text(Duration::from_secs(seconds))
}

impl Bounds<'_> {
    /// Sets a maximum to what the file gives, and refuses one above that which binds it.
    pub(super) fn shrink<T: PartialOrd + Copy>(
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

    /// As [`Self::shrink`], of a maximum that need not be there; `unlimited` stands for none.
    pub(super) fn shrink_optional<T: PartialOrd + Copy>(
        &self,
        key: &str,
        before: Option<T>,
        given: Option<T>,
        unlimited: T,
        text: fn(T) -> String,
    ) -> Result<Option<T>, ConfigError> {
        let mut most = before.unwrap_or(unlimited);
        self.shrink(key, &mut most, given, text)?;
        Ok(given.map_or(before, |_| Some(most)))
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
