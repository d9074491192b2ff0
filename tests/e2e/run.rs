use std::fs;
use std::io::Read as _;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::case::{Machine, wait_until};

/// What a bound in a contract is allowed to be missed by on a busy machine.
const SLACK: Duration = Duration::from_secs(3);

#[test]
fn both_streams_come_in_order_and_the_code_is_the_command_s_own() {
    let machine = Machine::new();
    machine
        .run(r#"printf "a\nb\n"; echo e >&2; exit 3"#)
        .code(3)
        .stdout("a\nb\ne\n")
        .check();
}

#[test]
fn json_is_the_object_of_the_contract() {
    let machine = Machine::new();
    let mut object = machine
        .json(r#"printf "a\nb\n"; echo e >&2; exit 3"#)
        .code(3)
        .object();
    let workspace = machine.workspace();
    assert_eq!(object["id"].as_str().unwrap().len(), 16);
    assert_eq!(object["audit"]["hash"].as_str().unwrap().len(), 64);
    assert!(object["wall_time_seconds"].as_f64().unwrap() < 60.0);
    assert!(object["hooks"][0]["micros"].as_u64().unwrap() > 0);
    object["id"] = "ID".into();
    object["audit"]["hash"] = "HASH".into();
    object["wall_time_seconds"] = 0.into();
    object["hooks"][0]["micros"] = 0.into();
    assert_eq!(
        object,
        json!({
            "id": "ID", "ending": "exited", "exit_code": 3, "is_error": true,
            "output": "a\nb\ne\n", "truncated": false, "full_output_path": null,
            "wall_time_seconds": 0,
            "message": "a\nb\ne\n\n\nCommand exited with code 3",
            "truncation": null,
            "requested": r#"printf "a\nb\n"; echo e >&2; exit 3"#,
            "command": r#"printf "a\nb\n"; echo e >&2; exit 3"#,
            "cwd": workspace.to_str().unwrap(), "env_removed": [],
            "hooks": [{"name": "audit-log", "stage": "audit", "micros": 0,
                       "result": "unchanged", "changed": []}],
            "leftovers": [], "audit": {"seq": 2, "hash": "HASH"}, "notices": [],
        })
    );
}

#[test]
fn several_words_are_quoted_for_the_shell() {
    let machine = Machine::new();
    machine
        .case(["run", "--", "printf", "<%s>", "a b", "$HOME", "it's"])
        .stdout("<a b><$HOME><it's>")
        .check();
}

#[test]
fn nothing_is_printed_that_the_command_did_not_write() {
    Machine::new().run("true").check();
    Machine::new().run("exit 7").code(7).check();
}

#[test]
fn a_signal_s_death_is_128_and_the_number_and_says_so() {
    let machine = Machine::new();
    let object = machine
        .json("echo before; kill -KILL $$")
        .code(137)
        .object();
    assert_eq!(object["ending"], "signaled");
    assert_eq!(object["exit_code"], 137);
    assert_eq!(
        object["message"],
        "before\n\n\nCommand exited with code 137 (killed by signal 9, SIGKILL)"
    );
    machine
        .run("kill -TERM $$")
        .code(143)
        .stderr("spawnhook: Command exited with code 143 (killed by signal 15, SIGTERM)\n")
        .check();
}

#[test]
fn a_timeout_stops_the_whole_group_and_says_the_number_as_it_was_given() {
    let machine = Machine::new();
    let started = Instant::now();
    let object = machine
        .json("echo start; (while :; do echo beat >> beats; sleep 0.02; done) & sleep 60")
        .with(&["--timeout", "0.5"])
        .code(124)
        .object();
    assert!(started.elapsed() < Duration::from_millis(1500) + SLACK);
    assert_eq!(object["ending"], "timed-out");
    assert_eq!(object["exit_code"], json!(null));
    assert_eq!(
        object["message"],
        "start\n\n\nCommand timed out after 0.5 seconds"
    );
    let beats = || fs::read(machine.path("workspace/beats")).unwrap().len();
    let beaten = beats();
    assert!(beaten > 0);
    let later = machine.run("sleep 0.3");
    later.check();
    assert_eq!(beats(), beaten, "something of the group still runs");
}

#[test]
fn no_command_runs_without_a_limit() {
    let machine = Machine::with_config("[limits]\ndefault_timeout = \"300ms\"\n");
    let object = machine.json("sleep 60").code(124).object();
    assert_eq!(object["message"], "Command timed out after 0.3 seconds");
}

#[test]
fn a_limit_above_the_deployment_s_is_lowered_and_noticed() {
    let machine =
        Machine::with_config("[limits]\ndefault_timeout = \"1s\"\nmax_timeout = \"2s\"\n");
    let object = machine.json("true").with(&["--timeout", "5000"]).object();
    assert_eq!(
        object["notices"],
        json!(["timeout lowered from 5000 to 2 seconds, the most that this deployment allows"])
    );
}

#[test]
fn a_limit_that_is_none_is_refused_before_anything_runs() {
    let machine = Machine::new();
    for (seconds, message) in [
        ("0", "Invalid timeout: must be a finite number of seconds"),
        ("-1", "Invalid timeout: must be a finite number of seconds"),
        ("NaN", "Invalid timeout: must be a finite number of seconds"),
        ("inf", "Invalid timeout: must be a finite number of seconds"),
        (
            "2147483.648",
            "Invalid timeout: maximum is 2147483.647 seconds",
        ),
    ] {
        let object = machine
            .json("touch ran")
            .with(&[&format!("--timeout={seconds}")])
            .code(125)
            .object();
        assert_eq!(
            (&object["ending"], &object["message"]),
            (&json!("invalid"), &json!(message))
        );
    }
    assert!(!machine.path("workspace/ran").exists());
    assert!(machine.audit_lines().is_empty());
}

#[test]
fn an_empty_command_is_refused() {
    let machine = Machine::new();
    let object = machine.json("").code(125).object();
    assert_eq!(object["ending"], "invalid");
    assert_eq!(
        object["message"],
        "The command is empty: give the shell text to run"
    );
    machine
        .run(" ")
        .code(125)
        .stderr("spawnhook: The command is empty: give the shell text to run\n")
        .check();
}

#[test]
fn a_request_s_variables_reach_the_command() {
    let machine = Machine::new();
    machine
        .run("echo $GREETING")
        .with(&["--env", "GREETING=a=b"])
        .stdout("a=b\n")
        .check();
}

#[test]
fn standard_input_is_empty() {
    Machine::new()
        .run("cat; echo done $?")
        .stdout("done 0\n")
        .check();
}

#[test]
fn an_interrupt_cancels_the_command() {
    let machine = Machine::new();
    let mut child = machine.json("touch started; sleep 60").start();
    wait_until("the command has started", || {
        machine.path("workspace/started").exists()
    });
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    let mut text = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["ending"], "cancelled");
    assert_eq!(object["message"], "Command aborted");
    assert_eq!(machine.audit()[1]["ending"], "cancelled");
}

#[test]
fn a_signal_that_the_program_was_told_to_ignore_cancels_nothing() {
    let machine = Machine::new();
    let child = machine
        .run("touch started; until [ -e go ]; do sleep 0.02; done; echo through")
        .under("trap '' HUP")
        .start();
    wait_until("the command has started", || {
        machine.path("workspace/started").exists()
    });
    let hung_up = Command::new("kill")
        .args(["-HUP", &child.id().to_string()])
        .status();
    assert!(hung_up.unwrap().success());
    fs::write(machine.path("workspace/go"), "").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"through\n");
    assert!(output.status.success());
}

#[test]
fn a_reader_that_goes_away_ends_the_command() {
    let machine = Machine::new();
    let mut child = machine.run("yes").start();
    let mut first = [0; 2];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut first).unwrap();
    drop(stdout);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(&first, b"y\n");
}

#[test]
fn a_command_line_that_is_wrong_is_an_object_as_well() {
    let machine = Machine::new();
    let object = machine
        .case(["run", "--json", "--no-such-option", "--", "true"])
        .code(125)
        .object();
    assert_eq!(object["ending"], "invalid");
    assert!(
        object["message"]
            .as_str()
            .unwrap()
            .contains("--no-such-option")
    );
}

#[test]
fn bytes_pass_as_they_are_where_stdout_is_no_terminal() {
    let machine = Machine::new();
    let mut child = machine.run(r"printf 'a\0\033[31m\377b\r\n'").start();
    let mut bytes = Vec::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    assert_eq!(bytes, b"a\0\x1b[31m\xffb\r\n");
    assert!(child.wait().unwrap().success());
}
