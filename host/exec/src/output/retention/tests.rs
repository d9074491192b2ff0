use std::fs::File;
use std::os::unix::fs::{chown, symlink};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

const OLD: Duration = Duration::from_secs(24 * 60 * 60 + 1);

/// Makes a file that was written to so long ago.
fn file(directory: &TempDir, name: &str, age: Duration) -> Metadata {
    let file = File::create(directory.path().join(name)).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
    file.metadata().unwrap()
}

fn names(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn files_go_a_day_after_the_last_write() {
    let directory = TempDir::new().unwrap();
    let new = file(&directory, &file_name(3), Duration::ZERO);
    file(&directory, &file_name(1), OLD);
    file(
        &directory,
        &file_name(2),
        RETENTION - Duration::from_secs(60),
    );
    remove_old(directory.path(), &new, SystemTime::now());
    assert_eq!(names(&directory), [file_name(2), file_name(3)]);
}

#[test]
fn whatever_is_named_otherwise_stays() {
    let directory = TempDir::new().unwrap();
    let others = [
        "spawnhook-00000000000000001.log",
        "spawnhook-000000000000000G.log",
        "spawnhook-000000000000000A.log",
        "spawnhook-+00000000000000a.log",
        "spawnhook-0000000000000001.log.gz",
        "spawnhook-1.log",
        "Spawnhook-0000000000000001.log",
        "notes.log",
    ];
    for name in others {
        file(&directory, name, OLD);
    }
    let new = file(&directory, &file_name(1), Duration::ZERO);
    remove_old(directory.path(), &new, SystemTime::now());
    assert_eq!(names(&directory).len(), others.len() + 1);
}

#[test]
fn links_and_directories_stay_and_so_does_what_they_lead_to() {
    let directory = TempDir::new().unwrap();
    file(&directory, "precious", OLD);
    symlink("precious", directory.path().join(file_name(1))).unwrap();
    fs::create_dir(directory.path().join(file_name(2))).unwrap();
    let new = file(&directory, &file_name(3), Duration::ZERO);
    remove_old(directory.path(), &new, SystemTime::now() + 2 * OLD);
    assert_eq!(
        names(&directory),
        ["precious", &file_name(1), &file_name(2)]
    );
}

#[test]
fn a_file_of_somebody_else_stays() {
    let directory = TempDir::new().unwrap();
    let new = file(&directory, &file_name(1), Duration::ZERO);
    file(&directory, &file_name(2), OLD);
    let somebody = new.uid() + 1;
    // Only root can give a file away; for anybody else no file of another owner can be made.
    if chown(directory.path().join(file_name(2)), Some(somebody), None).is_ok() {
        remove_old(directory.path(), &new, SystemTime::now());
        assert_eq!(names(&directory), [file_name(1), file_name(2)]);
    } else {
        assert_ne!(new.uid(), 0);
    }
}

#[test]
fn a_time_in_the_future_and_a_missing_directory_are_nothing_to_do() {
    let directory = TempDir::new().unwrap();
    let new = file(&directory, &file_name(1), Duration::ZERO);
    remove_old(directory.path(), &new, SystemTime::UNIX_EPOCH);
    remove_old(Path::new("/no/such/directory"), &new, SystemTime::now());
    assert_eq!(names(&directory), [file_name(1)]);
}

proptest! {
    #[test]
    fn a_name_of_ours_is_known_and_a_changed_one_is_not(number: u64, at in 0_usize..30, byte in "[g-zA-Z_+ ]") {
        let name = file_name(number);
        prop_assert!(is_file_name(OsStr::new(&name)));
        let mut other = name.clone();
        other.replace_range(at..=at, &byte);
        prop_assert_eq!(is_file_name(OsStr::new(&other)), other == name);
    }
}
