use std::collections::BTreeMap;

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

struct Rule {
    pattern: String,
    once: bool,
}

impl FromSetting for Rule {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.object(|rule| {
            let (pattern, once) = (rule.required("pattern"), rule.optional("once"));
            Some(Self {
                pattern: pattern?,
                once: once.unwrap_or(false),
            })
        })
    }
}

type Everything = (
    Option<Vec<Rule>>,
    Option<BTreeMap<String, String>>,
    Option<u64>,
    Option<bool>,
);

fn everything(settings: &mut Settings<'_>) -> Everything {
    (
        settings.optional("rules"),
        settings.optional("set"),
        settings.optional("limit"),
        settings.optional("mask"),
    )
}

fn problems(text: &str) -> String {
    read(text, everything)
        .err()
        .expect("there are problems")
        .join("\n")
}

#[test]
fn what_is_right_is_read() {
    let text = r#"{
        "rules": [{"pattern": "a"}, {"pattern": "b", "once": true}],
        "set": {"A": "1"},
        "limit": 3
    }"#;
    let (rules, set, limit, mask) = read(text, everything).expect("no problems");
    let rules: Vec<_> = rules
        .unwrap()
        .into_iter()
        .map(|rule| (rule.pattern, rule.once))
        .collect();
    assert_eq!(rules, [("a".to_owned(), false), ("b".to_owned(), true)]);
    assert_eq!(
        set,
        Some(BTreeMap::from([("A".to_owned(), "1".to_owned())]))
    );
    assert_eq!((limit, mask), (Some(3), None));
}

#[test]
fn all_problems_are_told_at_once_with_their_paths() {
    let text = r#"{
        "rules": [{"pattern": 1, "twice": true}, "x", {"once": null}],
        "set": {"A": [], "B c": {}, "": 1.5},
        "limit": -1,
        "mask": "yes",
        "prepnd": []
    }"#;
    assert_snapshot!(problems(text), @r#"
    rules[0].pattern: expected a string, found 1
    rules[0].twice: unknown setting, expected one of pattern, once
    rules[1]: expected an object, found "x"
    rules[2].pattern: expected a value, found none
    rules[2].once: expected true or false, found null
    set."": expected a string, found 1.5
    set.A: expected a string, found a list
    set."B c": expected a string, found an object
    limit: expected a whole number of at least 0, found -1
    mask: expected true or false, found "yes"
    prepnd: unknown setting, expected one of rules, set, limit, mask
    "#);
}

#[test]
fn a_hook_without_settings_says_so() {
    let problems = read(r#"{"a": 1}"#, |_| ()).unwrap_err();
    assert_eq!(problems, ["a: unknown setting, expected none"]);
}

#[test]
fn text_that_is_no_json_object_is_a_problem_of_the_settings() {
    assert_snapshot!(problems("[1]"), @"settings: expected an object, found a list");
    assert_snapshot!(problems("{"), @"settings: expected the text of a JSON object: EOF while parsing an object at line 1 column 1");
}

#[test]
fn a_long_text_is_shown_shortened() {
    let text = format!(r#"{{"limit": "{}"}}"#, "ä".repeat(1000));
    assert_snapshot!(problems(&text), @r#"limit: expected a whole number of at least 0, found "ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää"…"#);
}

#[test]
fn a_value_that_may_be_a_secret_is_not_shown() {
    struct Secret;
    impl FromSetting for Secret {
        fn from_setting(setting: Setting<'_>) -> Option<Self> {
            setting.problem("expected a text without NUL")
        }
    }
    let problems = read(r#"{"key": "hunter2"}"#, |settings| {
        settings.optional::<Secret>("key");
    });
    assert_eq!(
        problems,
        Err(vec!["key: expected a text without NUL".to_owned()])
    );
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let names = prop_oneof![Just("rules"), Just("pattern"), Just("set"), Just("other")];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((names.prop_map(str::to_owned), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_not_read_is_a_problem_and_every_problem_names_its_path(value in any_json()) {
        let text = value.to_string();
        match read(&text, everything) {
            Ok(_) => {
                let allowed = ["rules", "set", "limit", "mask"];
                let members = value.as_object().expect("only an object is read");
                prop_assert!(members.keys().all(|name| allowed.contains(&name.as_str())));
            }
            Err(problems) => {
                prop_assert!(!problems.is_empty());
                prop_assert!(problems.iter().all(|problem| problem.contains(": ")));
            }
        }
    }
}
