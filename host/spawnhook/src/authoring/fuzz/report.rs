use std::collections::BTreeMap;
use std::time::Duration;

use super::case::{Case, Class};
use crate::authoring::Violation;
use crate::authoring::fixtures::{Fixture, Fixtures};

/// What came of a search.
#[derive(Clone, Debug)]
pub struct FuzzReport {
    /// What the cases followed from.
    pub seed: u64,
    /// From the first case to the last.
    pub took: Duration,
    /// What was tried.
    pub spread: Spread,
    /// What was found first.
    pub finding: Option<Finding>,
}

/// How the cases of a search were spread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// Cases of each class.
    pub classes: BTreeMap<Class, u64>,
    /// Cases by what the hook made of them.
    pub decisions: BTreeMap<&'static str, u64>,
    /// Cases whose settings were made up.
    pub made_up: u64,
    /// Those of them whose settings the hook did not accept.
    pub rejected: u64,
}

/// A case for which an invariant does not hold.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The number of the case that was found.
    pub number: u64,
    /// That case, made as small as it gets.
    pub case: Case,
    /// What does not hold for it.
    pub violation: Violation,
}

impl Spread {
    /// All cases.
    pub fn cases(&self) -> u64 {
        self.classes.values().sum()
    }

    /// The share of a class, from 0 to 1.
    pub fn share(&self, class: Class) -> f64 {
        let count = self.classes.get(&class).copied().unwrap_or(0);
        #[expect(
            clippy::cast_precision_loss,
            reason = "a share is shown with one decimal"
        )]
        let share = count as f64 / self.cases().max(1) as f64;
        share
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (class, count) in &other.classes {
            *self.classes.entry(*class).or_default() += count;
        }
        for (decision, count) in &other.decisions {
            *self.decisions.entry(decision).or_default() += count;
        }
        self.made_up += other.made_up;
        self.rejected += other.rejected;
    }
}

impl Finding {
    /// The finding as a fixture, under a name that none has yet.
    pub fn fixture(&self, fixtures: &Fixtures) -> Fixture {
        let what = match self.violation.class {
            Some(class) => class.name(),
            None => self.violation.invariant.name(),
        };
        let name = fixtures.free_name(&format!("found: {what}"));
        self.case.fixture(name, &fixtures.settings)
    }
}
