use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;

use proptest::prelude::*;

use super::*;

fn grants(see: &[&str], set: &[&str], unset: &[&str]) -> Grants {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let rights = Rights {
        see_env: owned(see),
        set_env: owned(set),
        unset_env: owned(unset),
        ..Rights::default()
    };
    Grants::new(&rights, Stage::Rewrite).unwrap()
}

fn variables(pairs: &[(&str, &str)]) -> Variables {
    pairs
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn not_utf8() -> OsString {
    OsString::from_vec(vec![b'x', 0xff])
}

#[test]
fn a_hook_sees_what_it_was_granted_and_what_has_a_form() {
    let mut env = Env::from_iter([("A_1", "1"), ("A_2", "2"), ("B", "3"), ("C", "4")]);
    env.set("A_3", not_utf8());
    env.set(not_utf8(), "5");
    assert_eq!(grants(&[], &[], &[]).shown(&env), []);
    assert_eq!(
        grants(&["A_*", "B"], &[], &[]).shown(&env),
        [("A_1", "1"), ("A_2", "2"), ("B", "3")]
    );
    assert_eq!(grants(&["*"], &[], &[]).shown(&env).len(), 4);
    assert_eq!(grants(&["A_?"], &[], &[]).shown(&env).len(), 2);
}

#[test]
fn a_glob_never_covers_what_can_change_what_runs() {
    let any = grants(&["*"], &["*"], &["*"]);
    let env = Env::from_iter([("PATH", "/bin"), ("HARMLESS", "1")]);
    let shown = any.shown(&env);
    for name in [
        "PATH",
        "LD_PRELOAD",
        "LD_AUDIT",
        "DYLD_INSERT_LIBRARIES",
        "BASH_ENV",
        "ENV",
        "IFS",
        "PROMPT_COMMAND",
        "SHELLOPTS",
        "BASHOPTS",
        "PS4",
        "GIT_SSH_COMMAND",
        "GIT_EXTERNAL_DIFF",
        "PYTHONSTARTUP",
        "NODE_OPTIONS",
        "PERL5OPT",
        "GIT_CONFIG_KEY_0",
    ] {
        let mut returned = variables(&shown);
        returned.retain(|(shown, _)| shown != name);
        returned.push((name.to_owned(), "/evil".to_owned()));
        let failure = any.merge(&env, &shown, &returned).unwrap_err();
        assert_eq!(failure.class, FailureClass::Overstepped, "{name}");
        assert!(failure.message.contains("by its exact name"), "{failure}");
        let exact = grants(&["*"], &[name], &[]);
        assert!(exact.merge(&env, &shown, &returned).is_ok(), "{name}");
    }
    let unset = any.merge(&env, &shown, &variables(&[("HARMLESS", "1")]));
    assert_eq!(
        unset.unwrap_err().message,
        "unset the variable PATH, which its rights do not cover; grant it in may.unset_env by its \
         exact name, since it can change what a shell or a loader runs"
    );
    assert!(
        any.merge(&env, &shown, &variables(&[("PATH", "/bin")]))
            .is_ok()
    );
}

#[test]
fn odd_names_may_stay_and_may_not_be_set() {
    let env = Env::from_iter([("BASH_FUNC_ls%%", "() { :; }")]);
    let grants = grants(&["*"], &["BASH_FUNC_ls%%"], &[]);
    let shown = grants.shown(&env);
    assert_eq!(grants.merge(&env, &shown, &variables(&shown)).unwrap(), env);
    let changed = variables(&[("BASH_FUNC_ls%%", "() { rm -rf /; }")]);
    assert_eq!(
        grants.merge(&env, &shown, &changed).unwrap_err().class,
        FailureClass::BadResult
    );
}

#[test]
fn rights_that_cannot_be_used_are_all_told() {
    let rights = Rights {
        see_env: vec![String::new(), "A=B".to_owned()],
        set_env: vec!["X".to_owned()],
        cwd: true,
        ..Rights::default()
    };
    insta::assert_snapshot!(
        Grants::new(&rights, Stage::Guard).unwrap_err().join("\n"),
        @r#"
    set_env: a hook of stage guard changes nothing; only stage rewrite may
    cwd: a hook of stage guard changes nothing; only stage rewrite may
    see_env: "" is empty; use a name, or a glob with * and ?
    see_env: "A=B" holds = or NUL, which no name does; use a name, or a glob with * and ?
    "#
    );
}

/// Environments over few names, so that steps meet each other.
fn env() -> impl Strategy<Value = Env> {
    let value = prop_oneof!["[a-c]{0,2}".prop_map(OsString::from), Just(not_utf8()),];
    prop::collection::btree_map("[A-E]", value, 0..5).prop_map(|map| map.into_iter().collect())
}

proptest! {
    #[test]
    fn returning_what_was_shown_changes_nothing(env in env(), see in "[A-E]") {
        let grants = grants(&[&see], &[], &[]);
        let shown = grants.shown(&env);
        prop_assert_eq!(grants.merge(&env, &shown, &variables(&shown)), Ok(env.clone()));
    }

    #[test]
    fn what_comes_back_replaces_what_was_seen_and_nothing_else(
        env in env(),
        see in prop::collection::vec("[A-E]", 0..4),
        returned in prop::collection::btree_map("[A-E]", "[a-c]{0,2}", 0..5),
    ) {
        let see: Vec<&str> = see.iter().map(String::as_str).collect();
        let grants = grants(&see, &["?"], &["?"]);
        let shown = grants.shown(&env);
        let returned: Variables = returned.into_iter().collect();
        let merged = grants.merge(&env, &shown, &returned).unwrap();
        for name in ["A", "B", "C", "D", "E"] {
            let was_shown = shown.iter().any(|(shown, _)| *shown == name);
            let given = returned.iter().find(|(given, _)| given == name);
            let expected = match given {
                Some((_, value)) => Some(OsStr::new(value)),
                None if was_shown => None,
                None => env.get(name),
            };
            prop_assert_eq!(merged.get(name), expected);
        }
    }

    #[test]
    fn without_rights_an_environment_never_changes(
        env in env(),
        returned in prop::collection::vec(("[A-E]", "[a-c]{0,2}"), 0..5),
    ) {
        let grants = grants(&["*"], &[], &[]);
        let shown = grants.shown(&env);
        if let Ok(merged) = grants.merge(&env, &shown, &returned) {
            prop_assert_eq!(merged, env.clone());
        }
    }
}
