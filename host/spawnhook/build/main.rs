//! How the program is linked, and which components it has inside.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script by its environment"
)]
#![expect(clippy::print_stdout, reason = "and is told by its output")]

use std::path::PathBuf;
use std::{env, io};

mod embed;
mod link;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("invariant: cargo sets it"));
    if env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|name| name == "gnu") {
        link::link(&out)?;
    }
    embed::embed(&out)
}
