use std::sync::atomic::Ordering;

use serde_json::Value;
use spawnhook_hooks::LoadFault;
use spawnhook_model::{Failure, FailureClass};

use super::case::{Case, CaseSettings};
use super::generator::Generator;
use super::{FuzzError, Shared, Spread, lock};
use crate::authoring::fixtures::Fixtures;
use crate::authoring::invariants::Settings;
use crate::authoring::{Invariant, Violation, Workbench};

/// What runs into a limit of time has to run into one twice as long, to fail on a faster machine
/// too: so it is searched, and made smaller.
pub(super) const MARGIN: u32 = 2;

/// Tries cases, one after another.
pub(super) struct Worker<'a> {
    bench: Workbench,
    /// The hook with each of the author's settings.
    authored: Vec<Workbench>,
    fixtures: &'a Fixtures,
}

/// A case for which an invariant does not hold, as it was found.
pub(super) struct Found {
    pub(super) number: u64,
    pub(super) case: Case,
    pub(super) violation: Violation,
    /// Whether it is one of time without the margin: better than nothing.
    pub(super) is_borderline: bool,
}

/// What came of one case.
pub(super) enum Tried {
    /// The hook did not accept its settings.
    Rejected,
    /// The hook decided.
    Decided(&'static str),
    /// An invariant does not hold.
    Violated(Violation),
}

impl<'a> Worker<'a> {
    pub(super) fn new(bench: &Workbench, fixtures: &'a Fixtures) -> Result<Self, FuzzError> {
        let bench = bench.beside()?;
        let authored = fixtures.settings.iter().map(|settings| {
            bench
                .with_settings(settings, 1)
                .map_err(|source| FuzzError::Settings {
                    settings: settings.to_string(),
                    source: Box::new(source),
                })
        });
        Ok(Self {
            authored: authored.collect::<Result<_, _>>()?,
            fixtures,
            bench,
        })
    }

    /// Tries cases until there is none left or something is found.
    pub(super) fn run(&self, shared: &Shared) -> Result<Spread, FuzzError> {
        let generator = Generator::new(self.fixtures, shared.campaign.seed);
        let mut spread = Spread::default();
        while let Some(number) = shared.next() {
            let case = generator.case(number);
            let tried = self.attempt(&case, 1)?;
            *spread.classes.entry(case.class).or_default() += 1;
            spread.made_up += u64::from(matches!(case.settings, CaseSettings::MadeUp(_)));
            shared.done.fetch_add(1, Ordering::Relaxed);
            match tried {
                Tried::Rejected => spread.rejected += 1,
                Tried::Decided(decision) => *spread.decisions.entry(decision).or_default() += 1,
                Tried::Violated(violation) => {
                    *spread.decisions.entry("violated").or_default() += 1;
                    let is_borderline = is_of_time(&violation)
                        && !matches!(self.attempt(&case, MARGIN)?, Tried::Violated(_));
                    let mut found = lock(&shared.found);
                    if found.is_empty() || !is_borderline {
                        found.push(Found {
                            number,
                            case,
                            violation,
                            is_borderline,
                        });
                    }
                }
            }
        }
        Ok(spread)
    }

    /// The settings that the author wrote.
    pub(super) fn settings(&self) -> &'a [Value] {
        &self.fixtures.settings
    }

    /// Tries one case with limits of time that are `times` as long.
    pub(super) fn attempt(&self, case: &Case, times: u32) -> Result<Tried, FuzzError> {
        let settings = match &case.settings {
            CaseSettings::Authored(index) if times == 1 => {
                return self.check(&self.authored[*index], case, Settings::Authored);
            }
            CaseSettings::Authored(index) => &self.settings()[*index],
            CaseSettings::MadeUp(settings) => settings,
        };
        let whose = match &case.settings {
            CaseSettings::Authored(_) => Settings::Authored,
            CaseSettings::MadeUp(_) => Settings::MadeUp,
        };
        match self.bench.with_settings(settings, times) {
            Ok(bench) => self.check(&bench, case, whose),
            Err(error) => Ok(match error.fault {
                LoadFault::Start(failure) | LoadFault::Configure(failure) => {
                    Tried::Violated(broken(&failure))
                }
                _ => Tried::Rejected,
            }),
        }
    }

    fn check(
        &self,
        bench: &Workbench,
        case: &Case,
        settings: Settings,
    ) -> Result<Tried, FuzzError> {
        let invariants = &self.fixtures.invariants;
        let (observation, violation) = invariants
            .check_with(bench, &case.input(), settings)
            .map_err(FuzzError::Shell)?;
        Ok(match violation {
            Some(violation) => Tried::Violated(violation),
            None => Tried::Decided(observation.decision.name()),
        })
    }
}

pub(super) fn is_of_time(violation: &Violation) -> bool {
    matches!(
        violation.class,
        Some(FailureClass::CpuLimit | FailureClass::WallLimit)
    )
}

/// Settings may be wrong, but no hook may break because of them.
fn broken(failure: &Failure) -> Violation {
    Violation {
        invariant: Invariant::Works,
        class: Some(failure.class),
        message: format!("{}: {failure}", failure.class.name()),
    }
}
