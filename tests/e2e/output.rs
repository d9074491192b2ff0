use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::{Value, json};

use super::case::{Machine, wait_until};

/// The object, with the path of the full output, if any, as `FILE` in its message.
fn run(machine: &Machine, command: &str) -> Value {
    let mut object = machine.json(command).object();
    if let Some(path) = object["full_output_path"].as_str() {
        object["message"] = object["message"]
            .as_str()
            .unwrap()
            .replace(path, "FILE")
            .into();
    }
    object
}

fn footer(object: &Value) -> &str {
    object["message"]
        .as_str()
        .unwrap()
        .rsplit("\n\n")
        .next()
        .unwrap()
}

#[test]
fn output_within_both_limits_is_untouched() {
    let machine = Machine::new();
    for command in [
        "seq 2000",
        "seq 1999; printf last",
        "head -c 51200 /dev/zero | tr '\\0' y",
        "head -c 51199 /dev/zero | tr '\\0' y; echo",
    ] {
        let object = run(&machine, command);
        assert_eq!(object["truncated"], false, "{command}");
        assert_eq!(object["truncation"], json!(null), "{command}");
        assert_eq!(object["full_output_path"], json!(null), "{command}");
        assert_eq!(object["message"], object["output"], "{command}");
    }
}

#[test]
fn the_last_two_thousand_lines_stay() {
    let machine = Machine::new();
    let object = run(&machine, "seq 3000");
    assert_eq!(
        footer(&object),
        "[Showing lines 1001-3000 of 3000. Full output: FILE]"
    );
    let output = object["output"].as_str().unwrap();
    assert!(output.starts_with("1001\n") && output.ends_with("\n3000"));
    assert_eq!(
        object["truncation"],
        json!({"by": "lines", "total_lines": 3000, "total_bytes": 13_893, "shown_lines": 2000,
               "shown_bytes": 9999, "first_line": 1001, "last_line_partial": false})
    );
    let object = run(&machine, "seq 2000; printf tail");
    assert_eq!(
        footer(&object),
        "[Showing lines 2-2001 of 2001. Full output: FILE]"
    );
}

#[test]
fn whole_lines_stay_where_bytes_are_the_limit() {
    let machine = Machine::new();
    let object = run(
        &machine,
        "for i in $(seq 600); do printf '%0206d\\n' $i; done",
    );
    assert_eq!(
        footer(&object),
        "[Showing lines 354-600 of 600 (50.0KB limit). Full output: FILE]"
    );
}

#[test]
fn a_line_that_is_too_long_keeps_its_own_tail() {
    let machine = Machine::new();
    for (command, expected) in [
        (
            "head -c 51201 /dev/zero | tr '\\0' y",
            "[Showing last 50.0KB of line 1 (line is 50.0KB). Full output: FILE]",
        ),
        (
            "head -c 1000000 /dev/zero | tr '\\0' y",
            "[Showing last 50.0KB of line 1 (line is 976.6KB). Full output: FILE]",
        ),
        (
            "head -c 1000000 /dev/zero | tr '\\0' y; echo",
            "[Showing last 50.0KB of line 1 (line is 976.6KB). Full output: FILE]",
        ),
        (
            "echo head; head -c 300000 /dev/zero | tr '\\0' y; echo",
            "[Showing last 50.0KB of line 2 (line is 293.0KB). Full output: FILE]",
        ),
    ] {
        let object = run(&machine, command);
        assert_eq!(footer(&object), expected, "{command}");
        assert_eq!(
            object["output"].as_str().unwrap().len(),
            51_200,
            "{command}"
        );
        assert_eq!(object["truncation"]["last_line_partial"], true, "{command}");
    }
}

