use std::fs;
use std::path::Path;

/// Calls a target with what its fuzzer has kept. For the crates of the host.
pub(crate) fn replay(target: &str, check: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/corpus");
    let files: Vec<_> = fs::read_dir(corpus.join(target)).unwrap().collect();
    assert!(!files.is_empty(), "the corpus of {target} is gone");
    for file in files {
        check(&fs::read(file.unwrap().path()).unwrap());
    }
}
