use super::*;

#[test]
fn the_oldest_entries_make_room() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::open(folder.path()).unwrap().unwrap();
    for (age, name) in [(3_u64, "b"), (2, "c"), (1, "a")] {
        directory.write(name, &[0; 5000]).unwrap();
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(age * 100);
        let file = fs::File::options()
            .append(true)
            .open(folder.path().join(name));
        file.unwrap().set_modified(time).unwrap();
    }
    let left = |bytes| {
        directory.shrink_to(bytes).unwrap();
        let read = fs::read_dir(folder.path()).unwrap();
        let mut names: Vec<_> = read.map(|file| file.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(left(15_000), ["a", "b", "c"]);
    assert_eq!(left(14_999), ["a", "c"]);
    assert_eq!(left(5000), ["a"]);
    assert_eq!(left(0), [""; 0]);
}
