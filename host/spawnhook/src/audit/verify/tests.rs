use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::thread;

use super::*;
use crate::audit::{AuditFile, Problem, Record, sha256_hex};
use crate::config::Audit;

fn record(call: &str, event: &'static str) -> Record {
    Record {
        call: call.into(),
        event,
        ending: (event == "exit").then_some("exited"),
        command_sha256: sha256_hex("true"),
        hook: "audit-log".into(),
        skipped: Vec::new(),
        changed: Vec::new(),
        refused_by: None,
        entry: Some(serde_json::json!({ "command": "true" })),
    }
}

/// A log in a folder of its own, with this rotation.
fn log(folder: &tempfile::TempDir, size: Option<u64>, keep: Option<u64>) -> AuditFile {
    let audit = Audit {
        rotate_size: size,
        rotate_keep: keep,
        ..Audit::at(folder.path().join("audit.jsonl"))
    };
    AuditFile::new(&audit).unwrap()
}

fn append(log: &AuditFile, count: usize) -> Vec<AuditHead> {
    let heads = (0..count).map(|_| log.append(&record("call", "spawn")).unwrap().head);
    heads.collect()
}

fn proof(path: &Path, head: Option<&AuditHead>) -> Proof {
    verify(LogFiles::open(path).unwrap(), head).unwrap().proof
}

#[track_caller]
fn assert_whole(path: &Path, head: &AuditHead, from: u64) {
    let expected = Proof::Whole {
        first: Some(from),
        head: Some(head.clone()),
        torn: 0,
        ends_torn: false,
    };
    assert_eq!(proof(path, Some(head)), expected);
}

fn files(path: &Path) -> Vec<String> {
    let paths = LogFiles::open(path).unwrap().paths();
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    paths.iter().map(name).collect()
}

#[test]
fn files_that_were_put_aside_are_one_chain_with_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, Some(500), None);
    let heads = append(&log, 6);
    assert_eq!(
        files(log.path()),
        [
            "audit.jsonl.000000000002",
            "audit.jsonl.000000000004",
            "audit.jsonl"
        ]
    );
    for head in &heads {
        assert!(matches!(
            proof(log.path(), Some(head)),
            Proof::Whole { first: Some(1), .. }
        ));
    }
    assert_whole(log.path(), &heads[5], 1);
}

#[test]
fn a_fault_is_told_with_its_file_and_the_line_there() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, Some(500), None);
    append(&log, 6);
    let second = folder.path().join("audit.jsonl.000000000004");
    let text = fs::read_to_string(&second).unwrap();
    let at = text.rfind("true").unwrap();
    fs::write(&second, format!("{}false{}", &text[..at], &text[at + 4..])).unwrap();
    let expected = Proof::Tampered {
        fault: Fault {
            line: 4,
            problem: Problem::Changed,
        },
        file: second,
        line_in_file: 2,
    };
    assert_eq!(proof(log.path(), None), expected);
}

#[test]
fn a_file_that_is_gone_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, Some(500), None);
    append(&log, 6);
    for (name, from, to) in [
        ("audit.jsonl.000000000004", 3, 4),
        ("audit.jsonl.000000000002", 1, 4),
    ] {
        fs::remove_file(folder.path().join(name)).unwrap();
        let Proof::Tampered { fault, .. } = proof(log.path(), None) else {
            panic!("{name} is missing");
        };
        let problem = Problem::Missing { from, to };
        assert_eq!(
            fault,
            Fault {
                line: from,
                problem
            }
        );
    }
}

#[test]
fn as_many_files_are_kept_as_the_config_says() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, Some(1), Some(2));
    let heads = append(&log, 5);
    assert_eq!(
        files(log.path()),
        [
            "audit.jsonl.000000000003",
            "audit.jsonl.000000000004",
            "audit.jsonl"
        ]
    );
    assert_whole(log.path(), &heads[4], 3);
    // What was removed beyond that is missed.
    fs::remove_file(folder.path().join("audit.jsonl.000000000003")).unwrap();
    let Proof::Tampered { fault, .. } = proof(log.path(), None) else {
        panic!("record 3 is missing");
    };
    assert_eq!(fault.problem, Problem::Missing { from: 3, to: 3 });
}

#[test]
fn of_a_head_that_was_removed_nothing_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, Some(1), Some(1));
    let heads = append(&log, 5);
    let check = |head| verify(LogFiles::open(log.path()).unwrap(), Some(head));
    assert!(check(&heads[2]).is_ok());
    let error = check(&heads[1]).unwrap_err().to_string();
    insta::assert_snapshot!(error, @"the head is record 2, and the log begins with record 4, since older files were removed; give a later head");
}

