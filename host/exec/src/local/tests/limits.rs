use spawnhook_model::Ending;

use super::harness::*;
use crate::{Rlimits, Spawn};

fn limited(command: &str, rlimits: Rlimits) -> Spawn {
    Spawn {
        rlimits,
        ..spawn(command)
    }
}

#[tokio::test]
async fn a_command_has_the_limits_that_it_is_given() {
    let rlimits = Rlimits {
        cpu: Some(1000),
        memory: Some(4 << 30),
        file_size: Some(1 << 20),
        open_files: Some(50),
    };
    let command = "ulimit -St; ulimit -Ht; ulimit -v; ulimit -f; ulimit -n; ulimit -c";
    let text = text_of(limited(command, rlimits)).await;
    // In seconds, KiB, and blocks of 1024 bytes.
    assert_eq!(text, "1000\n1001\n4194304\n1024\n50\n0\n");
}

#[tokio::test]
async fn a_limit_above_the_one_of_the_host_is_lowered_to_that() {
    let text = text_of(spawn("ulimit -Hn")).await;
    let open_files = Some(u64::from(u32::MAX));
    let rlimits = Rlimits {
        open_files,
        ..Rlimits::default()
    };
    let limited = text_of(limited("ulimit -Hn; ulimit -Sn", rlimits)).await;
    assert_eq!(limited, format!("{text}{text}"));
}

#[tokio::test]
async fn too_much_cpu_time_is_told_by_its_signal() {
    let rlimits = Rlimits {
        cpu: Some(1),
        ..Rlimits::default()
    };
    let (ran, _) = run(limited("while :; do :; done", rlimits)).await;
    let Ending::Signaled(number) = ran.ending else {
        panic!("{ran:?}");
    };
    assert_eq!(crate::signal_name(number), Some("SIGXCPU"));
}

#[tokio::test]
async fn a_file_that_grows_too_large_is_told_by_its_signal() {
    let directory = tempfile::tempdir().unwrap();
    let mut spawn = spawn_in(directory.path(), "exec head -c 100000 /dev/zero >file");
    spawn.rlimits.file_size = Some(65536);
    let (ran, _) = run(spawn).await;
    let Ending::Signaled(number) = ran.ending else {
        panic!("{ran:?}");
    };
    assert_eq!(crate::signal_name(number), Some("SIGXFSZ"));
    let written = std::fs::metadata(directory.path().join("file")).unwrap();
    assert_eq!(written.len(), 65536);
}

#[tokio::test]
async fn the_limit_of_files_leaves_the_output_of_the_command_alone() {
    let rlimits = Rlimits {
        file_size: Some(10),
        ..Rlimits::default()
    };
    let text = text_of(limited("echo more than ten bytes", rlimits)).await;
    assert_eq!(text, "more than ten bytes\n");
}
