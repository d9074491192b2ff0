use std::fs;

use serde_json::json;

use super::case::Machine;

#[test]
fn a_log_is_proved_with_the_head_of_a_result() {
    let machine = Machine::new();
    machine.run("true").check();
    let object = machine.json("false").code(1).object();
    machine.run("true").check();
    let head = format!(
        "{}:{}",
        object["audit"]["seq"],
        object["audit"]["hash"].as_str().unwrap()
    );
    let verdict = machine
        .case(["audit", "verify", "--json", "--head", &head])
        .object();
    assert_eq!(verdict["whole"], true);
    assert_eq!(
        (&verdict["first_seq"], &verdict["lines"]),
        (&json!(1), &json!(6))
    );
    assert_eq!(verdict["unended"], json!([]));
    let (text, _) = machine.case(["audit", "verify", "--head", &head]).texts();
    assert!(
        text.starts_with("whole: records 1 to 6, 1 file\nhead: 6:"),
        "{text}"
    );
}

#[test]
fn what_was_changed_is_named_by_its_line() {
    let machine = Machine::new();
    for command in ["echo one", "echo two", "echo three"] {
        machine
            .run(command)
            .stdout(&format!("{}\n", &command[5..]))
            .check();
    }
    let text = fs::read_to_string(machine.audit_path()).unwrap();
    fs::write(
        machine.audit_path(),
        text.replacen("echo two", "echo 2wo", 1),
    )
    .unwrap();
    let told = format!(
        "tampered: line 3 ({}:3): it was changed: the line behind it was written after another text\n",
        machine.audit_path().display()
    );
    machine
        .case(["audit", "verify"])
        .code(1)
        .stdout(&told)
        .check();
    let verdict = machine.case(["audit", "verify", "--json"]).code(1).object();
    assert_eq!(verdict["whole"], false);
    assert_eq!(
        (&verdict["fault"]["line"], &verdict["fault"]["problem"]),
        (&json!(3), &json!("changed"))
    );
}

#[test]
fn a_log_that_was_cut_needs_the_head_to_be_found() {
    let machine = Machine::new();
    machine.run("true").check();
    let object = machine.json("true").object();
    let head = format!("4:{}", object["audit"]["hash"].as_str().unwrap());
    let lines = machine.audit_lines();
    fs::write(machine.audit_path(), lines[..2].join("\n") + "\n").unwrap();
    machine.case(["audit", "verify"]).texts();
    let (text, _) = machine
        .case(["audit", "verify", "--head", &head])
        .code(1)
        .texts();
    assert!(
        text.contains("line 3 ") && text.contains("the end was cut off"),
        "{text}"
    );
}

#[test]
fn a_torn_last_line_is_told_apart_from_tampering_and_commands_go_on_behind_it() {
    let machine = Machine::new();
    machine.run("true").check();
    let text = fs::read_to_string(machine.audit_path()).unwrap();
    fs::write(machine.audit_path(), &text[..text.len() - 9]).unwrap();
    let (text, _) = machine.case(["audit", "verify"]).texts();
    assert!(text.contains("the last line is torn"), "{text}");
    assert!(text.contains("no exit record"), "{text}");
    machine.run("true").check();
    let verdict = machine.case(["audit", "verify", "--json"]).object();
    assert_eq!(
        (&verdict["torn_lines"], &verdict["ends_torn"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(verdict["unended_count"], 1);
}

#[test]
fn what_cannot_be_read_is_no_verdict() {
    let machine = Machine::new();
    let (stdout, stderr) = machine.case(["audit", "verify"]).code(125).texts();
    assert_eq!(stdout, "");
    assert!(stderr.contains("cannot read the audit log"), "{stderr}");
    machine.run("true").check();
    let (_, stderr) = machine
        .case(["audit", "verify", "--head", "2:zz"])
        .code(125)
        .texts();
    assert!(stderr.contains("expected SEQ:HASH"), "{stderr}");
    let fifo = machine.path("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    for file in ["/dev/null", fifo.to_str().unwrap()] {
        let (_, stderr) = machine.case(["audit", "verify", file]).code(125).texts();
        assert!(stderr.contains("not a regular file"), "{stderr}");
    }
}
