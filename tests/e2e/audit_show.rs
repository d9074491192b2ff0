use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use serde_json::json;

use super::case::Machine;

#[test]
fn a_command_is_one_line_with_time_duration_ending_and_text() {
    let machine = Machine::new();
    machine
        .run("printf '\\033[31m'\nexit 3")
        .code(3)
        .stdout("\u{1b}[31m")
        .check();
    let (text, _) = machine.case(["audit", "show"]).texts();
    assert_eq!(text.lines().count(), 1, "{text}");
    let (_, rest) = text.split_at(19);
    assert!(
        rest.contains("  exited 3      printf '\\033[31m'\\nexit 3\n"),
        "{text}"
    );
}

#[test]
fn filters_hold_together() {
    let machine = Machine::new();
    machine.run("true").check();
    let object = machine.json("cd / && false").code(1).object();
    let shown = |options: &[&str]| {
        machine
            .case(["audit", "show", "--json"])
            .and(options)
            .lines()
            .len()
    };
    assert_eq!(shown(&[]), 2);
    assert_eq!(shown(&["--program", "false"]), 1);
    assert_eq!(shown(&["--program", "false", "--program", "true"]), 2);
    assert_eq!(shown(&["--ending", "denied"]), 0);
    assert_eq!(shown(&["--hook", "audit-log", "--since", "1h"]), 2);
    assert_eq!(shown(&["--until", "1h"]), 0);
    let id = object["id"].as_str().unwrap();
    let one = machine
        .case(["audit", "show", "--json", "--call", id])
        .object();
    assert_eq!(
        (&one["exit_code"], &one["ending"]),
        (&json!(1), &json!("exited"))
    );
    let (_, stderr) = machine
        .case(["audit", "show", "--since", "soon"])
        .code(125)
        .texts();
    assert!(
        stderr.contains("--since: \"soon\": expected a time"),
        "{stderr}"
    );
}

#[test]
fn a_hook_that_changed_or_refused_a_command_is_told() {
    let machine = Machine::with_config(
        "[[hook]]\nname = \"strict\"\ncomponent = \"builtin:command-rewrite\"\nstage = \"rewrite\"\n\
         may = { command = true }\nsettings = { prepend = [\"set -o pipefail\"] }\n",
    );
    machine.run("true").check();
    let shown = machine
        .case(["audit", "show", "--json", "--hook", "strict"])
        .object();
    assert_eq!(
        shown["changed"],
        json!([{"hook": "strict", "fields": ["command"]}])
    );
    assert_eq!(shown["requested"], "true");
    let guard = machine.component("hooks/no-push.wat");
    let hook = format!("guard:{}", guard.display());
    machine
        .json("git push")
        .with(&["--hook", &hook])
        .code(126)
        .object();
    let (text, _) = machine
        .case(["audit", "show", "--ending", "denied"])
        .texts();
    assert!(text.contains("  (no-push.wasm: "), "{text}");
}

#[test]
fn whoever_stops_reading_is_no_error() {
    let machine = Machine::new();
    for _ in 0..3 {
        machine.run("true").check();
    }
    let mut command = machine.case(["audit", "show"]).into_command();
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!((child.wait().unwrap().code(), &*stderr), (Some(0), ""));
}

#[test]
fn a_log_is_followed_from_file_to_file() {
    let machine = Machine::with_config("audit.rotate_size = 1\n");
    machine.run("echo 0").stdout("0\n").check();
    let mut follower = machine
        .case(["audit", "show", "--follow", "--json"])
        .start();
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    for number in 0..4 {
        let line: serde_json::Value =
            serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["command"], format!("echo {number}"));
        if number < 3 {
            let next = number + 1;
            machine
                .run(&format!("echo {next}"))
                .stdout(&format!("{next}\n"))
                .check();
        }
    }
    follower.kill().unwrap();
    follower.wait().unwrap();
}