#[test]
fn the_full_output_is_a_private_file_with_every_byte() {
    let machine = Machine::new();
    let object = run(&machine, "head -c 60000 /dev/zero; printf '\\377'");
    let path = object["full_output_path"].as_str().unwrap();
    let bytes = fs::read(path).unwrap();
    assert_eq!(bytes.len(), 60_001);
    assert_eq!(bytes[60_000], 0xff);
    assert_eq!(
        fs::metadata(path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(path.starts_with(machine.path("tmp").to_str().unwrap()));
}

#[test]
fn random_bytes_become_bounded_text() {
    let machine = Machine::new();
    let object = run(&machine, "head -c 60000 /dev/urandom");
    assert_eq!(object["truncated"], true);
    assert!(object["output"].as_str().unwrap().len() <= 51_200);
    let path = object["full_output_path"].as_str().unwrap();
    assert_eq!(fs::metadata(path).unwrap().len(), 60_000);
}

#[test]
fn a_character_that_is_split_over_two_writes_stays_whole() {
    let machine = Machine::new();
    let object = run(&machine, r"printf '\342'; sleep 0.1; printf '\202\254\n'");
    assert_eq!(object["output"], "€\n");
}

#[test]
fn control_characters_do_not_reach_the_model() {
    let machine = Machine::new();
    let object = run(
        &machine,
        r"printf 'a\0\033[31mred\033[0m\007\r\n10%%\r20%%\n'",
    );
    assert_eq!(object["output"], "ared\n20%\n");
}

#[test]
fn output_without_text_has_a_placeholder() {
    let machine = Machine::new();
    assert_eq!(run(&machine, "true")["message"], "(no output)");
    assert_eq!(run(&machine, r"printf '\r\n'")["message"], "(no output)");
}

#[test]
fn a_temporary_folder_that_cannot_be_written_costs_the_file_alone() {
    let machine = Machine::new();
    let object = machine
        .json("seq 3000")
        .env("TMPDIR", machine.path("missing"))
        .object();
    assert_eq!(object["truncated"], true);
    assert_eq!(object["full_output_path"], json!(null));
    let message = object["message"].as_str().unwrap();
    assert!(message.contains("[Showing lines 1001-3000 of 3000. The full output was not kept]"));
    assert_eq!(object["notices"].as_array().unwrap().len(), 1);
}

#[test]
fn a_background_writer_does_not_keep_the_call_open() {
    let machine = Machine::new();
    let started = std::time::Instant::now();
    let begun = "until [ $(</proc/$!/comm) = sleep ]; do :; done";
    let object = run(
        &machine,
        &format!("echo done; sleep 20 & echo $! > pid; {begun}"),
    );
    assert!(started.elapsed() < std::time::Duration::from_secs(10));
    let pid = fs::read_to_string(machine.path("workspace/pid")).unwrap();
    let pid: u32 = pid.trim().parse().unwrap();
    assert_eq!(object["output"], "done\n");
    assert_eq!(
        object["leftovers"],
        json!([{"pid": pid, "command": "sleep 20"}])
    );
    assert_eq!(object["notices"].as_array().unwrap().len(), 1);
    let killed = std::process::Command::new("kill")
        .arg(pid.to_string())
        .status();
    assert!(killed.unwrap().success());
}

#[test]
fn a_limit_of_file_size_costs_the_file_alone() {
    let machine = Machine::new();
    // The compiled hook would not fit either.
    machine.run("true").check();
    let object = machine.json("seq 30000").under("ulimit -f 32").object();
    assert_eq!(object["truncated"], true);
    assert_eq!(object["truncation"]["total_lines"], 30_000);
    let notices = object["notices"].as_array().unwrap();
    assert_eq!(notices.len(), 1, "{notices:?}");
}

#[test]
fn a_reader_that_takes_nothing_holds_up_neither_limit_nor_cancellation() {
    for (form, limit, code) in [
        (&["--timeout", "0.5"][..], true, 124),
        (&[], false, 130),
        (&["--events", "--timeout", "0.5"], true, 124),
    ] {
        let machine = Machine::new();
        let pid = machine.path("workspace/pid");
        let command = "echo $$ >pid; yes \"$(head -c 4000 /dev/zero | tr '\\0' y)\"";
        let mut host = machine.run(command).with(form).start();
        wait_until("the command runs", || {
            fs::read_to_string(&pid).is_ok_and(|text| text.ends_with('\n'))
        });
        if !limit {
            let told = Command::new("kill").arg(host.id().to_string()).status();
            assert!(told.unwrap().success());
        }
        let process = format!("/proc/{}", fs::read_to_string(&pid).unwrap().trim());
        wait_until("the command is ended", || !fs::exists(&process).unwrap());
        let mut read = Vec::new();
        host.stdout.take().unwrap().read_to_end(&mut read).unwrap();
        assert_eq!(host.wait().unwrap().code(), Some(code), "{form:?}");
    }
}
