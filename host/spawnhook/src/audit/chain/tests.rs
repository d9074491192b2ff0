use super::*;
use crate::audit::entry::Entry;
use crate::audit::record::{Line, Record, sha256_hex};

mod properties;

/// A log from record `first` on, a line with its newline each.
fn log(texts: &[String], first: u64) -> Vec<String> {
    let mut prev = match first {
        1 => GENESIS.to_owned(),
        _ => sha256_hex("what was removed"),
    };
    let mut lines = Vec::new();
    for (text, seq) in texts.iter().zip(first..) {
        let record = Record::of_spawn(&format!("call-{seq}"), text);
        let line = serde_json::to_string(&Line::new(&record, seq, &prev, None)).unwrap();
        prev = sha256_hex(&line);
        lines.push(line + "\n");
    }
    lines
}

fn head(lines: &[String]) -> AuditHead {
    let seq = lines
        .last()
        .and_then(|line| Entry::parse(line.trim_end().as_bytes()));
    AuditHead {
        seq: seq.unwrap().seq,
        hash: sha256_hex(lines.last().unwrap().trim_end()),
    }
}

fn check_from(
    content: &[u8],
    oldest: Option<u64>,
    head: Option<&AuditHead>,
) -> Result<Whole, Fault> {
    let mut chain = Chain::new(head.cloned(), oldest);
    for line in content.split_inclusive(|byte| *byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let entry = Entry::parse(text);
        chain.push(Link {
            text,
            hash: &sha256_hex(text),
            record: entry.as_ref().map(|entry| (entry.seq, entry.prev.as_str())),
        })?;
    }
    chain.finish()
}

fn check(lines: &[String], head: Option<&AuditHead>) -> Result<Whole, Fault> {
    check_from(lines.concat().as_bytes(), None, head)
}

fn line_of(found: Result<Whole, Fault>) -> Option<u64> {
    found.err().map(|fault| fault.line)
}

#[test]
fn an_untouched_log_is_whole() {
    let lines = log(&["a".into(), "b".into()], 1);
    let whole = check(&lines, Some(&head(&lines))).unwrap();
    assert_eq!(whole.first, Some(1));
    assert_eq!(whole.last, Some(head(&lines)));
    assert_eq!((whole.torn, whole.ends_torn), (0, false));
    assert_eq!(check(&[], None).unwrap().last, None);
}

#[test]
fn a_head_of_an_earlier_record_is_found_as_well() {
    let lines = log(&["a".into(), "b".into(), "c".into()], 1);
    assert!(check(&lines, Some(&head(&lines[..2]))).is_ok());
}

#[test]
fn a_log_that_was_written_anew_has_another_head() {
    let before = log(&["a".into(), "b".into()], 1);
    let anew = log(&["x".into(), "b".into(), "c".into()], 1);
    let found = check(&anew, Some(&head(&before)));
    let problem = Problem::NotTheHead;
    assert_eq!(found, Err(Fault { line: 2, problem }));
}

#[test]
fn a_log_may_begin_later_where_a_record_says_so_and_not_elsewhere() {
    let lines = log(&["a".into(), "b".into(), "c".into()], 7);
    let content = lines.concat();
    let whole = check_from(content.as_bytes(), Some(7), None).unwrap();
    assert_eq!(whole.first, Some(7));
    // A crash may have kept them.
    assert!(check_from(content.as_bytes(), Some(9), None).is_ok());
    let missing = |from| Problem::Missing { from, to: 6 };
    for (oldest, from) in [(None, 1), (Some(6), 6)] {
        let found = check_from(content.as_bytes(), oldest, None);
        let problem = missing(from);
        assert_eq!(
            found,
            Err(Fault {
                line: from,
                problem
            })
        );
    }
}

#[test]
fn a_head_right_before_the_first_record_is_compared_and_an_older_one_is_not() {
    let lines = log(&["a".into()], 7);
    let head = |seq, text: &str| AuditHead {
        seq,
        hash: sha256_hex(text),
    };
    let check = |head| check_from(lines[0].as_bytes(), Some(7), Some(&head));
    assert!(!check(head(6, "what was removed")).unwrap().head_is_older);
    assert_eq!(line_of(check(head(6, "another"))), Some(7));
    assert!(check(head(5, "anything")).unwrap().head_is_older);
}

#[test]
fn what_only_looks_like_a_torn_line_is_no_record() {
    let lines = log(&["a".into()], 1);
    for text in [
        "",
        "garbage",
        r#"{"seq":3,"time":"2"#,
        r#"{"seq":2}"#,
        r#"{"seq":2,"time":5"#,
    ] {
        let content = lines.concat() + text + "\n";
        let found = check_from(content.as_bytes(), None, None);
        let problem = Problem::NoRecord;
        assert_eq!(found, Err(Fault { line: 2, problem }), "{text:?}");
    }
}

fn chain_on(texts: &[String], first: u64, prev: String) -> Vec<String> {
    let mut prev = prev;
    let mut lines = Vec::new();
    for (text, seq) in texts.iter().zip(first..) {
        let line = &log(std::slice::from_ref(text), seq)[0];
        let before = Entry::parse(line.trim_end().as_bytes()).unwrap().prev;
        let line = line.replace(&before, &prev);
        prev = sha256_hex(line.trim_end());
        lines.push(line);
    }
    lines
}
