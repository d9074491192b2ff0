use std::path::Path;
use std::sync::Mutex;

use spawnhook_exec::{BoxFuture, Ran, Spawn, SpawnError, Wires};
use spawnhook_model::{Call, Ending, Event, Origin, Refusal, SpawnContext, Stage};

use super::*;
use crate::config::Sources;
use crate::execution::RunError;
use crate::{Answer, Question};

mod review;

/// What a fake backend does with a command: notes it, and ends it at once or when it is cancelled.
#[derive(Clone, Default)]
struct Fake {
    until_cancelled: bool,
    ran: Arc<Mutex<Vec<String>>>,
}

impl Backend for Fake {
    fn run<'a>(&'a self, spawn: Spawn, wires: Wires) -> BoxFuture<'a, Result<Ran, SpawnError>> {
        Box::pin(async move {
            let mut cancel = wires.cancel;
            if self.until_cancelled {
                cancel.cancelled().await;
            }
            self.ran.lock().unwrap().push(spawn.command);
            Ok(Ran {
                ending: if self.until_cancelled {
                    Ending::Cancelled { shell: None }
                } else {
                    Ending::Exited(0)
                },
                leftovers: Vec::new(),
                later: None,
                notices: Vec::new(),
            })
        })
    }
}

/// Answers every question in the same way, or never.
#[derive(Debug)]
struct Person(Option<Answer>);

impl Ask for Person {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            match &self.0 {
                Some(answer) => answer.clone(),
                None => std::future::pending().await,
            }
        })
    }
}

struct Deployment {
    folder: tempfile::TempDir,
    fake: Fake,
}

impl Deployment {
    fn new(fake: Fake) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, fake }
    }

    fn builder(&self) -> HostBuilder {
        let folder = self.folder.path().to_owned();
        let config = Config::built_in(&Sources::none(&folder, folder.join("state")));
        Host::builder(
            config,
            Env::new(),
            Via::Backend(Arc::new(self.fake.clone())),
        )
    }

    /// With the guard of the tests, which asks about `git tag`.
    fn guarded(&self) -> HostBuilder {
        let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hooks/no-push.wat");
        let file = self.folder.path().join("no-push.wasm");
        std::fs::write(&file, wat::parse_file(text).unwrap()).unwrap();
        self.builder().hook(ExtraHook::new(Stage::Guard, file))
    }

    fn ran(&self) -> Vec<String> {
        self.fake.ran.lock().unwrap().clone()
    }
}

fn request(command: &str) -> ExecRequest {
    ExecRequest::new(command, Origin::Rpc)
}

#[tokio::test]
async fn a_backend_of_the_embedder_runs_the_command() {
    let deployment = Deployment::new(Fake::default());
    let host = deployment.builder().build().unwrap();
    let outcome = host.start(request("any")).unwrap().outcome().await.unwrap();
    assert_eq!(outcome.ending, Ending::Exited(0));
    assert_eq!(deployment.ran(), ["any"]);
}

#[tokio::test]
async fn events_end_with_the_outcome_which_can_be_taken_once() {
    let deployment = Deployment::new(Fake::default());
    let host = deployment.builder().build().unwrap();
    let mut execution = host.start(request("any")).unwrap();
    assert!(matches!(
        execution.next_event().await,
        Some(Event::Started { .. })
    ));
    assert!(matches!(
        execution.next_event().await,
        Some(Event::Finished(_))
    ));
    assert!(execution.next_event().await.is_none());
    assert!(matches!(
        execution.outcome().await,
        Err(RunError::Taken { .. })
    ));
}

