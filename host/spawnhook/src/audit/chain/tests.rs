use proptest::prelude::*;

use super::*;
use crate::audit::entry::Entry;
use crate::audit::record::{Line, Record, sha256_hex};

/// A log from record `first` on, a line with its newline each.
fn log(texts: &[String], first: u64) -> Vec<String> {
    let mut prev = match first {
        1 => GENESIS.to_owned(),
        _ => sha256_hex("what was removed"),
    };
    let mut lines = Vec::new();
    for (text, seq) in texts.iter().zip(first..) {
        let record = Record {
            call: format!("call-{seq}"),
            event: "spawn",
            ending: None,
            command_sha256: sha256_hex(text),
            hook: "audit-log".into(),
            skipped: Vec::new(),
            changed: Vec::new(),
            refused_by: None,
            entry: Some(serde_json::json!({ "command": text })),
        };
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

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[ -~é\n🦀]{0,12}", 2..7)
}

/// A log, and two different positions in it, the lower one first.
fn log_with_two() -> impl Strategy<Value = (Vec<String>, usize, usize)> {
    (
        texts(),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(texts, one, other)| {
            let lower = one.index(texts.len() - 1);
            let upper = lower + 1 + other.index(texts.len() - 1 - lower);
            (log(&texts, 1), lower, upper)
        })
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_byte_that_is_another_is_found_in_its_line(texts in texts(), flip in 1..=255_u8) {
        let lines = log(&texts, 1);
        let head = head(&lines);
        let content = lines.concat().into_bytes();
        let mut line = 1;
        for position in 0..content.len() {
            let mut flipped = content.clone();
            flipped[position] ^= flip;
            prop_assert_eq!(line_of(check_from(&flipped, None, Some(&head))), Some(line), "byte {}", position);
            if line < lines.len() as u64 {
                prop_assert_eq!(line_of(check_from(&flipped, None, None)), Some(line), "byte {}", position);
            }
            line += u64::from(content[position] == b'\n');
        }
    }

    #[test]
    fn any_byte_is_found_where_older_records_were_removed(texts in texts(), first in 2..2000_u64, flip in 1..=255_u8) {
        let lines = log(&texts, first);
        let head = head(&lines);
        let content = lines.concat().into_bytes();
        let mut line = first;
        for position in 0..content.len() {
            let mut flipped = content.clone();
            flipped[position] ^= flip;
            let found = line_of(check_from(&flipped, Some(first), Some(&head)));
            // What number the first line has, nothing but the line itself tells.
            let is_right = found == Some(line) || line == first && found.is_some_and(|found| found < first);
            prop_assert!(is_right, "byte {}: {:?}", position, found);
            line += u64::from(content[position] == b'\n');
        }
    }

    #[test]
    fn lines_that_changed_places_are_found_at_the_first((mut lines, lower, upper) in log_with_two()) {
        lines.swap(lower, upper);
        prop_assert_eq!(line_of(check(&lines, None)), Some(lower as u64 + 1));
    }

    #[test]
    fn a_line_that_was_moved_is_found_where_it_first_matters((mut lines, lower, upper) in log_with_two(), down: bool) {
        let (from, to) = if down { (lower, upper) } else { (upper, lower) };
        let line = lines.remove(from);
        lines.insert(to, line);
        prop_assert_eq!(line_of(check(&lines, None)), Some(lower as u64 + 1));
    }

    #[test]
    fn lines_that_were_removed_are_named((mut lines, lower, upper) in log_with_two()) {
        let head = head(&lines);
        lines.drain(lower..upper);
        let (from, to) = (lower as u64 + 1, upper as u64);
        let found = check(&lines, None);
        prop_assert_eq!(found, Err(Fault { line: from, problem: Problem::Missing { from, to } }));
        prop_assert_eq!(line_of(check(&lines, Some(&head))), Some(from));
    }

    #[test]
    fn a_log_that_was_cut_is_found_by_its_head((mut lines, lower, _) in log_with_two(), all: bool) {
        let head = head(&lines);
        lines.truncate(if all { 0 } else { lower + 1 });
        prop_assert!(check(&lines, None).is_ok());
        let line = lines.len() as u64 + 1;
        let problem = Problem::Cut { head: head.seq };
        prop_assert_eq!(check(&lines, Some(&head)), Err(Fault { line, problem }));
    }

    #[test]
    fn a_copy_is_found_where_it_stands((mut lines, lower, upper) in log_with_two()) {
        lines.insert(upper, lines[lower].clone());
        let (line, problem) = (upper as u64 + 1, Problem::Moved(lower as u64 + 1));
        prop_assert_eq!(check(&lines, None), Err(Fault { line, problem }));
    }

    #[test]
    fn lines_that_were_forged_to_fit_are_found_at_the_first((mut lines, lower, _) in log_with_two(), texts in texts()) {
        let prev = lower.checked_sub(1).map_or(GENESIS.to_owned(), |before| sha256_hex(lines[before].trim_end()));
        let forged = chain_on(&texts, lower as u64 + 1, prev);
        lines.splice(lower..lower, forged);
        prop_assert_eq!(line_of(check(&lines, None)), Some(lower as u64 + 1));
    }

    #[test]
    fn a_line_that_was_torn_anywhere_is_no_tampering(texts in texts(), at: prop::sample::Index, nul in 0..3_usize, after: bool) {
        let mut lines = log(&texts, 1);
        let count = lines.len() as u64;
        let mut content = lines.pop().unwrap().into_bytes();
        content.truncate(at.index(content.len() - 2) + 1);
        content.extend(vec![0; nul]);
        let torn = content.clone();
        let mut content = [lines.concat().into_bytes(), content].concat();
        if after {
            let next = chain_on(&["next".into()], count + 1, sha256_hex(&torn));
            content.push(b'\n');
            content.extend(next.concat().bytes());
        }
        let whole = check_from(&content, None, None);
        let whole = whole.map_err(|fault| TestCaseError::fail(format!("{fault:?}")))?;
        prop_assert_eq!((whole.torn, whole.ends_torn), (1, !after));
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
