//! What a terminal, or who stands in for one, tells a shell reaches the command.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;

use super::super::case::{Machine, wait_until};
use super::super::heart::signal_to;
use super::super::terminal::on_a_terminal;

fn started(machine: &Machine, command: &str) -> std::process::Child {
    let child = machine.shell(command).start();
    wait_until("it is ready", || machine.path("workspace/ready").exists());
    child
}

#[test]
fn an_interrupt_is_the_command_s_affair() {
    let machine = Machine::new();
    let child = started(
        &machine,
        "trap 'echo caught; exit 3' INT; echo > ready; while :; do sleep 0.02; done",
    );
    signal_to("-INT", &child.id().to_string());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), &*output.stdout),
        (Some(3), &b"caught\n"[..])
    );

    let machine = Machine::new();
    let child = started(&machine, "echo > ready; sleep 1000");
    signal_to("-INT", &child.id().to_string());
    assert_eq!(child.wait_with_output().unwrap().status.signal(), Some(2));
}

#[test]
fn a_shell_that_is_told_to_end_ends_by_that() {
    for (name, number) in [("-TERM", 15), ("-HUP", 1)] {
        let machine = Machine::with_config("[limits]\nstop_grace = \"30s\"\n");
        let child = started(
            &machine,
            "trap 'echo told; exit' TERM; echo > ready; while :; do sleep 0.02; done",
        );
        signal_to(name, &child.id().to_string());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.signal(), Some(number), "{name}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "told\n", "{name}");
        assert_eq!(machine.audit()[1]["ending"], "cancelled");
    }
}

#[test]
fn a_terminal_stays_a_terminal_and_its_interrupt_arrives() {
    let machine = Machine::new();
    let command = "test -t 0 && test -t 1 && test -t 2 && echo all three; read -p '? ' line; echo \"<$line>\"; \
                   trap 'echo caught' INT; echo ready; read -t 60; echo code $?";
    let (code, shown) = on_a_terminal(
        machine.shell(command),
        &[("? ", "typed\n"), ("ready", "\u{3}"), ("caught", "\n")],
    );
    assert_eq!(code, 0, "{shown}");
    assert!(
        shown.contains("all three\n") && shown.contains("<typed>\n"),
        "{shown}"
    );
    assert!(shown.contains("caught\n"), "{shown}");
}

#[test]
fn a_command_is_suspended_and_continued_with_its_shell() {
    let machine = Machine::new();
    let child = started(
        &machine,
        "echo $$ > pid; echo > ready; until [ -e go ]; do sleep 0.01; done; echo through",
    );
    let pid = fs::read_to_string(machine.path("workspace/pid")).unwrap();
    let state = |pid: &str| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap();
        stat.rsplit_once(") ").unwrap().1.chars().next().unwrap()
    };
    let shell = child.id().to_string();
    signal_to("-TSTP", &shell);
    wait_until("both are stopped", || {
        state(&pid) == 'T' && state(&shell) == 'T'
    });
    fs::write(machine.path("workspace/go"), "").unwrap();
    signal_to("-CONT", &shell);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"through\n");
}
