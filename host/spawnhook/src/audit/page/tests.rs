use proptest::prelude::*;

use super::*;
use crate::audit::command::Command;
use crate::audit::{ChangedBy, Fault, Problem};

fn verdict(proof: Proof) -> Verdict {
    Verdict {
        files: Vec::new(),
        lines: 0,
        proof,
        unended: Vec::new(),
        unended_count: 0,
    }
}

fn whole() -> Verdict {
    verdict(Proof::Whole {
        first: None,
        head: None,
        torn: 0,
        ends_torn: false,
    })
}

fn drawn(commands: Vec<Command>) -> String {
    let mut summary = Summary::default();
    for command in commands {
        summary.push(command);
    }
    page("audit.jsonl", &summary, &whole(), Timestamp::UNIX_EPOCH)
}

/// A command with `text` wherever a log can have text.
fn full(text: &str) -> Command {
    Command {
        call: text.into(),
        started: Some(Timestamp::UNIX_EPOCH),
        ended: Some(Timestamp::UNIX_EPOCH),
        ending: Some(text.into()),
        reason: Some(text.into()),
        refused_by: Some(text.into()),
        duration_ms: Some(5),
        command: Some(format!("{text}\n{text}")),
        requested: Some(text.into()),
        cwd: Some(text.into()),
        origin: Some(text.into()),
        session: [(text.into(), text.into())].into(),
        changed: vec![ChangedBy {
            hook: text.into(),
            fields: vec![text.to_owned().into(), "command".into()],
        }],
        ..Command::default()
    }
}

#[test]
fn nothing_of_a_log_is_anything_but_text() {
    let mut denied =
        full("</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u{202e}");
    let page = drawn(vec![denied.clone()]);
    denied.ending = Some("denied".into());
    for page in [page, drawn(vec![denied])] {
        assert_eq!(page.matches("<script").count(), 1, "ours");
        assert_eq!(page.matches("</script").count(), 1, "ours");
        assert_eq!(page.matches("<img").count(), 0);
        assert!(!page.contains('\u{202e}'), "it turns the order of letters");
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    }
}

#[test]
fn the_script_is_the_one_that_the_page_lets_run() {
    let page = drawn(Vec::new());
    let (_, rest) = page.split_once("script-src 'sha256-").unwrap();
    let (digest, _) = rest.split_once('\'').unwrap();
    let (_, rest) = page.split_once("<script>").unwrap();
    let (script, _) = rest.split_once("</script>").unwrap();
    assert_eq!(
        BASE64_STANDARD.decode(digest).unwrap(),
        Sha256::digest(script).to_vec()
    );
}

#[test]
fn nothing_is_fetched() {
    let page = drawn(vec![full("ls")]);
    for what in ["http://", "https://", "src=", "@import", "url(", "href="] {
        assert!(!page.contains(what), "{what}");
    }
}

#[test]
fn a_log_that_was_tampered_with_says_so_first() {
    let verdict = verdict(Proof::Tampered {
        fault: Fault {
            line: 7,
            problem: Problem::Changed,
        },
        file: "audit.jsonl".into(),
        line_in_file: 7,
    });
    let page = page(
        "audit.jsonl",
        &Summary::default(),
        &verdict,
        Timestamp::UNIX_EPOCH,
    );
    assert!(page.contains("The log was tampered with"));
    assert!(page.contains("Line 7: it was changed"));
    assert!(!page.contains("The log is whole"));
}

#[test]
fn thousands_are_set_apart() {
    for (value, text) in [
        (0, "0"),
        (999, "999"),
        (1000, "1\u{2009}000"),
        (1_234_567, "1\u{2009}234\u{2009}567"),
    ] {
        assert_eq!(number(value), text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_a_log_says_adds_no_element(text in "[<>&\"'/=a-z \u{202e}\u{0}]{0,12}") {
        let plain = drawn(vec![full("plain")]);
        let page = drawn(vec![full(&text)]);
        for tag in ["<script", "<style", "<img", "<a ", "<section", "<tr"] {
            prop_assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{}", tag);
        }
    }
}
