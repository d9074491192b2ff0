//! How the program is linked.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The program has tens of thousands of addresses that are relative to where it is loaded, and
    // each start writes them all: packed, they are read in a fraction of the time.
    println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
}
