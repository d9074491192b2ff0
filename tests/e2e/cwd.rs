use std::fs;
use std::process::Command;

use super::case::Machine;

#[test]
fn a_missing_directory_is_an_error_of_its_own() {
    let machine = Machine::new();
    let missing = machine.workspace().join("missing");
    let object = machine
        .json("true")
        .with(&["--cwd", "missing"])
        .code(125)
        .object();
    assert_eq!(
        object["message"],
        format!(
            "Working directory does not exist: {}\nCannot execute bash commands.",
            missing.display()
        )
    );
}

#[test]
fn a_directory_that_was_removed_is_told_with_the_way_out() {
    let machine = Machine::new();
    let gone = machine.path("gone");
    fs::create_dir(&gone).unwrap();
    let script = "rmdir \"$PWD\"; exec \"$0\" run -- true";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_spawnhook")])
        .current_dir(gone)
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(stderr.contains("go to one that exists"), "{stderr}");
}

#[test]
fn a_directory_outside_the_workspace_is_refused() {
    let machine = Machine::new();
    let object = machine
        .json("true")
        .with(&["--cwd", "/"])
        .code(125)
        .object();
    assert_eq!(object["ending"], "invalid");
    assert!(object["message"].as_str().unwrap().contains("outside"));
}
