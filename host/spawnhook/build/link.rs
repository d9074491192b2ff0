use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The system's libraries that every Rust program is linked with, and what has the same inside as
/// an archive.
const LIBRARIES: [(&str, &str); 7] = [
    ("libc.a", "libc.a"),
    ("libdl.a", "libdl.a"),
    ("libgcc_s.a", "libgcc_eh.a"),
    ("libm.a", "libm.a"),
    ("libpthread.a", "libpthread.a"),
    ("librt.a", "librt.a"),
    ("libutil.a", "libutil.a"),
];

/// Spares each start what can be done once. The program has tens of thousands of addresses of its
/// own, and one that could be loaded anywhere would write them all each time, which takes longer than
/// everything else of a start. To find its libraries and their functions takes a quarter of
/// what `bash -c true` takes, so they are inside, where the system has them as archives.
///
/// What is given up: the program's code is at the same addresses each time. Stack, heap and the code
/// of hooks are not.
pub(super) fn link(out: &Path) -> io::Result<()> {
    println!("cargo::rustc-link-arg-bins=-no-pie");
    let folder = out.join("archives");
    if gather_archives(&folder)? {
        println!("cargo::rustc-link-arg-bins=-static");
        // searched before the folders of the system, for the names that rustc has asked for
        println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
    }
    if is_linked_by_lld() {
        // By the first, lld puts the program together in memory of its own and writes it as a whole.
        // Without it the file is mapped and comes to be page by page, as which the system keeps it
        // and hands it out. By the second, what is kept in pages of 2 MiB is handed out in them.
        println!("cargo::rustc-link-arg-bins=-Wl,--mmap-output-file,-z,max-page-size=0x200000");
    }
    Ok(())
}

/// Whether the linker is the one that comes with Rust, as far as can be told.
fn is_linked_by_lld() -> bool {
    let by_default = env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let another = env::var_os("RUSTC_LINKER").is_some()
        || ["fuse-ld", "linker"]
            .iter()
            .any(|flag| flags.contains(flag));
    by_default && !another
}

/// Puts the archives into one folder; false if there are not all of them.
fn gather_archives(folder: &Path) -> io::Result<bool> {
    fs::create_dir_all(folder)?;
    for (name, archive) in LIBRARIES {
        let Some(archive) = find_archive(archive) else {
            return Ok(false);
        };
        let link = folder.join(name);
        if link.symlink_metadata().is_ok() {
            fs::remove_file(&link)?;
        }
        symlink(archive, link)?;
    }
    Ok(true)
}

/// Where the compiler that links has an archive. One of another machine is not asked.
fn find_archive(name: &str) -> Option<PathBuf> {
    if env::var_os("HOST") != env::var_os("TARGET") {
        return None;
    }
    let compiler = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let found = Command::new(compiler)
        .arg(format!("-print-file-name={name}"))
        .output()
        .ok()?;
    let path = PathBuf::from(String::from_utf8(found.stdout).ok()?.trim_end());
    // the bare name where there is none
    path.is_absolute().then_some(path)
}
