//! Commands that somebody else is going to run.

use super::*;

/// A host with the guard of the tests, and the records of its audit log.
struct Reviewer {
    host: Host,
    _deployment: Deployment,
}

impl Reviewer {
    fn new() -> Self {
        let deployment = Deployment::new(Fake::default());
        let host = deployment.guarded().build().unwrap();
        Self {
            host,
            _deployment: deployment,
        }
    }

    async fn review(&self, command: &str) -> Review {
        let request = ExecRequest::new(command, Origin::Agent("test".to_owned()));
        self.host.review(request).await.unwrap()
    }

    /// Event and ending of every record.
    fn records(&self) -> Vec<String> {
        let log = std::fs::read_to_string(&self.host.config().audit.path).unwrap_or_default();
        let records = log.lines().map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{} {}", record["event"], record["ending"])
        });
        records.collect()
    }
}

#[tokio::test]
async fn a_command_that_is_handed_over_has_one_record() {
    let reviewer = Reviewer::new();
    let review = reviewer.review("ls").await;
    assert!(review.refusal().is_none());
    assert_eq!(reviewer.records().len(), 0, "nothing is decided yet");
    review.hand_over().await.unwrap();
    assert_eq!(reviewer.records(), ["\"handed-over\" null"]);
}

#[tokio::test]
async fn a_refusal_is_recorded_once_whoever_speaks_it_again() {
    let reviewer = Reviewer::new();
    let review = reviewer.review("git push").await;
    let refusal = review.refusal().cloned().unwrap();
    let again = review.refuse("front end", "no".to_owned()).await;
    assert_eq!(again, refusal);
    assert_eq!(reviewer.records(), ["\"refused\" \"denied\""]);
    assert!(reviewer.review("git push").await.hand_over().await.is_err());
    assert!(reviewer.review("git push").await.settle().is_err());
    assert_eq!(reviewer.records().len(), 3);
}

#[tokio::test]
async fn a_review_is_refused_by_who_asked_for_it() {
    let reviewer = Reviewer::new();
    let review = reviewer.review("git tag").await;
    assert_eq!(review.questions().len(), 1);
    let ending = review
        .refuse("front end", "nobody can ask".to_owned())
        .await;
    assert_eq!(ending.name(), "denied");
    assert_eq!(reviewer.records(), ["\"refused\" \"denied\""]);
}

#[tokio::test]
async fn what_was_settled_elsewhere_is_guarded_and_run_as_it_stands() {
    let deployment = Deployment::new(Fake::default());
    let host = deployment.guarded().build().unwrap();
    for (command, ending) in [("set -e\nls", "exited"), ("set -e\ngit push", "denied")] {
        let mut settled = host.review(request("ls")).await.unwrap().settle().unwrap();
        settled.spawn.command = command.to_owned();
        let mut request = request(command);
        request.ticket = Some(Ok(Box::new(settled.clone())));
        let outcome = host.start(request).unwrap().outcome().await.unwrap();
        assert_eq!(outcome.ending.name(), ending);
        assert_eq!(outcome.call.id, settled.call);
        assert_eq!(outcome.call.requested, "ls");
    }
    assert_eq!(deployment.ran(), ["set -e\nls"]);
}
