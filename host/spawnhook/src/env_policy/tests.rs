use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use proptest::prelude::*;
use spawnhook_model::{Env, Session};
use wildmatch::WildMatch;

use super::{
    CORE, EXCLUDE, EnvPolicy, Inherit, Inherited, SessionVariables, inherit, session_variables,
};

/// An environment with these names, which are separated by spaces.
fn host(names: &str) -> Env {
    names
        .split_whitespace()
        .map(|name| (name, "host"))
        .collect()
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Of the host's names those that the command gets, and those that it does not.
fn check(policy: &EnvPolicy, host_names: &str, kept: &str, removed: &str) {
    let inherited = inherit(policy, &host(host_names));
    let names: Vec<_> = inherited.env.names().collect();
    assert_eq!(names, kept.split_whitespace().collect::<Vec<_>>());
    assert_eq!(
        inherited.removed,
        removed.split_whitespace().collect::<Vec<_>>()
    );
}

fn policy(inherit: Inherit, exclude: &[&str]) -> EnvPolicy {
    EnvPolicy {
        inherit,
        exclude: strings(exclude),
        set: Vec::new(),
    }
}

#[test]
fn the_core_passes_what_tools_need_and_nothing_else() {
    check(
        &EnvPolicy::default(),
        "CARGO_HOME DBUS_SESSION_BUS_ADDRESS GIT_AUTHOR_NAME GIT_DIR HOME HTTPS_PROXY \
         LC_ALL LD_PRELOAD MY_OWN NODE_OPTIONS PATH SSH_AUTH_SOCK VIRTUAL_ENV \
         XAUTHORITY XDG_CONFIG_HOME npm_config_cache",
        "CARGO_HOME GIT_AUTHOR_NAME HOME LC_ALL PATH VIRTUAL_ENV XDG_CONFIG_HOME \
         npm_config_cache",
        "DBUS_SESSION_BUS_ADDRESS GIT_DIR HTTPS_PROXY LD_PRELOAD MY_OWN NODE_OPTIONS \
         SSH_AUTH_SOCK XAUTHORITY",
    );
}

#[test]
fn credentials_stay_behind_even_where_all_is_inherited() {
    let credentials = "ANTHROPIC_API_KEY AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN BW_SESSION \
         CARGO_REGISTRY_TOKEN DATABASE_URL DB_PASS GITHUB_PAT GIT_ASKPASS \
         GOOGLE_APPLICATION_CREDENTIALS GPG_AGENT_INFO HTTP_COOKIE MYSQL_PWD \
         NPM_CONFIG__AUTH PGPASSWORD REDISCLI_AUTH SENTRY_DSN SLACK_WEBHOOK_URL \
         SSH_AGENT_PID SSH_AUTH_SOCK VSCODE_GIT_IPC_HANDLE XAUTHORITY my_secret \
         npm_config_//registry/:_authToken";
    check(&policy(Inherit::All, EXCLUDE), credentials, "", credentials);
}

#[test]
fn what_only_resembles_a_credential_is_inherited_with_all() {
    let harmless = "DESKTOP_SESSION_NAME GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL OLDPWD PATH PWD \
         SSL_CERT_FILE XDG_SESSION_ID";
    check(&policy(Inherit::All, EXCLUDE), harmless, harmless, "");
}

#[test]
fn nothing_of_the_core_is_excluded_by_default() {
    let exclude: Vec<_> = EXCLUDE
        .iter()
        .map(|glob| WildMatch::new_case_insensitive(glob))
        .collect();
    for name in CORE {
        assert!(!exclude.iter().any(|glob| glob.matches(name)), "{name}");
    }
}

#[test]
fn globs_inherit_in_the_case_as_written_and_exclude_in_any() {
    check(
        &policy(Inherit::Globs(strings(&["My_*", "A?"])), &["*hidden*"]),
        "A AB ABC MY_1 My_1 My_HIDDEN PATH",
        "AB My_1",
        "A ABC MY_1 My_HIDDEN PATH",
    );
}

#[test]
fn the_word_core_among_globs_stands_for_the_core() {
    check(
        &policy(Inherit::Globs(strings(&["core", "HTTPS_PROXY"])), &[]),
        "FOO HOME HTTPS_PROXY LC_TIME",
        "HOME HTTPS_PROXY LC_TIME",
        "FOO",
    );
}

#[test]
fn what_is_set_is_there_whatever_is_excluded() {
    let policy = EnvPolicy {
        inherit: Inherit::All,
        exclude: strings(&["*TOKEN*"]),
        set: vec![
            ("HOME".to_owned(), "set".to_owned()),
            ("MY_TOKEN".to_owned(), "set".to_owned()),
        ],
    };
    let Inherited { env, removed } = inherit(&policy, &host("HOME MY_TOKEN OTHER_TOKEN"));
    assert_eq!(
        env,
        [("HOME", "set"), ("MY_TOKEN", "set")].into_iter().collect()
    );
    assert_eq!(removed, ["OTHER_TOKEN"]);
}

#[test]
fn a_name_that_is_not_utf8_is_inherited_with_all_alone() {
    let raw = |name: &[u8]| OsString::from_vec(name.to_vec());
    let host: Env = [(raw(b"A\xff"), "1"), (raw(b"KEY\xff"), "2")]
        .into_iter()
        .collect();
    let all = inherit(&policy(Inherit::All, EXCLUDE), &host);
    assert_eq!(all.env, [(raw(b"A\xff"), "1")].into_iter().collect());
    assert_eq!(all.removed, ["KEY\u{fffd}"]);
    let globs = inherit(&policy(Inherit::Globs(strings(&["*"])), &[]), &host);
    assert!(globs.env.is_empty());
    assert_eq!(globs.removed, ["A\u{fffd}", "KEY\u{fffd}"]);
}

#[test]
fn a_value_that_is_not_utf8_is_inherited_as_it_is() {
    let value = OsString::from_vec(vec![0xff]);
    let host: Env = [("HOME", value)].into_iter().collect();
    assert_eq!(inherit(&EnvPolicy::default(), &host).env, host);
}

const SESSION_NAMES: &str = "PI_MODEL PI_PROVIDER PI_REASONING_LEVEL PI_SESSION_FILE PI_SESSION_ID";

#[test]
fn session_variables_replace_what_was_inherited() {
    let session = Session {
        id: Some("id".to_owned()),
        model: Some("model".to_owned()),
        reasoning_level: Some("high".to_owned()),
        ..Session::default()
    };
    let mut env = host(SESSION_NAMES);
    env.set("PI_OTHER", "host");
    session_variables(&SessionVariables::default(), &session, &mut env);
    let expected = [
        ("PI_MODEL", "model"),
        ("PI_OTHER", "host"),
        ("PI_REASONING_LEVEL", "high"),
        ("PI_SESSION_ID", "id"),
    ];
    assert_eq!(env, expected.into_iter().collect());
}

#[test]
fn session_variables_that_are_not_exposed_are_still_removed() {
    let session = Session {
        id: Some("id".to_owned()),
        ..Session::default()
    };
    let config = SessionVariables {
        expose: false,
        ..SessionVariables::default()
    };
    let mut env = host(SESSION_NAMES);
    session_variables(&config, &session, &mut env);
    assert!(env.is_empty());
}

#[test]
fn every_session_variable_has_its_prefix() {
    let mut session = Session::default();
    for fact in Session::FACTS {
        *session.fact_mut(fact).unwrap() = Some("known".to_owned());
    }
    let config = SessionVariables {
        expose: true,
        prefix: "AGENT_".to_owned(),
    };
    let mut env = Env::new();
    session_variables(&config, &session, &mut env);
    let names: Vec<_> = env.names().collect();
    let expected = SESSION_NAMES.replace("PI_", "AGENT_");
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
}

fn inherits() -> impl Strategy<Value = Inherit> {
    prop_oneof![
        Just(Inherit::Core),
        Just(Inherit::All),
        prop::collection::vec("[AB*?]{1,3}", 0..3).prop_map(Inherit::Globs),
    ]
}

fn names() -> impl Strategy<Value = Vec<OsString>> {
    let bytes = prop::sample::select(b"ABab_\xff".to_vec());
    let name = prop::collection::vec(bytes, 1..4).prop_map(OsString::from_vec);
    let known = prop::sample::select(vec!["HOME", "LC_ALL", "MY_KEY"]).prop_map(OsString::from);
    prop::collection::vec(prop_oneof![name, known], 0..8)
}

proptest! {
    #[test]
    fn exclusions_always_win(
        inherited in inherits(),
        exclude in prop::collection::vec("[ABab*?]{1,3}", 0..3),
        names in names(),
    ) {
        let host: Env = names.into_iter().map(|name| (name, "host")).collect();
        let policy = EnvPolicy { inherit: inherited, exclude: exclude.clone(), set: Vec::new() };
        let Inherited { env, .. } = inherit(&policy, &host);
        for name in env.names() {
            let upper = name.to_string_lossy().to_uppercase();
            for glob in &exclude {
                prop_assert!(!WildMatch::new(&glob.to_uppercase()).matches(&upper), "{:?} {}", name, glob);
            }
        }
    }

    #[test]
    fn every_variable_of_the_host_is_inherited_or_reported(inherited in inherits(), names in names()) {
        let host: Env = names.into_iter().map(|name| (name, "host")).collect();
        let policy = EnvPolicy { inherit: inherited, exclude: strings(EXCLUDE), set: Vec::new() };
        let Inherited { env, removed } = inherit(&policy, &host);
        prop_assert_eq!(env.len() + removed.len(), host.len());
        prop_assert!(env.iter().all(|(name, value)| host.get(name) == Some(value)));
    }
}
