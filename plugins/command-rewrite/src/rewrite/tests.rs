use insta::assert_snapshot;
use proptest::prelude::*;
use spawnhook_sdk::settings;

use super::*;

fn rewrite(text: &str) -> Rewrite {
    settings::read(text, Rewrite::read).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn problems(text: &str) -> String {
    settings::read(text, Rewrite::read)
        .err()
        .expect("there are problems")
        .join("\n")
}

fn rewritten(settings: &str, command: &str) -> String {
    rewrite(settings)
        .apply(command, "")
        .expect("the command stays short enough")
}

#[test]
fn without_settings_a_command_stays_as_it_is() {
    for command in ["", "a", "a\r\nb\\", "cat <<E\n\tx\nE\n"] {
        assert_eq!(rewritten("{}", command), command);
    }
}

#[test]
fn rules_apply_in_order_each_to_what_the_one_before_left() {
    let settings = r#"{"rules": [
        {"pattern": "\\bnpm\\b", "replace": "pnpm"},
        {"pattern": "^pnpm (?<verb>\\w+)", "replace": "pnpm --silent ${verb}"}
    ]}"#;
    assert_eq!(
        rewritten(settings, "npm test && npm run x"),
        "pnpm --silent test && pnpm run x"
    );
}

#[test]
fn once_replaces_the_first_match_alone() {
    let settings = r#"{"rules": [{"pattern": "a", "replace": "b", "once": true}]}"#;
    assert_eq!(rewritten(settings, "aaa"), "baa");
}

#[test]
fn groups_are_referred_to_by_number_and_name_and_two_dollars_are_one() {
    let settings = r#"{"rules": [{
        "pattern": "(?<first>\\w+)-(\\w+)(-x)?",
        "replace": "$2_ ${2}_$first ${first} $0$3 $$HOME $${2}"
    }]}"#;
    assert!(problems(settings).contains(r#"it has no group "2_""#));
    let settings = settings.replace("$2_ ", "$2 ");
    assert_eq!(rewritten(&settings, "a-b"), "b b_a a a-b $HOME ${2}");
}

#[test]
fn lines_go_around_what_the_rules_left_and_are_not_rewritten() {
    let settings = r#"{
        "prepend": ["a 1", "a 2"], "append": ["a 3"],
        "rules": [{"pattern": "a", "replace": "b"}]
    }"#;
    assert_eq!(rewritten(settings, "a"), "a 1\na 2\nb\na 3");
}

#[test]
fn the_prefix_of_the_operator_stays_at_the_head_untouched() {
    let settings = r#"{
        "prepend": ["before"],
        "rules": [{"pattern": "set", "replace": "SET"}, {"pattern": "^x", "replace": "y"}]
    }"#;
    let rewrite = rewrite(settings);
    let prefix = "set -e\n";
    assert_eq!(
        rewrite.apply("set -e\nx set", prefix),
        Ok("set -e\nbefore\ny SET".to_owned())
    );
    // a hook before this one may have moved it
    assert_eq!(
        rewrite.apply("x; set -e\n", prefix),
        Ok("before\ny; SET -e\n".to_owned())
    );
}

#[test]
fn all_problems_are_told_at_once() {
    let text = r#"{
        "prepend": "set -e",
        "append": [1],
        "rules": [
            {"pattern": "(", "replace": 1},
            {"pattern": "a(b)", "replace": "$2 ${name} $"},
            {"pattern": "a", "replace": "cost: $"},
            {"pattern": "a", "replace": "${b"},
            {"pattern": "a{1000}{1000}", "replace": "", "twice": true},
            {"once": "no"}
        ],
        "prepnd": []
    }"#;
    assert_snapshot!(problems(text), @r#"
    prepend: expected a list, found "set -e"
    append[0]: expected a string, found 1
    rules[0].pattern: expected a regular expression (found open group without closing ')'), found "("
    rules[0].replace: expected a string, found 1
    rules[1].replace: expected groups that the pattern has, or $$ for a dollar; it has no group "2", found "$2 ${name} $"
    rules[2].replace: expected a group behind each $, or $$ for a dollar, found "cost: $"
    rules[3].replace: expected a group behind each $, or $$ for a dollar, found "${b"
    rules[4].pattern: expected a regular expression (compiled regex exceeded size limit), found "a{1000}{1000}"
    rules[4].twice: unknown setting, expected one of pattern, replace, once
    rules[5].pattern: expected a value, found none
    rules[5].replace: expected a value, found none
    rules[5].once: expected true or false, found "no"
    prepnd: unknown setting, expected one of prepend, append, rules
    "#);
}

#[test]
fn a_rule_that_makes_a_command_too_long_is_named() {
    let settings = format!(
        r#"{{"rules": [{{"pattern": "x", "replace": "y"}}, {{"pattern": "a", "replace": "{}"}}]}}"#,
        "b".repeat(2000)
    );
    let result = rewrite(&settings).apply(&"a".repeat(1000), "");
    assert_snapshot!(result.unwrap_err(), @"rules[1] of the command rewriting makes the command longer than 1048576 bytes");
}

proptest! {
    #[test]
    fn bytes_outside_a_match_stay_as_they_are(
        parts in prop::collection::vec(r"[a-wäß€ \t\r\n\\$']{1,6}", 1..6)
    ) {
        let settings = r#"{"rules": [{"pattern": "X+", "replace": "<$0>"}]}"#;
        prop_assert_eq!(rewritten(settings, &parts.join("XX")), parts.join("<XX>"));
    }

    #[test]
    fn any_rule_either_has_problems_or_applies(pattern in ".{0,12}", replace in ".{0,8}", command in ".{0,40}") {
        let settings = serde_json_text(&pattern, &replace);
        if let Ok(rewrite) = settings::read(&settings, Rewrite::read) {
            prop_assert!(rewrite.apply(&command, "").is_ok());
        }
    }
}

fn serde_json_text(pattern: &str, replace: &str) -> String {
    let quote = |text: &str| {
        let escaped: String = text
            .encode_utf16()
            .map(|unit| format!("\\u{unit:04x}"))
            .collect();
        format!("\"{escaped}\"")
    };
    format!(
        r#"{{"rules": [{{"pattern": {}, "replace": {}}}]}}"#,
        quote(pattern),
        quote(replace)
    )
}
