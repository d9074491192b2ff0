use std::fs;

use arbitrary::{Result, Unstructured};
use spawnhook_model::AuditHead;

use crate::audit::{AuditFile, Record, number, sha256_hex};
use crate::config;

/// Records that are appended to a file of anything stay a chain, each with the number of its line
/// or the one after the last number found, and nothing that was there is touched.
pub fn audit(bytes: &[u8]) {
    let Ok(before) = content(&mut Unstructured::new(bytes)) else {
        return;
    };
    let folder = tempfile::tempdir().expect("/tmp is writable");
    let path = folder.path().join("audit.jsonl");
    fs::write(&path, &before).expect("the folder of the fuzzer is writable");
    let log = AuditFile::new(&config::Audit::at(path.clone()));
    let log = log.expect("this durability keeps a log");
    let expected = next(&before);
    let heads = [(); 2].map(|()| log.append(&record()).expect("the file is writable").head);
    let after = fs::read(&path).expect("it was written");
    assert_appended(&before, &after, &expected, &heads);
}

/// A file that may end in whatever a crash, an editor or another program leaves.
fn content(bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    while !bytes.is_empty() {
        match bytes.int_in_range(0..=4)? {
            0 => content.extend(format!("{{\"seq\":{}}}", bytes.arbitrary::<u64>()?).bytes()),
            1 => content.push(b'\n'),
            2 => content.extend(bytes.arbitrary::<&[u8]>()?),
            // Around the steps in which the file is read from its end.
            3 => content.extend(vec![b'x'; bytes.int_in_range(16_370..=16_400)?]),
            _ => content.extend(b"{\"seq\":1,\"entry\":{}}\n"),
        }
        if content.len() > 1 << 17 {
            break;
        }
    }
    Ok(content)
}

fn record() -> Record {
    Record {
        call: "call".to_owned(),
        event: "spawn",
        ending: None,
        command_sha256: sha256_hex("true"),
        hook: "audit-log".to_owned(),
        skipped: Vec::new(),
        changed: Vec::new(),
        refused_by: None,
        entry: Some(serde_json::json!({ "text": "two\nlines" })),
    }
}

/// The number and the `prev` of the next record.
fn next(content: &[u8]) -> (u64, String) {
    let lines = lines(content);
    let last = lines.last().map_or_else(|| "0".repeat(64), sha256_hex);
    let found = lines.iter().enumerate().rev().find_map(|(index, line)| {
        let seq = number(line)?;
        Some(seq.saturating_add((lines.len() - index) as u64))
    });
    (found.unwrap_or(lines.len() as u64 + 1), last)
}

fn lines(content: &[u8]) -> Vec<&[u8]> {
    let whole = content.strip_suffix(b"\n").unwrap_or(content);
    match content {
        [] => Vec::new(),
        _ => whole.split(|byte| *byte == b'\n').collect(),
    }
}

fn assert_appended(
    before: &[u8],
    after: &[u8],
    (seq, prev): &(u64, String),
    heads: &[AuditHead; 2],
) {
    let torn = !before.is_empty() && !before.ends_with(b"\n");
    assert!(after.starts_with(before));
    assert!(after.ends_with(b"\n"));
    let added = &after[before.len() + usize::from(torn)..];
    let added = lines(added);
    assert_eq!(added.len(), 2, "a record is one line");
    let prevs = [prev.as_str(), &heads[0].hash];
    for (index, (line, prev)) in added.iter().zip(prevs).enumerate() {
        let record: serde_json::Value = serde_json::from_slice(line).expect("a record is JSON");
        let seq = seq.saturating_add(index as u64);
        assert_eq!(
            (&record["seq"], &record["prev"]),
            (&seq.into(), &prev.into())
        );
        assert_eq!(
            (heads[index].seq, &heads[index].hash),
            (seq, &sha256_hex(line))
        );
    }
}
