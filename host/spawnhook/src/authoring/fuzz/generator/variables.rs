use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use proptest::collection::btree_map;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::case::Class;
use crate::authoring::fixtures::Fixtures;

/// Names that an environment has, or that a hook may want to.
const NAMES: [&str; 20] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
    "LC_ALL",
    "TERM",
    "SHELL",
    "PWD",
    "TMPDIR",
    "CI",
    "DEBUG",
    "EDITOR",
    "NODE_ENV",
    "RUST_LOG",
    "VIRTUAL_ENV",
    "GIT_DIR",
    "_",
    "a",
    "LD_PRELOAD",
    "IFS",
];

/// Names of what nobody should see.
const SECRET_NAMES: [&str; 8] = [
    "AWS_SECRET_ACCESS_KEY",
    "GITHUB_TOKEN",
    "NPM_TOKEN",
    "DB_PASSWORD",
    "API_KEY",
    "DATABASE_URL",
    "SSH_PRIVATE_KEY",
    "client_secret",
];

pub(super) fn cwd() -> BoxedStrategy<PathBuf> {
    prop_oneof![
        6 => Just("/project".to_owned()),
        1 => Just("/".to_owned()),
        1 => "/[a-zA-Z0-9 ._-]{1,12}(/[a-z '\"$*]{1,8}){0,4}",
        1 => "(/[\u{e4}\u{4e2d}\u{1f600}\u{202e}\n]{1,4}){1,4}",
        1 => (1_usize..200).prop_map(|depth| "/directory-of-20-char".repeat(depth).chars().take(4096).collect()),
    ]
    .prop_map(PathBuf::from)
    .boxed()
}

pub(super) fn env(class: Class, fixtures: &Fixtures) -> BoxedStrategy<BTreeMap<String, String>> {
    let name = name(class, fixtures);
    let count = if class == Class::Variables {
        40..400
    } else {
        0..12
    };
    btree_map(name, value(class), count).boxed()
}

fn name(class: Class, fixtures: &Fixtures) -> BoxedStrategy<String> {
    let known = known(fixtures);
    let (secret, long) = match class {
        Class::Secrets => (6, 1),
        Class::Variables => (1, 20),
        _ => (1, 1),
    };
    prop_oneof![
        4 => select(known),
        secret => select(SECRET_NAMES.to_vec()).prop_map(str::to_owned),
        long => "[A-Z][A-Z0-9_]{0,24}",
        // Names that a shell has no use for can stand in an environment all the same.
        1 => "[a-z.-]{1,6}|BASH_FUNC_[a-z]{1,4}%%",
    ]
    .boxed()
}

/// Names in general, and those that the author's rights and tests speak of.
fn known(fixtures: &Fixtures) -> Vec<String> {
    let mut names: BTreeSet<String> = NAMES.map(str::to_owned).into();
    let rights = &fixtures.setup.rights;
    for glob in [&rights.see_env, &rights.set_env, &rights.unset_env]
        .into_iter()
        .flatten()
    {
        let name = glob.replace('*', "X").replace('?', "Y");
        if !name.is_empty() {
            names.insert(name);
        }
    }
    names.extend(
        fixtures
            .tests
            .iter()
            .flat_map(|test| test.env.keys().cloned()),
    );
    names.into_iter().collect()
}

fn value(class: Class) -> BoxedStrategy<String> {
    let secrets = if class == Class::Secrets { 6 } else { 1 };
    prop_oneof![
        4 => "[a-zA-Z0-9/:._ -]{0,24}",
        1 => Just(String::new()),
        2 => "[^\0]{0,24}",
        1 => "[ -~]{200,2000}",
        secrets => secret(),
    ]
    .boxed()
}

/// Something that looks like a credential.
pub(super) fn secret() -> BoxedStrategy<String> {
    prop_oneof![
        "ghp_[A-Za-z0-9]{36}",
        "sk-[A-Za-z0-9]{20,48}",
        "AKIA[A-Z0-9]{16}",
        "eyJ[A-Za-z0-9_-]{20}\\.[A-Za-z0-9_-]{20}\\.[A-Za-z0-9_-]{20}",
        "xox[bp]-[0-9]{10}-[A-Za-z0-9]{24}",
        "postgres://admin:[A-Za-z0-9%]{12}@db\\.example\\.org/main",
        "-----BEGIN RSA PRIVATE KEY-----\n([A-Za-z0-9+/]{32}\n){1,4}-----END RSA PRIVATE KEY-----",
        "[a-f0-9]{64}",
    ]
    .boxed()
}
