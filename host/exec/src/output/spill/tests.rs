use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use tempfile::TempDir;

use super::*;
use crate::output::retention::RETENTION;

const QUOTA: Most = Most {
    bytes: 100,
    named: "its quota",
};

fn options(directory: &TempDir, quota_bytes: u64) -> SpillOptions {
    SpillOptions {
        directory: directory.path().to_owned(),
        quota_bytes,
    }
}

#[test]
fn the_file_is_named_for_the_program_and_readable_by_nobody_else() {
    let directory = TempDir::new().unwrap();
    let mut spill = Spill::create(&options(&directory, 100));
    spill.write(b"a\0\xff");
    spill.write(b"b");
    let path = spill.path().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let hex = name
        .strip_prefix("spawnhook-")
        .unwrap()
        .strip_suffix(".log")
        .unwrap();
    assert!(hex.len() == 16 && hex.bytes().all(|digit| digit.is_ascii_hexdigit()));
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read(path).unwrap(), b"a\0\xffb");
    assert_eq!(spill.notice(), None);
}

#[test]
fn a_new_file_takes_the_place_of_those_of_the_day_before() {
    let directory = TempDir::new().unwrap();
    let old = directory.path().join(file_name(1));
    let file = File::create(&old).unwrap();
    file.set_modified(SystemTime::now() - 2 * RETENTION)
        .unwrap();
    let mut spill = Spill::create(&options(&directory, 100));
    spill.write(b"x");
    assert!(!old.exists());
    assert_eq!(fs::read(spill.path().unwrap()).unwrap(), b"x");
}

#[test]
fn a_link_that_was_planted_is_not_followed() {
    let directory = TempDir::new().unwrap();
    let target = directory.path().join("target");
    fs::write(&target, "precious").unwrap();
    let planted = |name: u64| directory.path().join(format!("spawnhook-{name:016x}.log"));
    symlink(&target, planted(1)).unwrap();
    symlink(directory.path().join("nowhere"), planted(2)).unwrap();
    let mut spill = Spill::create_named(directory.path(), QUOTA, [Ok(1), Ok(2), Ok(3)].into_iter());
    spill.write(b"x");
    assert_eq!(spill.path(), Some(&*planted(3)));
    assert_eq!(fs::read(&target).unwrap(), b"precious");
    assert!(!directory.path().join("nowhere").exists());
}

#[test]
fn names_that_are_all_taken_cost_the_file() {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("spawnhook-0000000000000001.log"), "").unwrap();
    let mut spill = Spill::create_named(directory.path(), QUOTA, [Ok(1), Ok(1)].into_iter());
    spill.write(b"x");
    assert_eq!(spill.path(), None);
    let notice = spill.notice().unwrap();
    assert!(notice.ends_with("File exists (os error 17)."), "{notice}");
}

#[test]
fn a_missing_directory_costs_the_file_and_is_told() {
    let directory = PathBuf::from("/no/such/directory");
    let mut spill = Spill::create(&SpillOptions {
        directory,
        quota_bytes: 1,
    });
    spill.write(b"x");
    assert_eq!(spill.path(), None);
    insta::assert_snapshot!(spill.notice().unwrap(), @"The full output could not be kept in /no/such/directory: No such file or directory (os error 2).");
}

#[test]
fn the_quota_costs_the_rest_and_is_told() {
    let directory = TempDir::new().unwrap();
    let mut spill = Spill::create(&options(&directory, 5));
    for bytes in [&b"abc"[..], b"def", b"ghi"] {
        spill.write(bytes);
    }
    let path = spill.path().unwrap();
    assert_eq!(fs::read(path).unwrap(), b"abcde");
    let expected = format!(
        "The full output in {} ends after 5 bytes: its quota is 5 bytes.",
        path.display()
    );
    assert_eq!(spill.notice(), Some(&*expected));
}

#[test]
fn a_lower_limit_of_the_process_costs_the_rest_and_is_told() {
    let directory = TempDir::new().unwrap();
    let most = Most::new(100, Some(2));
    let mut spill = Spill::create_named(directory.path(), most, [Ok(1)].into_iter());
    spill.write(b"abc");
    let path = spill.path().unwrap();
    assert_eq!(fs::read(path).unwrap(), b"ab");
    let expected = format!(
        "The full output in {} ends after 2 bytes: the limit of this process for the size of a \
         file (ulimit -f) is 2 bytes.",
        path.display()
    );
    assert_eq!(spill.notice(), Some(&*expected));
    assert_eq!(Most::new(100, Some(101)).bytes, 100);
}

#[test]
fn an_output_of_exactly_the_quota_is_whole() {
    let directory = TempDir::new().unwrap();
    let mut spill = Spill::create(&options(&directory, 5));
    spill.write(b"abcde");
    spill.write(b"");
    assert_eq!(spill.notice(), None);
}

#[test]
fn a_full_disk_costs_the_file_and_leaves_none_behind() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("file");
    fs::write(&path, "").unwrap();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut spill = Spill::to_file(QUOTA, path.clone(), full);
    spill.write(b"x");
    spill.write(b"y");
    assert_eq!(spill.path(), None);
    let expected = format!(
        "The full output could not be kept in {}: No space left on device (os error 28).",
        path.display()
    );
    assert_eq!(spill.notice(), Some(&*expected));
    assert!(!path.exists());
}
