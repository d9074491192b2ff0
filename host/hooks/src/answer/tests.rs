use super::*;
use crate::Rights;

fn spawn() -> SpawnContext {
    SpawnContext {
        command: "make".to_owned(),
        cwd: "/project".into(),
        env: Env::from_iter([("A", "1"), ("HIDDEN", "2")]),
    }
}

fn grants(stage: Stage) -> Grants {
    let rights = match stage {
        Stage::Rewrite => Rights {
            see_env: vec!["A".to_owned()],
            set_env: vec!["*".to_owned()],
            command: true,
            cwd: true,
            ..Rights::default()
        },
        Stage::Guard | Stage::Audit => Rights {
            see_env: vec!["A".to_owned()],
            ..Rights::default()
        },
    };
    Grants::new(&rights, stage).unwrap()
}

/// What is made of what a hook of `stage` answers.
fn judged(
    stage: Stage,
    answer: impl FnOnce(Returned) -> Result<Returned, Refusal>,
) -> Result<Answer, Failure> {
    let grants = grants(stage);
    let spawn = spawn();
    let shown = Shown::new(&spawn, &grants).unwrap();
    let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    let returned = Returned {
        command: shown.command.to_owned(),
        cwd: shown.cwd.to_owned(),
        env: shown.env.iter().map(own).collect(),
    };
    judge(stage, &grants, &spawn, &shown, answer(returned))
}

fn class(judged: Result<Answer, Failure>) -> &'static str {
    judged.unwrap_err().class.name()
}

#[test]
fn the_same_context_is_no_change_in_any_stage() {
    for stage in Stage::ALL {
        assert_eq!(judged(stage, Ok), Ok(Answer::Unchanged), "{stage}");
    }
}

#[test]
fn a_change_keeps_what_was_not_shown() {
    let judged = judged(Stage::Rewrite, |mut returned| {
        returned.command = "make -j".to_owned();
        returned.env.push(("B".to_owned(), "3".to_owned()));
        Ok(returned)
    });
    let Ok(Answer::Changed(changed, fields)) = judged else {
        panic!("{judged:?}");
    };
    assert_eq!(fields, [Field::Command, Field::Env]);
    assert_eq!(changed.command, "make -j");
    assert_eq!(changed.cwd, spawn().cwd);
    assert_eq!(
        changed.env,
        Env::from_iter([("A", "1"), ("B", "3"), ("HIDDEN", "2")])
    );
}

#[test]
fn setting_an_unseen_variable_to_what_it_is_changes_nothing() {
    let judged = judged(Stage::Rewrite, |mut returned| {
        returned.env.push(("HIDDEN".to_owned(), "2".to_owned()));
        Ok(returned)
    });
    assert_eq!(judged, Ok(Answer::Unchanged));
}

#[test]
fn only_rewrite_hooks_change_anything() {
    for stage in [Stage::Guard, Stage::Audit] {
        let changes: [fn(&mut Returned); 4] = [
            |returned| returned.command.push('x'),
            |returned| returned.cwd.push('x'),
            |returned| returned.env.clear(),
            |returned| returned.env.push(("HIDDEN".to_owned(), "2".to_owned())),
        ];
        for change in changes {
            let judged = judged(stage, |mut returned| {
                change(&mut returned);
                Ok(returned)
            });
            assert_eq!(class(judged), "overstepped");
        }
    }
}

#[test]
fn who_may_refuse_and_how_is_a_matter_of_the_stage() {
    let deny = || Refusal::Deny("no\n".to_owned());
    let ask = || Refusal::Ask("sure?".to_owned());
    let denied = Ok(Answer::Refused(Refusal::Deny("no".to_owned())));
    assert_eq!(judged(Stage::Rewrite, |_| Err(deny())), denied);
    assert_eq!(judged(Stage::Guard, |_| Err(deny())), denied);
    assert_eq!(
        judged(Stage::Guard, |_| Err(ask())),
        Ok(Answer::Refused(ask()))
    );
    assert_eq!(class(judged(Stage::Rewrite, |_| Err(ask()))), "refused");
    assert_eq!(class(judged(Stage::Audit, |_| Err(deny()))), "refused");
    assert_eq!(class(judged(Stage::Audit, |_| Err(ask()))), "refused");
}

#[test]
fn a_reason_is_one_short_line() {
    let long = Refusal::Deny("é\n".repeat(10_000));
    let judged = judged(Stage::Guard, |_| Err(long));
    let Ok(Answer::Refused(Refusal::Deny(reason))) = judged else {
        panic!("{judged:?}");
    };
    assert!(reason.len() <= SHOWN_BYTES && reason.ends_with('…'));
    assert!(!reason.contains('\n'));
}

#[test]
fn a_directory_that_no_hook_can_be_shown_is_the_hosts_failure() {
    use std::os::unix::ffi::OsStringExt as _;
    let mut spawn = spawn();
    spawn.cwd = std::ffi::OsString::from_vec(b"/w\xff".to_vec()).into();
    let failure = Shown::new(&spawn, &grants(Stage::Guard)).unwrap_err();
    assert_eq!(failure.class, FailureClass::Host);
    assert_eq!(
        failure.message,
        "the working directory \"/w\u{fffd}\" is not UTF-8, and hooks know no other paths; run \
         the command somewhere else"
    );
}
