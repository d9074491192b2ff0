use std::os::unix::fs::PermissionsExt as _;
use std::thread;

use super::*;
use crate::causes::one_line;

fn record(text: &str) -> Record {
    Record::of_spawn("call", text)
}

fn log(folder: &tempfile::TempDir) -> AuditFile {
    log_at(folder.path().join("state/audit.jsonl"))
}

fn log_at(path: PathBuf) -> AuditFile {
    AuditFile::new(&config::Audit::at(path)).unwrap()
}

/// Checks number and hash of every line, apart from the code that wrote them.
fn assert_chain(path: &Path) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let mut prev = "0".repeat(64);
    for (index, line) in text.lines().enumerate() {
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(line) {
            assert_eq!(value["seq"], index as u64 + 1, "{line}");
            assert_eq!(value["prev"], prev, "{line}");
        }
        prev = sha256_hex(line);
    }
    text.lines().count()
}

#[test]
fn records_are_numbered_and_chained() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder);
    for text in ["one", "two\nlines", "drei 🦀"] {
        log.append(&record(text)).unwrap();
    }
    assert_eq!(assert_chain(log.path()), 3);
}

#[test]
fn the_head_is_number_and_hash_of_the_last_line() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder);
    log.append(&record("one")).unwrap();
    let head = log.append(&record("two")).unwrap().head;
    let text = fs::read_to_string(log.path()).unwrap();
    assert_eq!(head.seq, 2);
    assert_eq!(head.hash, sha256_hex(text.lines().last().unwrap()));
}

#[test]
fn the_log_is_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder);
    log.append(&record("one")).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(log.path()), 0o600);
    assert_eq!(mode(log.path().parent().unwrap()), 0o700);
}

#[test]
fn lines_longer_than_a_step_are_followed_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder);
    let step = usize::try_from(tail::BACKWARD_STEP).unwrap();
    for length in [step - 1, step, step + 1, 5 * step, 1] {
        log.append(&record(&"x".repeat(length))).unwrap();
    }
    assert_eq!(assert_chain(log.path()), 5);
}

#[test]
fn a_torn_last_line_stays_and_the_chain_goes_on_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder);
    log.append(&record("one")).unwrap();
    let mut file = OpenOptions::new().append(true).open(log.path()).unwrap();
    file.write_all(br#"{"seq":2,"time":"20"#).unwrap();
    let head = log.append(&record("three")).unwrap().head;
    assert_eq!(head.seq, 3);
    assert_eq!(assert_chain(log.path()), 3);
}

#[test]
fn a_log_that_was_moved_away_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder);
    log.append(&record("one")).unwrap();
    fs::rename(log.path(), folder.path().join("old.jsonl")).unwrap();
    assert_eq!(log.append(&record("two")).unwrap().head.seq, 1);
    assert_chain(log.path());
}

#[test]
fn writers_side_by_side_make_one_chain() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder);
    thread::scope(|scope| {
        for writer in 0..8 {
            let log = log.clone();
            scope.spawn(move || {
                for number in 0..20 {
                    log.append(&record(&format!("{writer}/{number}"))).unwrap();
                }
            });
        }
    });
    assert_eq!(assert_chain(log.path()), 160);
}

#[test]
fn what_is_no_file_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_at(folder.path().to_owned());
    let text = one_line(&log.append(&record("one")).unwrap_err());
    assert!(text.starts_with("cannot open the audit log "), "{text}");
}

#[test]
fn only_an_object_of_text_has_a_number() {
    assert_eq!(number(br#"{"seq":5,"entry":{}}"#), Some(5));
    for other in [
        &b"[5]"[..],
        b"5",
        b"",
        br#"{"seq":-5}"#,
        br#"{"seq":"5"}"#,
        br#"{"seq":5"#,
        b"{\"seq\":5,\"entry\":\"\xff\"}",
    ] {
        assert_eq!(number(other), None, "{}", other.escape_ascii());
    }
}

#[test]
fn nobody_is_waited_for_where_a_record_has_to_be_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder);
    let appended = log.append_at_once(&record("one")).unwrap().unwrap();
    assert_eq!(appended.head.seq, 1);
    let file = File::open(log.path()).unwrap();
    file.lock().unwrap();
    assert!(log.append_at_once(&record("two")).is_none());
    file.unlock().unwrap();
    assert_eq!(
        log.append_at_once(&record("two"))
            .unwrap()
            .unwrap()
            .head
            .seq,
        2
    );
    let flushed = AuditFile {
        flush: true,
        ..log.clone()
    };
    assert!(flushed.append_at_once(&record("three")).is_none());
    assert_eq!(assert_chain(log.path()), 2);
}
