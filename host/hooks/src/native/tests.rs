use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, SystemTime};

use spawnhook_model::{Field, HookResult, Origin, Session};

use super::*;
use crate::{Chain, Decision, Verdict};

fn call() -> Arc<Call> {
    Arc::new(Call {
        id: "1".to_owned(),
        origin: Origin::Rpc,
        requested: "ls".to_owned(),
        prefix: String::new(),
        workspace: "/".into(),
        timeout: None,
        started: SystemTime::UNIX_EPOCH,
        session: Session::default(),
    })
}

fn spawn() -> SpawnContext {
    SpawnContext {
        command: "ls".to_owned(),
        cwd: "/".into(),
        env: Env::from_iter([("PATH", "/bin"), ("odd-name", "1")]),
    }
}

/// What a chain of these hooks decides.
async fn decide(hooks: impl IntoIterator<Item = NativeHook>) -> Decision {
    let mut chain = Chain::new(Vec::new()).unwrap();
    for hook in hooks {
        chain = chain.and(hook).unwrap();
    }
    chain.decide(&call(), spawn()).await
}

/// How a rewrite hook fails that makes this of a command.
async fn failure(
    hook: impl Fn(&mut SpawnContext) + Send + Sync + 'static,
) -> (FailureClass, String) {
    let engine = HookEngine::new().unwrap();
    let hook = engine.rewrite("mine", move |_: &Call, mut spawn: SpawnContext| {
        hook(&mut spawn);
        Ok(spawn)
    });
    match decide([hook]).await.verdict {
        Verdict::Failed { failure, .. } => (failure.class, failure.message),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_rewrite_changes_what_it_likes_and_a_guard_sees_it() {
    let engine = HookEngine::new().unwrap();
    let guard = engine.guard("guard", |call: &Call, spawn: SpawnContext| {
        assert_eq!(call.requested, "ls");
        Err(Refusal::Deny(format!("no\n{}", spawn.command)))
    });
    let rewrite = engine.rewrite("rewrite", |_: &Call, mut spawn: SpawnContext| {
        spawn.command.push_str(" -l");
        spawn.env.set("PATH", "/usr/bin");
        Ok(spawn)
    });
    let decision = decide([guard, rewrite]).await;
    assert_eq!(decision.spawn.command, "ls -l");
    let results: Vec<_> = decision
        .reports
        .iter()
        .map(|report| (&*report.name, report.result.clone(), &*report.changed))
        .collect();
    let denied = HookResult::Denied("no\\nls -l".to_owned());
    assert_eq!(
        results,
        [
            (
                "rewrite",
                HookResult::Changed,
                &[Field::Command, Field::Env][..]
            ),
            ("guard", denied, &[])
        ]
    );
}

#[tokio::test]
async fn a_guard_may_ask_and_what_returns_the_same_changed_nothing() {
    let engine = HookEngine::new().unwrap();
    let quiet = engine.rewrite("quiet", |_: &Call, spawn: SpawnContext| Ok(spawn));
    let asks = engine.guard("asks", |_: &Call, _: SpawnContext| {
        Err(Refusal::Ask("may it?".to_owned()))
    });
    let decision = decide([quiet, asks]).await;
    assert_eq!(decision.reports[0].result, HookResult::Unchanged);
    let question = ("asks".to_owned(), "may it?".to_owned());
    assert_eq!(decision.verdict, Verdict::Ask(vec![question]));
}

#[tokio::test]
async fn a_guard_changes_nothing_and_a_rewrite_does_not_ask() {
    let engine = HookEngine::new().unwrap();
    let guard = engine.guard("guard", |_: &Call, mut spawn: SpawnContext| {
        spawn.command.push('!');
        Ok(spawn)
    });
    let rewrite = engine.rewrite("rewrite", |_: &Call, _: SpawnContext| {
        Err(Refusal::Ask("may it?".to_owned()))
    });
    for (hook, class) in [
        (guard, FailureClass::Overstepped),
        (rewrite, FailureClass::Refused),
    ] {
        let verdict = decide([hook]).await.verdict;
        assert!(
            matches!(&verdict, Verdict::Failed { failure, .. } if failure.class == class),
            "{verdict:?}"
        );
    }
}

#[tokio::test]
async fn what_no_command_can_be_like_is_a_failure() {
    let class = FailureClass::BadResult;
    for (change, message) in [
        (
            (|spawn| spawn.command.clear()) as fn(&mut SpawnContext),
            "before-spawn returned an empty command",
        ),
        (
            |spawn| spawn.cwd = "a".into(),
            "before-spawn returned the working directory \"a\", which is not an absolute path",
        ),
        (
            |spawn| drop(spawn.env.set("other-name", "1")),
            "before-spawn set a variable named \"other-name\": a name is letters, digits and _, \
             and starts with no digit",
        ),
        (
            |spawn| drop(spawn.env.set("NUL", OsStr::from_bytes(b"\0"))),
            "before-spawn set the variable NUL to a value with a NUL",
        ),
    ] {
        assert_eq!(failure(change).await, (class, message.to_owned()));
    }
}

#[tokio::test]
async fn a_panic_stops_the_command_and_nothing_else() {
    let (class, message) = failure(|_| panic!("it is Monday")).await;
    assert_eq!(class, FailureClass::Panicked);
    assert_eq!(message, "before-spawn panicked: it is Monday");
}

#[tokio::test]
async fn a_hook_that_does_not_return_is_given_up() {
    let (class, _) = failure(|_| std::thread::sleep(Duration::from_secs(600))).await;
    assert_eq!(class, FailureClass::WallLimit);
}

#[test]
fn a_name_comes_once() {
    let engine = HookEngine::new().unwrap();
    let hook = || engine.guard("mine", |_: &Call, spawn: SpawnContext| Ok(spawn));
    let chain = Chain::new(Vec::new()).unwrap().and(hook()).unwrap();
    let error = chain.and(hook()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two hooks are named `mine`: give one of them another name"
    );
}
