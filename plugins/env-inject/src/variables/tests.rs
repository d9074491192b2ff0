use insta::assert_snapshot;
use proptest::prelude::*;
use spawnhook_sdk::settings;

use super::*;

fn variables(text: &str) -> Variables {
    settings::read(text, Variables::read).expect("the settings have no problem")
}

fn problems(text: &str) -> String {
    settings::read(text, Variables::read)
        .err()
        .expect("there are problems")
        .join("\n")
}

fn applied(text: &str, env: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let mut spawn = SpawnContext {
        command: "true".to_owned(),
        cwd: "/".to_owned(),
        env: env.iter().map(own).collect(),
    };
    let session = |fact: &str| (fact == "model").then(|| "large".to_owned());
    variables(text).apply(&mut spawn, session);
    spawn.env
}

fn rendered(env: &[(String, String)]) -> String {
    env.iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn variables_are_set_replaced_and_unset() {
    let settings = r#"{"set": {"CI": "1", "LANG": "C"}, "unset": ["DEBUG", "ABSENT"]}"#;
    let env = applied(
        settings,
        &[("DEBUG", "x"), ("HOME", "/home"), ("LANG", "de")],
    );
    assert_eq!(rendered(&env), "CI=1\nHOME=/home\nLANG=C");
}

#[test]
fn a_fact_of_the_session_is_set_where_it_is_known() {
    let settings = r#"{"set_from_session": {"MODEL": "model", "SESSION": "id"}}"#;
    let env = applied(settings, &[("SESSION", "kept")]);
    assert_eq!(rendered(&env), "MODEL=large\nSESSION=kept");
}

#[test]
fn all_problems_are_told_at_once_and_no_value_with_them() {
    let text = r#"{
        "set": {"A": "1", "B": "secret\u0000", "C": 1, "1D": "", "E F": ""},
        "set_from_session": {"G": "colour"},
        "unset": ["A", "H*", 3],
        "unsets": []
    }"#;
    assert_snapshot!(problems(text), @r#"
    set.1D: expected a variable's name ([A-Za-z_][A-Za-z0-9_]*), found "1D"
    set.B: expected a text without NUL
    set.C: expected a string, found 1
    set."E F": expected a variable's name ([A-Za-z_][A-Za-z0-9_]*), found "E F"
    set_from_session.G: expected one of id, file, provider, model, reasoning-level, found "colour"
    unset[1]: expected a variable's name ([A-Za-z_][A-Za-z0-9_]*), found "H*"
    unset[2]: expected a string, found 3
    unset: expected names that are not in set, found "A"
    unsets: unknown setting, expected one of set, set_from_session, unset
    "#);
}

#[test]
fn names_that_are_wrong_or_in_two_places_are_told() {
    let text = r#"{
        "set": {"A": "1", "1D": "", "E F": "", "": ""},
        "set_from_session": {"A": "id", "B": "file", "ä": "id"},
        "unset": ["A", "B"]
    }"#;
    assert_snapshot!(problems(text), @r#"
    set."": expected a variable's name ([A-Za-z_][A-Za-z0-9_]*), found ""
    set.1D: expected a variable's name ([A-Za-z_][A-Za-z0-9_]*), found "1D"
    set."E F": expected a variable's name ([A-Za-z_][A-Za-z0-9_]*), found "E F"
    set_from_session."ä": expected a variable's name ([A-Za-z_][A-Za-z0-9_]*), found "ä"
    set_from_session: expected names that are not in set, found "A"
    unset: expected names that are not in set, found "A"
    unset: expected names that are not in set_from_session, found "A"
    unset: expected names that are not in set_from_session, found "B"
    "#);
}

proptest! {
    #[test]
    fn a_variable_that_the_settings_do_not_name_stays_as_it_is(
        env in prop::collection::btree_map("[A-D]{1,2}", "[a-z]{0,3}", 0..8),
        set in prop::collection::btree_map("[A-D]", "[a-z]{0,3}", 0..3),
        unset in prop::collection::btree_set("[A-D]{2}", 0..3),
    ) {
        let own: Vec<_> = env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let settings = format!(r#"{{"set": {set:?}, "unset": {:?}}}"#, unset.iter().collect::<Vec<_>>());
        let mut expected = env.clone();
        expected.retain(|name, _| !unset.contains(name));
        expected.extend(set);
        prop_assert_eq!(applied(&settings, &own), expected.into_iter().collect::<Vec<_>>());
    }
}
