use proptest::prelude::*;

use super::*;

const TINY: SpawnLimits = SpawnLimits {
    command_bytes: 10,
    cwd_bytes: 10,
    variable_bytes: 10,
    total_bytes: 30,
};

fn message(checked: Result<(), Failure>) -> String {
    let failure = checked.unwrap_err();
    assert_eq!(failure.class, FailureClass::BadResult);
    failure.message
}

#[test]
fn the_limits_are_exact() {
    assert!(TINY.command("0123456789").is_ok());
    assert_eq!(
        message(TINY.command("0123456789a")),
        "returned a command of 11 bytes; the limit is 10"
    );
    assert!(TINY.cwd("/123456789").is_ok());
    assert_eq!(
        message(TINY.cwd("/123456789a")),
        "returned the working directory \"/123456789a\", which has 11 bytes; the limit is 10"
    );
    let none = Env::new();
    assert!(
        TINY.env(&none, &Env::from_iter([("A", "123456")]), "")
            .is_ok()
    );
    assert_eq!(
        message(TINY.env(&none, &Env::from_iter([("A", "1234567")]), "")),
        "set the variable A to 10 bytes with its name; the limit is below 10"
    );
}

#[test]
fn only_variables_that_were_set_are_measured_one_by_one() {
    let long = Env::from_iter([("A", "far above the limit")]);
    assert!(TINY.env(&long, &long, "").is_ok());
}

#[test]
fn command_and_environment_share_a_limit() {
    let env = Env::from_iter([("A", "1"), ("B", "2")]);
    assert!(TINY.env(&env, &env, &"x".repeat(22)).is_ok());
    assert_eq!(
        message(TINY.env(&env, &env, &"x".repeat(23))),
        "returned a command and an environment of 31 bytes together; the limit is 30"
    );
}

proptest! {
    #[test]
    fn no_nul_gets_through(before: String, after: String) {
        let limits = SpawnLimits::default();
        let text = format!("/{before}\0{after}");
        prop_assert!(limits.command(&text).is_err());
        prop_assert!(limits.cwd(&text).is_err());
        let env = Env::from_iter([("A", text.as_str())]);
        prop_assert!(limits.env(&Env::new(), &env, "").is_err());
    }
}
