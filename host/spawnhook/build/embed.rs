use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use sha2::{Digest as _, Sha256};

/// Where the first-party components are, as built.
const DIST: &str = "../../plugins/dist";

/// Lists the components with their digests, so that no start has to work them out.
pub(super) fn embed(out: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={DIST}");
    let mut files = fs::read_dir(DIST)?
        .map(|entry| entry?.path().canonicalize())
        .collect::<io::Result<Vec<_>>>()?;
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "wasm")
    });
    files.sort();
    let mut list = String::from("[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_stem().unwrap_or_default();
        let sha256: [u8; 32] = Sha256::digest(fs::read(&file)?).into();
        writeln!(
            list,
            "Embedded {{ name: {name:?}, bytes: include_bytes!({file:?}), sha256: {sha256:?} }},"
        )
        .expect("invariant: a String takes all text");
    }
    list.push(']');
    fs::write(out.join("embedded.rs"), list)
}
