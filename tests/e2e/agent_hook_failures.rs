//! Whatever goes wrong with the hook of an agent, the command does not run, and the agent learns it in
//! time.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::agent_hook::{POLICY, claude, hook, tell};
use super::case::{Machine, wait_until};

/// What agents are promised.
const PROMISED: Duration = Duration::from_secs(5);
/// What a machine with much to do takes besides.
const SLACK: Duration = Duration::from_secs(3);

/// A denial in any form that all agents take: a document that says so, or exit code 2 and why.
fn is_denial(output: &Output) -> bool {
    let stdout = str::from_utf8(&output.stdout).unwrap();
    let by_code = output.status.code() == Some(2) && !output.stderr.is_empty();
    let by_word = output.status.code() == Some(0) && stdout.contains("\"deny\"");
    assert!(stdout.is_empty() || serde_json::from_str::<Value>(stdout).is_ok());
    (by_code || by_word) && !output.stderr.is_empty()
}

#[test]
fn malformed_empty_and_huge_input_is_denied_in_time_in_every_dialect() {
    let machine = Machine::new();
    let huge = vec![b'x'; 10_000_000];
    let long = claude(&machine, &"x".repeat(10_000_000)).to_string();
    for agent in ["claude", "codex", "gemini", "cursor", "copilot"] {
        for input in [
            b"".as_slice(),
            b"{\"tool_name\":",
            b"[1]",
            &huge,
            long.as_bytes(),
        ] {
            let started = Instant::now();
            let output = tell(machine.case(["agent-hook", agent]), input);
            assert!(is_denial(&output), "{agent}: {output:?}");
            assert!(started.elapsed() < PROMISED + SLACK, "{agent}");
        }
    }
}

#[test]
fn an_agent_that_does_not_end_its_input_is_answered_in_time() {
    let machine = Machine::new();
    let mut command = machine.case(["agent-hook", "claude"]).into_command();
    let started = Instant::now();
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    assert!(is_denial(&output), "{output:?}");
    assert!(started.elapsed() < PROMISED + SLACK);
    drop(stdin);
}

#[test]
fn whatever_becomes_of_the_part_that_does_the_work_there_is_a_denial() {
    let machine = Machine::with_config(POLICY);
    let input = claude(&machine, "npm test").to_string();
    // too little memory, too few descriptors, no byte in any file
    for limit in ["ulimit -v 300000", "ulimit -n 4", "ulimit -f 0"] {
        let case = hook(&machine, "claude").under(limit);
        let output = tell(case, input.as_bytes());
        assert!(is_denial(&output), "{limit}: {output:?}");
    }
}

#[test]
fn a_part_that_is_killed_at_work_is_a_denial_at_once() {
    let machine = Machine::new();
    let mut command = hook(&machine, "claude").into_command();
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    let tasks = format!("/proc/{0}/task/{0}/children", child.id());
    let worker = || std::fs::read_to_string(&tasks).unwrap_or_default();
    wait_until("it is at work", || !worker().is_empty());
    let killed = Command::new("kill")
        .args(["-KILL", worker().trim()])
        .status();
    assert!(killed.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(is_denial(&output), "{output:?}");
    let stderr = str::from_utf8(&output.stderr).unwrap();
    assert!(
        stderr.contains("failed before it had an answer"),
        "{stderr}"
    );
    drop(stdin);
}

#[test]
fn a_command_line_that_is_wrong_is_a_denial_for_every_agent() {
    let machine = Machine::new();
    for arguments in [
        &["agent-hook", "claude", "--bad"] as &[&str],
        &["agent-hook", "claude-code"],
        &["agent-hook"],
        &[],
    ] {
        let (stdout, stderr) = machine.case(arguments).code(2).texts();
        assert_eq!(stdout, "");
        assert!(!stderr.is_empty());
    }
}
