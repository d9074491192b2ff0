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
    Machine::new()
        .run("true")
        .under("mkdir ../gone; cd ../gone; rmdir \"$PWD\"")
        .code(125)
        .stderr(
            "spawnhook: cannot tell the current directory; go to one that exists: \
             No such file or directory (os error 2)\n",
        )
        .check();
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
