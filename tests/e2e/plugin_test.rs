//! `plugin test`.

use std::fs;

use super::case::{Machine, in_tests};

/// A machine whose workspace has tests of a hook that denies `git push`.
fn machine(tests: &str) -> Machine {
    let machine = Machine::new();
    let component = machine.component("hooks/no-push.wat");
    let head = format!("component = {:?}\nstage = \"guard\"\n", component.display());
    fs::write(machine.path("workspace/hook-tests.toml"), head + tests).unwrap();
    machine
}

#[test]
fn the_first_party_hooks_pass_their_tests() {
    let machine = Machine::new();
    let folders = [
        "audit-log",
        "command-policy",
        "command-rewrite",
        "env-inject",
    ];
    let folders = folders.map(|hook| in_tests("../plugins").join(hook));
    let arguments = ["plugin", "test"].map(std::ffi::OsString::from);
    let arguments = arguments.into_iter().chain(folders.map(Into::into));
    let (stdout, stderr) = machine.case(arguments).texts();
    assert!(
        stdout.ends_with("0 failed\n") && stderr.is_empty(),
        "{stdout}{stderr}"
    );
}

#[test]
fn a_test_that_fails_says_what_was_expected_and_what_came() {
    let tests = r#"
[[test]]
name = "runs"
command = "ls"
expect = "unchanged"

[[test]]
name = "is asked"
command = "git push"
expect = { ask = "push?" }
"#;
    let machine = machine(tests);
    let junit = machine.path("junit.xml");
    let junit = junit.to_str().unwrap();
    let case = machine.case(["plugin", "test", "--junit", junit]).code(1);
    let (stdout, _) = case.texts();
    assert!(
        stdout.contains("  ok      runs\n  FAILED  is asked\n"),
        "{stdout}"
    );
    assert!(
        stdout.contains("expected asked with \"push?\"; it was denied: "),
        "{stdout}"
    );
    assert!(stdout.ends_with("\n1 passed, 1 failed\n"), "{stdout}");
    let xml = fs::read_to_string(junit).unwrap();
    assert!(
        xml.contains("tests=\"2\" skipped=\"0\" failures=\"1\" errors=\"0\""),
        "{xml}"
    );
    assert!(xml.contains("<testcase name=\"is asked\""), "{xml}");
}

#[test]
fn where_there_are_no_tests_it_is_told_what_they_are() {
    let machine = Machine::new();
    let (_, stderr) = machine.case(["plugin", "test"]).code(125).texts();
    assert!(
        stderr.contains("hook-tests.toml") && stderr.contains("plugin new"),
        "{stderr}"
    );
}

#[test]
fn a_file_of_tests_that_is_wrong_is_told_with_the_line() {
    let machine = machine("\n[[test]]\nname = \"x\"\ncommand = \"ls\"\nexpect = \"sad\"\n");
    let (_, stderr) = machine.case(["plugin", "test"]).code(125).texts();
    assert!(
        stderr.contains("line 7") && stderr.contains("`sad`"),
        "{stderr}"
    );
}
