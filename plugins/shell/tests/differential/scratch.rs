//! A folder with harmless programs, and the running of scripts in it.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
};

use super::generator::PROGRAMS;

pub(crate) struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("the scratch folder can be used");
        let programs = folder.path().join("programs");
        fs::create_dir(&programs).expect("the scratch folder can be used");
        for name in PROGRAMS {
            let program = programs.join(name);
            fs::write(&program, format!("#!/bin/sh\necho {name} >> \"$RAN\"\n"))
                .expect("the scratch folder can be used");
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
                .expect("the scratch folder can be used");
        }
        Self { folder }
    }

    /// The programs that a process ran, which `start` prepares for its folder and the file that
    /// programs write to.
    pub(crate) fn observe(&self, start: impl FnOnce(&Path, &Path) -> Command) -> BTreeSet<String> {
        let work =
            tempfile::tempdir_in(self.folder.path()).expect("the scratch folder can be used");
        // a file of its own: what an earlier script left in the background may still write
        let ran = work.path().join(".ran");
        fs::write(&ran, "").expect("the scratch folder can be used");
        fs::write(work.path().join("one-file"), "x\n").expect("the scratch folder can be used");
        let mut command = start(work.path(), &ran);
        command
            .env("PATH", self.path())
            .env("RAN", &ran)
            .current_dir(work.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("the scratch folder can be used");
        read(&ran)
    }

    fn path(&self) -> String {
        format!("{}/programs:/usr/bin:/bin", self.folder.path().display())
    }
}

fn read(ran: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(ran).expect("the scratch folder can be used");
    text.lines().map(str::to_owned).collect()
}
