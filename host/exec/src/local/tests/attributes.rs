use std::fs;
use std::os::fd::AsRawFd;

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use spawnhook_model::Ending;

use super::harness::*;

#[tokio::test]
async fn a_command_ends_with_its_exit_code_or_signal() {
    for (command, ending) in [
        ("true", Ending::Exited(0)),
        ("exit 7", Ending::Exited(7)),
        ("exit 255", Ending::Exited(255)),
        ("no-such-command 2>/dev/null", Ending::Exited(127)),
        ("/etc/passwd 2>/dev/null", Ending::Exited(126)),
        ("kill -KILL $$", Ending::Signaled(9)),
        ("kill -TERM $$", Ending::Signaled(15)),
        ("kill -SEGV $$", Ending::Signaled(11)),
        ("kill -34 $$", Ending::Signaled(34)),
    ] {
        assert_eq!(run(spawn(command)).await.0.ending, ending, "{command}");
    }
}

#[tokio::test]
async fn what_was_written_before_a_deadly_signal_is_kept() {
    let (ran, text) = run(spawn("printf 'before\\n'; kill -KILL $$")).await;
    assert_eq!((ran.ending, &*text), (Ending::Signaled(9), "before\n"));
}

#[tokio::test]
async fn a_command_reads_nothing_and_has_no_terminal() {
    let text = text_of(spawn(
        "cat; echo done $?; { : </dev/tty; } 2>/dev/null || echo none",
    ));
    assert_eq!(text.await, "done 0\nnone\n");
}

#[tokio::test]
async fn a_command_can_have_the_input_of_the_host() {
    let mut spawn = spawn("readlink /proc/$$/fd/0");
    spawn.stdin = crate::Stdin::Inherit;
    let own = fs::read_link("/proc/self/fd/0").unwrap();
    assert_eq!(text_of(spawn).await.trim_end(), own.to_str().unwrap());
}

#[tokio::test]
async fn a_command_leads_a_session_and_a_group() {
    let text = text_of(spawn(
        "read -r _ _ _ _ group session _ </proc/$$/stat; echo $$ $group $session",
    ));
    let text = text.await;
    let ids: Vec<&str> = text.split_whitespace().collect();
    assert!(ids[0] == ids[1] && ids[1] == ids[2], "{text}");
}

#[tokio::test]
async fn a_command_has_three_descriptors_even_if_the_host_has_others_for_its_children() {
    let inheritable = fs::File::open("/dev/zero").unwrap();
    fcntl(&inheritable, FcntlArg::F_SETFD(FdFlag::empty())).unwrap();
    assert!(inheritable.as_raw_fd() > 2);
    // The fourth is the directory that ls reads.
    let text = text_of(spawn("ls /proc/self/fd")).await;
    assert_eq!(text, "0\n1\n2\n3\n");
}

#[tokio::test]
async fn a_command_starts_with_every_signal_at_its_default() {
    let text = text_of(spawn("yes | head -1; echo ${PIPESTATUS[0]}")).await;
    assert_eq!(text, "y\n141\n");
    let status = text_of(spawn("exec cat /proc/self/status")).await;
    let masks: Vec<&str> = status
        .lines()
        .filter(|line| line.starts_with("Sig"))
        .collect();
    let none = "0000000000000000";
    for name in ["SigPnd", "SigBlk", "SigIgn", "SigCgt"] {
        assert!(masks.contains(&&*format!("{name}:\t{none}")), "{masks:?}");
    }
}

#[tokio::test]
async fn a_command_leaves_no_core_file() {
    assert_eq!(text_of(spawn("ulimit -c; ulimit -Hc")).await, "0\n0\n");
}

#[tokio::test]
async fn both_outputs_keep_their_order() {
    let text = text_of(spawn(
        "for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done",
    ))
    .await;
    let expected: String = (1..=5).map(|i| format!("out{i}\nerr{i}\n")).collect();
    assert_eq!(text, expected);
}

#[tokio::test]
async fn a_character_split_by_the_other_output_is_replaced_and_what_is_around_it_stays() {
    let text = text_of(spawn(
        "printf '\\xf0'; printf 'e\\n' >&2; printf '\\x9f\\x99\\x82.'",
    ));
    assert_eq!(text.await, "\u{fffd}e\n\u{fffd}\u{fffd}\u{fffd}.");
}

#[tokio::test]
async fn the_environment_is_the_given_one_and_nothing_else() {
    let mut spawn = spawn("exec env");
    spawn.env.set("EMPTY", "");
    spawn.env.set("ODD", "a=b\nc");
    spawn.env.unset("LC_ALL");
    let text = text_of(spawn).await;
    let of_bash = ["PWD=", "SHLVL=", "_=", "OLDPWD="];
    let lines = text
        .lines()
        .filter(|line| !of_bash.iter().any(|name| line.starts_with(name)));
    let mut lines: Vec<&str> = lines.collect();
    lines.sort_unstable();
    let path = "PATH=/usr/local/bin:/usr/bin:/bin";
    assert_eq!(lines, ["EMPTY=", "ODD=a=b", path, "c"]);
}

#[tokio::test]
async fn a_command_starts_in_the_directory_that_was_opened_wherever_it_is_by_then() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().canonicalize().unwrap();
    let (checked, moved) = (root.join("checked"), root.join("moved"));
    fs::create_dir(&checked).unwrap();
    let mut spawn = spawn_in(&checked, "pwd; /bin/pwd; echo $PWD");
    fs::rename(&checked, &moved).unwrap();
    std::os::unix::fs::symlink("/", &checked).unwrap();
    spawn.env.set("PWD", &checked);
    let moved = moved.display();
    assert_eq!(text_of(spawn).await, format!("{moved}\n{moved}\n{moved}\n"));
}

#[tokio::test]
async fn a_command_that_closes_its_output_is_waited_for() {
    let (ran, text) = run(spawn("echo a; exec >&- 2>&-; sleep 0.3; exit 4")).await;
    assert_eq!((ran.ending, &*text), (Ending::Exited(4), "a\n"));
}

#[tokio::test]
async fn an_ended_command_leaves_no_zombie() {
    let pid = pid_in(&text_of(spawn("echo $$")).await);
    assert!(!fs::exists(format!("/proc/{pid}")).unwrap());
}

#[tokio::test]
async fn a_receiver_that_is_gone_neither_ends_nor_blocks_the_command() {
    let (output, chunks) = tokio::sync::mpsc::channel(1);
    drop(chunks);
    let (_canceller, cancel) = crate::Canceller::new();
    let wires = crate::Wires { output, cancel };
    let spawn = spawn("yes | head -c 5000000; exit ${PIPESTATUS[0]}");
    let ran = crate::Backend::run(&backend(), spawn, wires).await.unwrap();
    // `yes` was ended by head, and head read everything.
    assert_eq!(ran.ending, Ending::Exited(141));
}

#[tokio::test]
async fn commands_run_side_by_side() {
    let start = std::time::Instant::now();
    let commands = (0..20).map(|i| {
        tokio::spawn(run(spawn(Box::leak(
            format!("sleep 0.5; echo {i}").into_boxed_str(),
        ))))
    });
    let commands: Vec<_> = commands.collect();
    for (i, command) in commands.into_iter().enumerate() {
        assert_eq!(command.await.unwrap().1, format!("{i}\n"));
    }
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
