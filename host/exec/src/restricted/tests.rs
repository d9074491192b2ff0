use std::path::{Path, PathBuf};
use std::sync::Mutex;

use proptest::prelude::*;
use spawnhook_model::{Chunk, Ending, Stream};
use tempfile::TempDir;
use tokio::sync::mpsc;

use super::*;
use crate::local::tests::harness::spawner;
use crate::{
    Canceller, DEFAULT_STOP_GRACE, Invocation, Leftovers, LocalBackend, Rlimits, Stdin, Streams,
};

/// What a backend was asked for.
#[derive(Debug, PartialEq)]
struct Asked {
    command: String,
    cwd: PathBuf,
    env: Env,
    timeout: Option<f64>,
}

/// Writes down what it is asked for, and ends with code 7 and a notice.
#[derive(Debug, Default)]
struct Scripted(Mutex<Vec<Asked>>);

impl Backend for Scripted {
    fn run<'a>(&'a self, spawn: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        Box::pin(async move {
            wires
                .output
                .send(Chunk::new(Stream::Merged, b"out"))
                .await
                .unwrap();
            self.0.lock().unwrap().push(Asked {
                command: spawn.command,
                cwd: spawn.cwd.path().to_owned(),
                env: spawn.env,
                timeout: spawn.timeout.map(Timeout::seconds),
            });
            Ok(Ran {
                ending: Ending::Exited(7),
                leftovers: Vec::new(),
                later: None,
                notices: vec!["own".to_owned()],
            })
        })
    }
}

fn seconds(seconds: f64) -> Timeout {
    Timeout::from_seconds(seconds).unwrap()
}

fn spawn(command: &str) -> Spawn {
    Spawn {
        command: command.to_owned(),
        invocation: Invocation::default(),
        cwd: Cwd::open(Path::new("/"), None).unwrap(),
        env: Env::from_iter([("PATH", "/usr/bin:/bin"), ("SECRET", "s"), ("LANG", "C")]),
        stdin: Stdin::Null,
        streams: Streams::Merged,
        timeout: Some(seconds(100.0)),
        stop_grace: DEFAULT_STOP_GRACE,
        leftovers: Leftovers::default(),
        rlimits: Rlimits::default(),
    }
}

/// How the command ended, and what it wrote.
fn run(backend: &impl Backend, spawn: Spawn) -> (Ran, Vec<u8>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (_canceller, cancel) = Canceller::new();
    let (output, mut chunks) = mpsc::channel::<Chunk>(16);
    runtime.block_on(async {
        let read = async {
            let mut bytes = Vec::new();
            while let Some(chunk) = chunks.recv().await {
                bytes.extend_from_slice(&chunk);
            }
            bytes
        };
        let (ran, bytes) = tokio::join!(backend.run(spawn, Wires { output, cancel }), read);
        (ran.unwrap(), bytes)
    })
}

/// What the backend behind the restrictions was asked for, and how the run went.
fn asked(backend: &Restricted<Scripted>, spawn: Spawn) -> (Asked, Ran) {
    let (ran, bytes) = run(backend, spawn);
    assert_eq!((&ran.ending, &*bytes), (&Ending::Exited(7), &b"out"[..]));
    (backend.backend.0.lock().unwrap().pop().unwrap(), ran)
}

#[test]
fn without_restrictions_everything_passes() {
    let (asked, ran) = asked(&Restricted::new(Scripted::default()), spawn("x"));
    let expected = Asked {
        command: "x".to_owned(),
        cwd: "/".into(),
        env: spawn("x").env,
        timeout: Some(100.0),
    };
    assert_eq!((asked, ran.notices), (expected, vec!["own".to_owned()]));
}

#[test]
fn the_directory_is_the_fixed_one_for_every_command() {
    let folder = TempDir::new().unwrap();
    let backend = Restricted::new(Scripted::default()).cwd(Cwd::open(folder.path(), None).unwrap());
    for _ in 0..2 {
        assert_eq!(asked(&backend, spawn("x")).0.cwd, folder.path());
    }
}

#[test]
fn a_fixed_directory_is_the_one_that_was_opened_wherever_it_is_now() {
    let folder = TempDir::new().unwrap();
    let (before, after) = (folder.path().join("before"), folder.path().join("after"));
    std::fs::create_dir(&before).unwrap();
    let backend = Restricted::new(LocalBackend::new(spawner(), None, None))
        .cwd(Cwd::open(&before, None).unwrap());
    std::fs::rename(&before, &after).unwrap();
    let (ran, bytes) = run(&backend, spawn("pwd -P"));
    assert_eq!(ran.ending, Ending::Exited(0));
    assert_eq!(bytes, format!("{}\n", after.display()).into_bytes());
}

#[test]
fn a_limit_above_the_most_is_lowered_and_told() {
    let backend = Restricted::new(Scripted::default()).max_timeout(seconds(0.5));
    let (asked, ran) = asked(&backend, spawn("x"));
    assert_eq!(asked.timeout, Some(0.5));
    insta::assert_snapshot!(ran.notices.join("|"), @"own|The time limit was lowered from 100 to 0.5 seconds, the most that this backend allows.");
}

#[test]
fn a_command_without_a_limit_gets_the_most_and_no_notice() {
    let backend = Restricted::new(Scripted::default()).max_timeout(seconds(0.5));
    let mut unlimited = spawn("x");
    unlimited.timeout = None;
    let (asked, ran) = asked(&backend, unlimited);
    assert_eq!(
        (asked.timeout, &*ran.notices),
        (Some(0.5), &["own".to_owned()][..])
    );
}

#[test]
fn variables_that_are_not_named_are_left_out() {
    let backend = Restricted::new(Scripted::default()).env(["LANG", "PATH", "ABSENT"]);
    let expected = Env::from_iter([("LANG", "C"), ("PATH", "/usr/bin:/bin")]);
    assert_eq!(asked(&backend, spawn("x")).0.env, expected);
    let none = Restricted::new(Scripted::default()).env([] as [&str; 0]);
    assert!(asked(&none, spawn("x")).0.env.is_empty());
}

#[test]
fn restrictions_around_each_other_hold_together() {
    let inner = Restricted::new(Scripted::default())
        .max_timeout(seconds(5.0))
        .env(["LANG", "PATH"]);
    let outer = Restricted::new(inner)
        .max_timeout(seconds(9.0))
        .env(["LANG", "SECRET"]);
    let (ran, _) = run(&outer, spawn("x"));
    let asked = outer.backend.backend.0.lock().unwrap().pop().unwrap();
    assert_eq!(asked.timeout, Some(5.0));
    assert_eq!(asked.env, Env::from_iter([("LANG", "C")]));
    assert_eq!(ran.notices.len(), 3);
}

proptest! {
    #[test]
    fn no_limit_is_above_the_most_and_none_is_raised(asked in prop::option::of(0.001..1e6_f64), most in 0.001..1e6_f64) {
        let mut timeout = asked.map(seconds);
        let notice = lower(&mut timeout, seconds(most));
        let expected = asked.map_or(most, |asked| asked.min(most));
        prop_assert_eq!(timeout, Some(seconds(expected)));
        prop_assert_eq!(notice.is_some(), asked.is_some_and(|asked| asked > most));
    }
}
