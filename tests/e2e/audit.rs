use std::io::Write as _;
use std::process::{Command, Stdio};

use super::case::Machine;

/// The digest as coreutils sees it, apart from the code that wrote the log.
fn sha256sum(text: &str) -> String {
    let mut child = Command::new("sha256sum")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()[..64].to_owned()
}

fn assert_chain(machine: &Machine) {
    let mut prev = "0".repeat(64);
    for (index, line) in machine.audit_lines().iter().enumerate() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(record["seq"], index as u64 + 1);
        assert_eq!(record["prev"], prev, "line {}", index + 1);
        prev = sha256sum(line);
    }
}

#[test]
fn a_command_leaves_a_spawn_and_an_exit_record() {
    let machine = Machine::new();
    let object = machine.json("echo hello; exit 3").code(3).object();
    let records = machine.audit();
    let events: Vec<_> = records.iter().map(|record| &record["event"]).collect();
    assert_eq!(events, ["spawn", "exit"]);
    assert_eq!(records[1]["ending"], "exited");
    assert_eq!(records[0]["entry"]["command"], "echo hello; exit 3");
    assert_eq!(records[1]["entry"]["status"]["code"], 3);
    assert_eq!(records[1]["entry"]["output_bytes"], 6);
    for record in &records {
        assert_eq!(record["call"], object["id"]);
        assert_eq!(record["command_sha256"], sha256sum("echo hello; exit 3"));
    }
    assert_chain(&machine);
}

#[test]
fn the_result_carries_the_head_of_the_log() {
    let machine = Machine::new();
    let object = machine.json("true").object();
    let lines = machine.audit_lines();
    assert_eq!(object["audit"]["seq"], 2);
    assert_eq!(object["audit"]["hash"], sha256sum(lines.last().unwrap()));
}

#[test]
fn sixty_four_hosts_at_once_make_one_chain() {
    let machine = Machine::new();
    // Compiles the hook for all of them.
    machine.run("true").check();
    let hosts: Vec<_> = (0..64)
        .map(|number| machine.run(&format!("echo {number}")).start())
        .collect();
    for host in hosts {
        let output = host.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    assert_eq!(machine.audit_lines().len(), 130);
    assert_chain(&machine);
}

#[test]
fn a_command_whose_record_cannot_be_written_does_not_run() {
    let machine = Machine::new();
    std::fs::write(machine.path("state/spawnhook"), "in the way").unwrap();
    let object = machine.json("touch ran").code(125).object();
    assert_eq!(object["ending"], "hook-failed");
    assert!(!machine.path("workspace/ran").exists());
    let message = object["message"].as_str().unwrap();
    assert!(message.contains("audit.jsonl"), "{message}");
}

#[test]
fn secrets_in_a_command_are_masked() {
    let machine = Machine::new();
    machine.run("true --password=hunter2 https://me:pw@host/ # ghp_0123456789abcdefghijABCDEFGHIJ012345").check();
    let text = machine.audit_lines().join("\n");
    for secret in ["hunter2", "me:pw@", "ghp_0123"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(text.contains("true --password=***"), "{text}");
}
