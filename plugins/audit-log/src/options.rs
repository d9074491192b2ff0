//! The settings of the hook.

use std::ops::Range;

use spawnhook_sdk::{Settings, pattern::Pattern};

use crate::{secrets, spans};

/// What is recorded of the environment, and what is masked.
pub(crate) struct Options {
    pub(crate) env_values: Vec<String>,
    mask: bool,
    mask_builtin: bool,
    mask_patterns: Vec<Pattern>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            env_values: Vec::new(),
            mask: true,
            mask_builtin: true,
            mask_patterns: Vec::new(),
        }
    }
}

impl Options {
    pub(crate) fn read(settings: &mut Settings<'_>) -> Self {
        Self {
            env_values: settings.optional("env_values").unwrap_or_default(),
            mask: settings.optional("mask").unwrap_or(true),
            mask_builtin: settings.optional("mask_builtin").unwrap_or(true),
            mask_patterns: settings.optional("mask_patterns").unwrap_or_default(),
        }
    }

    /// Where the secrets of `text` are, as byte ranges in order that don't overlap.
    pub(crate) fn secrets(&self, text: &str) -> Vec<Range<usize>> {
        if !self.mask {
            return Vec::new();
        }
        let mut found = Vec::new();
        if self.mask_builtin {
            secrets::find(text, &mut found);
        }
        for pattern in &self.mask_patterns {
            let captures = pattern.captures_iter(text);
            found.extend(
                captures
                    .filter_map(|found| found.get(1).or(found.get(0)))
                    .map(|m| m.range()),
            );
        }
        spans::merge(found)
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;
    use spawnhook_sdk::settings;

    use super::*;

    fn masked(settings: &str, text: &str) -> String {
        let options = settings::read(settings, Options::read).expect("no problems");
        spans::mask(text, 0..text.len(), &options.secrets(text))
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let text = r#"{
            "env_values": [1],
            "mask": "no",
            "mask_builtin": 0,
            "mask_patterns": ["ok", "(", "x{1000}{1000}"],
            "mask_pattern": "x"
        }"#;
        let problems = settings::read(text, Options::read)
            .err()
            .expect("there are problems");
        assert_snapshot!(problems.join("\n"), @r#"
        env_values[0]: expected a string, found 1
        mask: expected true or false, found "no"
        mask_builtin: expected true or false, found 0
        mask_patterns[1]: expected a regular expression (found open group without closing ')'), found "("
        mask_patterns[2]: expected a regular expression (compiled regex exceeded size limit), found "x{1000}{1000}"
        mask_pattern: unknown setting, expected one of env_values, mask, mask_builtin, mask_patterns
        "#);
    }

    #[test]
    fn group_1_of_a_pattern_is_masked_or_the_whole_match_if_it_has_none() {
        let settings = r#"{"mask_patterns": ["id=(\\d+)", "x+", "(a)?b"]}"#;
        assert_eq!(
            masked(settings, "id=17 axxa cb ab"),
            "id=*** a***a c*** ***b"
        );
    }

    #[test]
    fn masking_can_be_switched_off_wholly_or_for_what_is_built_in() {
        let text = "--password=x 17";
        assert_eq!(masked("{}", text), "--password=*** 17");
        assert_eq!(
            masked(r#"{"mask": false, "mask_patterns": ["17"]}"#, text),
            text
        );
        let own = r#"{"mask_builtin": false, "mask_patterns": ["17"]}"#;
        assert_eq!(masked(own, text), "--password=x ***");
    }

    proptest! {
        #[test]
        fn masking_never_panics_and_changes_nothing_outside_its_matches(
            text in r#"([a-c=:"'\\ \n$@/ä-]|password|token|--|://|sk-|AKIA|Authorization|-----BEGIN |-----END |PRIVATE KEY-----){0,30}"#,
            pattern in "[ab]{1,2}|a(b)?|x*|(?:)",
        ) {
            let settings = format!(r#"{{"mask_patterns": [{pattern:?}]}}"#);
            let options = settings::read(&settings, Options::read).expect("no problems");
            let secrets = options.secrets(&text);
            let mut expected = String::new();
            let mut end = 0;
            for secret in &secrets {
                prop_assert!(end <= secret.start && secret.start < secret.end);
                expected = expected + &text[end..secret.start] + "***";
                end = secret.end;
            }
            expected += &text[end..];
            prop_assert_eq!(spans::mask(&text, 0..text.len(), &secrets), expected);
        }
    }
}
