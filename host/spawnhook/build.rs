//! How the program is linked, and which components it has inside.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script by its environment"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

use sha2::{Digest as _, Sha256};

/// Where the first-party components are, as built.
const DIST: &str = "../../plugins/dist";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    link();
    embed(Path::new(
        &env::var_os("OUT_DIR").expect("invariant: cargo sets it"),
    ))
}

/// The program has tens of thousands of addresses of its own, and one that could be loaded anywhere
/// would write them all at each start, which takes longer than everything else of a start. What is
/// given up: its code is at the same addresses each time. Stack, heap, libraries and the code of
/// hooks are not.
fn link() {
    let is_gnu = env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|name| name == "gnu");
    if is_gnu {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// Lists the components with their digests, so that no start has to work them out.
fn embed(out: &Path) -> io::Result<()> {
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