#[tokio::test]
async fn an_execution_that_is_dropped_is_cancelled() {
    let fake = Fake {
        until_cancelled: true,
        ..Fake::default()
    };
    let deployment = Deployment::new(fake);
    let host = deployment.builder().build().unwrap();
    let mut execution = host.start(request("any")).unwrap();
    execution.next_event().await.unwrap();
    drop(execution);
    while deployment.ran().is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_person_who_agrees_lets_the_command_run_and_one_who_does_not_stops_it() {
    let away = Answer::Nobody("everybody is at lunch".to_owned());
    for (answer, ending) in [
        (Answer::Yes, "exited"),
        (Answer::No, "denied"),
        (away, "denied"),
    ] {
        let deployment = Deployment::new(Fake::default());
        let host = deployment.guarded().ask(Person(Some(answer.clone())));
        let execution = host.build().unwrap().start(request("git tag")).unwrap();
        let outcome = execution.outcome().await.unwrap();
        assert_eq!(outcome.ending.name(), ending);
        assert_eq!(deployment.ran().len(), usize::from(answer == Answer::Yes));
    }
}

#[tokio::test]
async fn a_denial_says_why_nobody_answered() {
    let deployment = Deployment::new(Fake::default());
    let away = Answer::Nobody("everybody is at lunch".to_owned());
    let host = deployment.guarded().ask(Person(Some(away)));
    let execution = host.build().unwrap().start(request("git tag")).unwrap();
    let Ending::Denied { reason, .. } = execution.outcome().await.unwrap().ending else {
        panic!("it was not denied");
    };
    assert_eq!(
        reason,
        "may it tag? (everybody is at lunch, so the answer is no)"
    );
}

#[tokio::test]
async fn who_is_named_by_a_request_is_asked_in_place_of_whom_the_host_knows() {
    let deployment = Deployment::new(Fake::default());
    let host = deployment.guarded().ask(Person(Some(Answer::No)));
    let mut request = request("git tag");
    request.ask = Some(Arc::new(Person(Some(Answer::Yes))));
    let execution = host.build().unwrap().start(request).unwrap();
    let outcome = execution.outcome().await.unwrap();
    assert_eq!(outcome.ending, Ending::Exited(0));
}

#[tokio::test]
async fn a_call_can_be_cancelled_while_a_person_is_asked() {
    let deployment = Deployment::new(Fake::default());
    let host = deployment.guarded().ask(Person(None)).build().unwrap();
    let execution = host.start(request("git tag")).unwrap();
    execution.canceller().cancel();
    let outcome = execution.outcome().await.unwrap();
    assert_eq!(outcome.ending, Ending::Cancelled { shell: None });
    assert!(deployment.ran().is_empty());
}

/// Cancels the call that it is asked about, and gives up.
#[derive(Debug)]
struct Withdrawn(Mutex<Option<Canceller>>);

impl Ask for Withdrawn {
    fn ask<'a>(&'a self, _: Question<'a>) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            while self.0.lock().unwrap().is_none() {
                tokio::task::yield_now().await;
            }
            self.0.lock().unwrap().take().unwrap().cancel();
            Answer::Nobody("it was withdrawn".to_owned())
        })
    }
}

#[tokio::test]
async fn a_question_that_is_withdrawn_by_a_cancel_is_no_denial() {
    let deployment = Deployment::new(Fake::default());
    let host = deployment.guarded().build().unwrap();
    let withdrawn = Arc::new(Withdrawn(Mutex::default()));
    let mut request = request("git tag");
    request.ask = Some(withdrawn.clone());
    let execution = host.start(request).unwrap();
    *withdrawn.0.lock().unwrap() = Some(execution.canceller());
    let outcome = execution.outcome().await.unwrap();
    assert_eq!(outcome.ending, Ending::Cancelled { shell: None });
}

#[tokio::test]
async fn a_denial_is_not_asked_about() {
    let deployment = Deployment::new(Fake::default());
    let host = deployment.guarded().ask(Person(None)).build().unwrap();
    let execution = host.start(request("git tag; git push")).unwrap();
    let outcome = execution.outcome().await.unwrap();
    assert_eq!(outcome.ending.name(), "denied");
}

#[tokio::test]
async fn hooks_in_rust_stand_behind_the_others_of_their_stage() {
    let deployment = Deployment::new(Fake::default());
    let host = deployment
        .guarded()
        .guard("mine", |_: &Call, spawn: SpawnContext| {
            Err(Refusal::Deny(format!("not {}", spawn.command)))
        })
        .rewrite("louder", |_: &Call, mut spawn: SpawnContext| {
            spawn.command.push('!');
            Ok(spawn)
        });
    let execution = host.build().unwrap().start(request("echo")).unwrap();
    let outcome = execution.outcome().await.unwrap();
    let names: Vec<_> = outcome.hooks.iter().map(|hook| &*hook.name).collect();
    assert_eq!(names, ["louder", "no-push.wasm", "mine"]);
    let (hook, reason) = ("mine".to_owned(), "not echo!".to_owned());
    assert_eq!(outcome.ending, Ending::Denied { hook, reason });
    assert!(deployment.ran().is_empty());
}

#[test]
fn a_hook_in_rust_takes_no_name_that_is_taken() {
    let deployment = Deployment::new(Fake::default());
    let hook = |_: &Call, spawn: SpawnContext| Ok(spawn);
    let error = deployment.builder().guard("audit-log", hook).build();
    let Err(BuildError::Chain(error)) = error else {
        panic!("it was built");
    };
    assert!(error.to_string().contains("`audit-log`"), "{error}");
}
