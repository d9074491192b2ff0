//! From the number of a case to the case.

mod commands;
mod settings;
mod variables;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sha2::{Digest as _, Sha256};

use self::commands::Vocabulary;
use super::case::{Case, CaseSettings, Class};
use crate::authoring::fixtures::Fixtures;

/// Generates the cases of one seed.
pub(super) struct Generator {
    seed: u64,
    strategies: Vec<(Class, BoxedStrategy<Case>)>,
}

impl Generator {
    /// The author's fixtures tell what the hook looks for: their words come up in the cases.
    pub(super) fn new(fixtures: &Fixtures, seed: u64) -> Self {
        let vocabulary = Vocabulary::new(fixtures);
        let strategies = Class::ALL.map(|class| (class, case(class, &vocabulary, fixtures)));
        Self {
            seed,
            strategies: strategies.into(),
        }
    }

    /// The case with this number.
    pub(super) fn case(&self, number: u64) -> Case {
        let class = Class::of(number);
        let (_, strategy) = self
            .strategies
            .iter()
            .find(|(known, _)| *known == class)
            .expect("invariant: every class has a strategy");
        let mut seed = Sha256::new();
        seed.update(self.seed.to_le_bytes());
        seed.update(number.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed.finalize());
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        strategy
            .new_tree(&mut runner)
            .expect("invariant: no strategy rejects a value")
            .current()
    }
}

fn case(class: Class, vocabulary: &Vocabulary, fixtures: &Fixtures) -> BoxedStrategy<Case> {
    let command = commands::command(class, vocabulary);
    let cwd = variables::cwd();
    let env = variables::env(class, fixtures);
    let settings = settings::settings(&fixtures.settings);
    (command, cwd, env, settings)
        .prop_map(
            move |(command, cwd, env, settings): (_, _, _, CaseSettings)| Case {
                class,
                command,
                cwd,
                env,
                settings,
            },
        )
        .boxed()
}
