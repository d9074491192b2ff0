//! What a hook costs, for each of its tests.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use spawnhook_hooks::HookLoadError;

use super::fixtures::{Fixture, Fixtures};
use super::{Decision, Workbench};

/// What one test costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The name of the test.
    pub test: String,
    /// How long half of the calls take at most, each on a fresh instance.
    pub p50: Duration,
    /// How long all but the slowest hundredth take at most.
    pub p99: Duration,
    /// The most memory of a call, in bytes.
    pub memory_bytes: u64,
    /// The instructions of a call. They depend on the component and the input alone.
    pub instructions: u64,
    /// What the hook makes of the command, in one word.
    pub decision: &'static str,
}

/// Measures every test whose settings the hook accepts, with this many calls each. `counting` is
/// the hook in an engine that counts instructions, `timed` in one that does not.
///
/// # Errors
///
/// If settings of a test are accepted by one of the two and not by the other.
pub fn measure(
    timed: &Workbench,
    counting: &Workbench,
    fixtures: &Fixtures,
    calls: usize,
) -> Result<Vec<Measure>, HookLoadError> {
    let mut measures = Vec::new();
    for fixture in &fixtures.tests {
        let Ok(timed) = configured(timed, fixture) else {
            continue;
        };
        measures.push(one(&timed, &configured(counting, fixture)?, fixture, calls));
    }
    Ok(measures)
}

fn configured(bench: &Workbench, fixture: &Fixture) -> Result<Workbench, HookLoadError> {
    match &fixture.settings {
        None => Ok(bench.clone()),
        Some(settings) => bench.with_settings(settings, 1),
    }
}

fn one(timed: &Workbench, counting: &Workbench, fixture: &Fixture, calls: usize) -> Measure {
    let input = fixture.input();
    let counted = counting.call(&input);
    let mut took: Vec<Duration> = (0..calls.max(1))
        .map(|_| timed.call(&input).trial.report.took)
        .collect();
    took.sort_unstable();
    Measure {
        test: fixture.name.clone(),
        p50: percentile(&took, 50),
        p99: percentile(&took, 99),
        memory_bytes: counted.trial.memory_bytes,
        instructions: counted.trial.instructions.unwrap_or_default(),
        decision: Decision::name(&counted.decision),
    }
}

/// The nearest rank of a percentile in sorted values, of which there is at least one.
fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted[rank - 1]
}

/// The instructions that tests took when they were last found good.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// By the name of the test.
    pub instructions: BTreeMap<String, u64>,
}

/// Why there is no baseline.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BaselineError {
    /// It cannot be read.
    #[error("cannot read the baseline {}; --save-baseline writes one", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It is none.
    #[error("{} is no baseline; --save-baseline writes one", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// It cannot be written.
    #[error("cannot write the baseline {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// A test that takes more instructions than it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regression {
    /// The name of the test.
    pub test: String,
    /// The instructions of the baseline.
    pub before: u64,
    /// The instructions now.
    pub now: u64,
}

impl Baseline {
    /// The baseline that these measures make.
    pub fn of(measures: &[Measure]) -> Self {
        let counts = measures.iter();
        Self {
            instructions: counts
                .map(|measure| (measure.test.clone(), measure.instructions))
                .collect(),
        }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is none.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let text = fs::read_to_string(path).map_err(|source| BaselineError::Read {
            path: path.to_owned(),
            source,
        })?;
        serde_json::from_str(&text).map_err(|source| BaselineError::Invalid {
            path: path.to_owned(),
            source,
        })
    }

    /// Writes a baseline.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), BaselineError> {
        let text = serde_json::to_string_pretty(self).expect("invariant: names and numbers");
        fs::write(path, text + "\n").map_err(|source| BaselineError::Write {
            path: path.to_owned(),
            source,
        })
    }

    /// The tests that take over `percent` percent more instructions than in this baseline. Tests
    /// that it does not have are no regressions.
    pub fn regressions(&self, measures: &[Measure], percent: u64) -> Vec<Regression> {
        let known = measures.iter().filter_map(|measure| {
            let before = *self.instructions.get(&measure.test)?;
            let most = before.saturating_mul(100 + percent) / 100;
            (measure.instructions > most).then(|| Regression {
                test: measure.test.clone(),
                before,
                now: measure.instructions,
            })
        });
        known.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(test: &str, instructions: u64) -> Measure {
        Measure {
            test: test.to_owned(),
            p50: Duration::ZERO,
            p99: Duration::ZERO,
            memory_bytes: 0,
            instructions,
            decision: "unchanged",
        }
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<_> = (1..=200).map(Duration::from_micros).collect();
        assert_eq!(percentile(&values, 50), Duration::from_micros(100));
        assert_eq!(percentile(&values, 99), Duration::from_micros(198));
        assert_eq!(percentile(&values[..1], 99), Duration::from_micros(1));
    }

    #[test]
    fn more_instructions_than_are_tolerated_are_a_regression() {
        let baseline = Baseline::of(&[measure("same", 1000), measure("more", 1000)]);
        let now = [
            measure("same", 1050),
            measure("more", 1051),
            measure("new", 9),
        ];
        let found = baseline.regressions(&now, 5);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].before, found[0].now), (1000, 1051));
    }
}
