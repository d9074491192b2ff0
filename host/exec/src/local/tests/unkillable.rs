use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::harness::*;
use super::host::KILLING_HOST_ARGUMENT;

/// Needs root, which is the only one that can make a program that others cannot kill.
#[test]
fn what_cannot_be_killed_is_named_and_the_command_settles() {
    const NOBODY: u32 = 65534;
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("perl");
    fs::copy("/usr/bin/perl", &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).unwrap();
    chown(directory.path(), Some(NOBODY), None).unwrap();
    let mut host = Command::new(std::env::current_exe().unwrap());
    host.args([KILLING_HOST_ARGUMENT.as_ref(), directory.path().as_os_str()])
        .arg(
            "./perl -e '$< = $>; open(F, q(>), q(ready)); close(F); sleep 1000' & echo $! >pid; \
              until [ -e ready ]; do :; done; exit 4",
        )
        .stdin(Stdio::null())
        .uid(NOBODY);
    let start = Instant::now();
    assert_eq!(host.status().unwrap().code(), Some(4));
    let took = start.elapsed();
    let pid = pid_in(&fs::read_to_string(directory.path().join("pid")).unwrap());
    let notices = fs::read_to_string(directory.path().join("notices")).unwrap();
    let named = format!(" (pid {pid}).");
    assert!(notices.contains("still there: ./perl -e"), "{notices}");
    assert!(notices.contains(&named), "{notices}");
    assert!(
        took > Duration::from_secs(2) && took < Duration::from_secs(2 + 3),
        "{took:?}"
    );
    assert!(runs(pid));
    kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
    wait_until_sync("it is gone", || !runs(pid));
}
