//! `plugin run` and `plugin bench`.

use std::fs;

use serde_json::json;

use super::case::{Machine, in_tests};

#[test]
fn a_change_is_told_with_its_cost_and_within_the_rights_that_were_given() {
    let machine = Machine::new();
    let run = |rights: &[&'static str]| {
        let mut arguments = vec!["plugin", "run", "--json", "--settings"];
        arguments.push(r#"{"set":{"CI":"1"},"unset":["DEBUG"]}"#);
        arguments.extend(["--env", "DEBUG=1", "--env", "HOME=/"]);
        arguments.extend(rights);
        arguments.extend(["builtin:env-inject", "--", "make"]);
        machine.case(arguments)
    };
    let object = run(&[]).object();
    assert_eq!(object["decision"], "changed");
    assert_eq!(
        object["changed"]["env"],
        json!({ "CI": "1", "DEBUG": null })
    );
    assert_eq!(object["may"]["set_env"], json!(["*"]));
    assert!(object["memory_bytes"].as_u64().unwrap() > 0);
    assert!(object["instantiate_micros"].as_u64().unwrap() > 0);
    let object = run(&["--may-set-env", "EDITOR"]).code(1).object();
    assert_eq!(object["decision"], "failed");
    let text = object["text"].as_str().unwrap();
    assert!(
        text.starts_with("overstepped: ") && text.contains("may.set_env"),
        "{text}"
    );
}

#[test]
fn people_see_what_changed_line_by_line() {
    let machine = Machine::new();
    let settings = machine.path("settings.json");
    fs::write(&settings, r#"{"prepend":["set -e"]}"#).unwrap();
    let settings = settings.to_str().unwrap();
    let arguments = [
        "plugin",
        "run",
        "--settings",
        settings,
        "builtin:command-rewrite",
    ];
    let (stdout, _) = machine.case(arguments).and(&["--", "npm", "test"]).texts();
    assert!(stdout.contains("decision   changed\n"), "{stdout}");
    assert!(
        stdout.contains("  + set -e\n") && stdout.contains("    npm test\n"),
        "{stdout}"
    );
    assert!(
        stdout.contains("µs to instantiate") && stdout.contains("memory "),
        "{stdout}"
    );
}

#[test]
fn an_audit_hook_shows_what_it_would_have_recorded() {
    let machine = Machine::new();
    let object = machine
        .case(["plugin", "run", "--json", "builtin:audit-log", "--", "ls"])
        .object();
    assert_eq!(object["stage"], "audit");
    let entries = object["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2, "{object}");
    assert!(
        entries[0].as_str().unwrap().contains("\"command\":\"ls\""),
        "{object}"
    );
    assert!(machine.audit_lines().is_empty());
}

#[test]
fn what_is_wrong_with_the_arguments_is_told() {
    let machine = Machine::new();
    for (arguments, part) in [
        (["--settings", "gone.json"], "gone.json"),
        (["--settings", "{"], "--settings: no JSON"),
        (["--stage", "middle"], "rewrite, guard, audit"),
        (["--env", "A"], "NAME=VALUE"),
    ] {
        let case = machine.case(["plugin", "run"]).and(&arguments);
        let case = case.and(&["builtin:env-inject", "--", "ls"]);
        let (_, stderr) = case.code(125).texts();
        assert!(stderr.contains(part), "{part} in {stderr}");
    }
}

#[test]
fn a_regression_of_the_count_of_instructions_fails() {
    let machine = Machine::new();
    let hook = in_tests("../plugins/env-inject");
    let bench = |more: &[&str]| {
        let hook = hook.to_str().unwrap();
        machine
            .case([
                "plugin",
                "bench",
                "--calls",
                "3",
                hook,
                "--baseline",
                "base.json",
            ])
            .and(more)
    };
    let (_, stderr) = bench(&[]).code(125).texts();
    assert!(
        stderr.contains("base.json") && stderr.contains("--save-baseline"),
        "{stderr}"
    );
    let (stdout, _) = bench(&["--save-baseline"]).texts();
    assert!(stdout.contains("variables are set and unset"), "{stdout}");
    bench(&["--tolerance", "0"]).texts();
    let baseline = machine.path("workspace/base.json");
    let text = fs::read_to_string(&baseline).unwrap();
    let mut counts: serde_json::Value = serde_json::from_str(&text).unwrap();
    let count = &mut counts["instructions"]["variables are set and unset"];
    *count = (count.as_u64().unwrap() * 9 / 10).into();
    fs::write(&baseline, counts.to_string()).unwrap();
    let (_, stderr) = bench(&[]).code(1).texts();
    assert!(stderr.contains("variables are set and unset"), "{stderr}");
}