#[test]
fn a_log_that_was_put_aside_just_now_is_read_without_its_successor() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, None, None);
    let heads = append(&log, 2);
    fs::rename(log.path(), folder.path().join("audit.jsonl.000000000002")).unwrap();
    assert_whole(log.path(), &heads[1], 1);
    let heads = append(&log, 1);
    assert_eq!(heads[0].seq, 3);
    assert_whole(log.path(), &heads[0], 1);
}

#[test]
fn what_was_torn_is_told_and_the_chain_goes_on_behind_it_even_in_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let tear = |seq: u64, newline: &str| {
        let mut file = OpenOptions::new()
            .append(true)
            .open(folder.path().join("audit.jsonl"))
            .unwrap();
        write!(file, "{newline}{{\"seq\":{seq},\"time\":\"20").unwrap();
    };
    append(&log(&folder, None, None), 2);
    tear(3, "");
    let torn = |torn, ends_torn| {
        let Proof::Whole {
            torn: found,
            ends_torn: ends,
            ..
        } = proof(&folder.path().join("audit.jsonl"), None)
        else {
            panic!("a crash is no tampering");
        };
        assert_eq!((found, ends), (torn, ends_torn));
    };
    torn(1, true);
    // Another writer that died after it had ended the line of the first.
    tear(4, "\n");
    torn(2, true);
    let log = log(&folder, Some(1), None);
    assert_eq!(append(&log, 2)[1].seq, 6);
    torn(2, false);
    fs::write(log.path(), "{\"seq\":6,").unwrap();
    assert_eq!(append(&log, 1)[0].seq, 7);
    torn(3, false);
}

#[test]
fn commands_without_an_exit_are_told_and_are_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, None, None);
    for (call, event) in [
        ("a", "spawn"),
        ("b", "spawn"),
        ("b", "exit"),
        ("c", "spawn"),
    ] {
        log.append(&record(call, event)).unwrap();
    }
    let verdict = verify(LogFiles::open(log.path()).unwrap(), None).unwrap();
    let calls: Vec<_> = verdict
        .unended
        .iter()
        .map(|command| &*command.call)
        .collect();
    assert_eq!((calls, verdict.unended_count), (vec!["a", "c"], 2));
    assert!(matches!(verdict.proof, Proof::Whole { .. }));
}

#[test]
fn writers_side_by_side_that_rotate_at_every_record_make_one_chain() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, Some(1), None);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| append(&log, 20));
        }
        // Readers see a whole chain at any moment.
        scope.spawn(|| {
            for _ in 0..20 {
                if log.path().exists() {
                    assert!(matches!(proof(log.path(), None), Proof::Whole { .. }));
                }
            }
        });
    });
    let verdict = verify(LogFiles::open(log.path()).unwrap(), None).unwrap();
    assert_eq!((verdict.lines, verdict.files.len()), (160, 160));
    assert!(matches!(verdict.proof, Proof::Whole { first: Some(1), .. }));
}

#[test]
fn a_line_of_any_length_takes_no_more_memory_than_a_record() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(&folder, None, None);
    append(&log, 1);
    let mut file = OpenOptions::new().append(true).open(log.path()).unwrap();
    file.write_all(&vec![b'x'; 9 << 20]).unwrap();
    let lines: Vec<_> = LogFiles::open(log.path())
        .unwrap()
        .lines()
        .map(Result::unwrap)
        .collect();
    assert_eq!(lines[1].text.len(), 4 << 20);
    assert_eq!(lines[1].hash, sha256_hex(vec![b'x'; 9 << 20]));
    assert!(matches!(proof(log.path(), None), Proof::Tampered { .. }));
}

#[test]
fn a_log_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = LogFiles::open(&folder.path().join("none.jsonl")).unwrap_err();
    assert!(error.to_string().ends_with("none.jsonl"), "{error}");
    assert!(LogFiles::open(folder.path()).is_err());
}

#[test]
fn a_head_is_a_number_and_64_hex_digits() {
    let hash = "AB".repeat(32);
    let head = parse_head(&format!("7:{hash}")).unwrap();
    assert_eq!((head.seq, head.hash), (7, hash.to_lowercase()));
    for bad in [
        "7".to_owned(),
        format!("0:{hash}"),
        format!("7:{hash}0"),
        format!("x:{hash}"),
        "7:zz".to_owned(),
    ] {
        assert_eq!(parse_head(&bad), Err(HeadError), "{bad}");
    }
}
