use proptest::prelude::*;

use super::{Deployment, hook};
use crate::config::{Config, ConfigError, Layer};

/// A file that sets two maxima.
fn maxima() -> impl Strategy<Value = (u64, u64, String)> {
    (1..100_u64, 1..100_u64).prop_map(|(lines, seconds)| {
        let text = format!("limits = {{ max_lines = {lines}, max_timeout = \"{seconds}s\" }}\n");
        (lines, seconds, text)
    })
}

proptest! {
    #[test]
    fn no_file_raises_a_maximum_of_the_system((lines, seconds, system) in maxima(), (lower_lines, lower_seconds, user) in maxima()) {
        let deployment = Deployment::new().system(&system).user(&user);
        let loosens = lower_lines > lines || lower_seconds > seconds;
        match Config::load(&deployment.sources) {
            Ok(config) => {
                prop_assert!(!loosens);
                prop_assert_eq!(config.limits.output.max_lines as u64, lower_lines);
                prop_assert_eq!(config.limits.max_timeout.duration().as_secs(), lower_seconds);
                prop_assert!(config.limits.default_timeout <= config.limits.max_timeout);
            }
            Err(error) => prop_assert!(loosens, "{}", error),
        }
    }

    #[test]
    fn no_file_takes_a_hook_from_the_system(own in prop::collection::hash_set("[ab][ab]?", 0..4), other in prop::collection::hash_set("[ab][ab]?", 0..4)) {
        let text = |names: &std::collections::HashSet<String>| -> String {
            names.iter().map(|name| hook(name, "")).collect()
        };
        let deployment = Deployment::new().system(&text(&own)).user(&text(&other));
        match Config::load(&deployment.sources) {
            Ok(config) => {
                prop_assert!(own.is_disjoint(&other));
                let (system, user): (Vec<_>, Vec<_>) = config
                    .hooks
                    .iter()
                    .filter(|hook| hook.from != Layer::BuiltIn)
                    .partition(|hook| hook.from == Layer::System);
                prop_assert_eq!(system.len(), own.len());
                prop_assert_eq!(user.len(), other.len());
                prop_assert!(config.hooks[..own.len()].iter().all(|hook| hook.from == Layer::System));
            }
            Err(_) => prop_assert!(!own.is_disjoint(&other)),
        }
    }

    #[test]
    fn any_text_is_a_config_or_an_error_with_a_place_in_it(
        fragments in prop::collection::vec(
            prop_oneof![
                Just("[[hook]]\n"), Just("[limits]\n"), Just("name = "), Just("env.set."), Just("a"), Just("\"é\""),
                Just(" = "), Just("{ file = \"x\" }"), Just("\n"), Just("["), Just("]"), Just("max_lines"),
                Just("5"), Just("\"\"\"\n"), Just("\0"), Just("locked"), Just("\u{2028}"), Just("."),
            ],
            0..12,
        )
    ) {
        let text = fragments.concat();
        let deployment = Deployment::new().user(&text);
        match Config::load(&deployment.sources) {
            Ok(_) => {}
            Err(ConfigError::Invalid { line, column, .. }) => {
                prop_assert!((1..=text.split('\n').count()).contains(&line));
                let length = text.split('\n').nth(line - 1).unwrap().chars().count();
                prop_assert!((1..=length + 1).contains(&column));
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }
}
