use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;
use spawnhook_model::Stage;

use super::generator::Generator;
use super::*;
use crate::authoring::{Invariants, Setup};
use crate::config::Component;

fn fixtures() -> Fixtures {
    let component = Component::Builtin("env-inject".to_owned());
    let mut setup = Setup::with_every_right(component, Stage::Rewrite);
    setup.settings = json!({ "set": { "A": "1" } });
    Fixtures {
        path: "hook-tests.toml".into(),
        settings: vec![setup.settings.clone(), json!({ "unset": ["B"] })],
        setup,
        invariants: Invariants::default(),
        tests: Vec::new(),
    }
}

#[test]
fn no_class_is_rarer_than_one_case_in_twenty() {
    let mut spread = Spread::default();
    for number in 0..1000 {
        *spread.classes.entry(Class::of(number)).or_default() += 1;
    }
    for class in Class::ALL {
        assert!(spread.share(class) > 0.05, "{class:?}");
    }
}

#[test]
fn a_case_is_like_its_class() {
    let generator = Generator::new(&fixtures(), 1);
    let mut kinds: BTreeMap<bool, u64> = BTreeMap::new();
    for number in 0..320 {
        let case = generator.case(number);
        let text = &case.command;
        match case.class {
            Class::Empty => assert!(text.trim().is_empty() || text.trim().starts_with('#')),
            Class::Huge => assert!(text.len() > 15_000, "{}", text.len()),
            Class::Variables => assert!(case.env.len() >= 40),
            Class::Heredoc => assert!(text.contains("<<")),
            Class::Words | Class::Script | Class::Unicode | Class::Secrets => {
                assert!(!text.is_empty());
            }
        }
        assert!(!text.contains('\0') && case.cwd.is_absolute(), "{case:?}");
        *kinds
            .entry(matches!(case.settings, CaseSettings::MadeUp(_)))
            .or_default() += 1;
    }
    assert!(kinds[&true] > 10 && kinds[&false] > 200, "{kinds:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_case_follows_from_its_seed_and_its_number(seed: u64, number in 0..10_000_u64) {
        let [first, second] = [(); 2].map(|()| Generator::new(&fixtures(), seed).case(number));
        prop_assert_eq!(&first, &second);
        let other = Generator::new(&fixtures(), seed.wrapping_add(1)).case(number);
        prop_assert!(first.class == other.class);
    }
}
