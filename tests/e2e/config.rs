use std::fs;

use super::case::Machine;

#[test]
fn a_config_that_is_wrong_is_told_with_its_place() {
    let machine = Machine::with_config("[limits]\nmax_lines = 10\nmax_line = 5\n");
    let object = machine.json("touch ran").code(125).object();
    assert_eq!(object["ending"], "host-failed");
    let message = object["message"].as_str().unwrap();
    assert!(message.contains("config.toml:3:1: "), "{message}");
    assert!(message.contains("max_line"), "{message}");
    assert!(!machine.path("workspace/ran").exists());
    let (stdout, stderr) = machine.case(["config", "check"]).code(125).texts();
    assert_eq!(stdout, "");
    assert_eq!(stderr, format!("spawnhook: {message}\n"));
}

#[test]
fn a_file_that_was_named_must_exist() {
    let machine = Machine::new();
    let (_, stderr) = machine
        .case(["config", "check", "--config", "gone.toml"])
        .code(125)
        .texts();
    assert!(stderr.contains("gone.toml"), "{stderr}");
}

#[test]
fn check_loads_every_hook() {
    let machine = Machine::new();
    machine
        .case(["config", "check"])
        .stdout("the config is valid, and every hook loads: 1\n")
        .check();
    let machine = Machine::with_config(
        "[[hook]]\nname = \"x\"\ncomponent = \"builtin:no-such\"\nstage = \"guard\"\n",
    );
    let (_, stderr) = machine.case(["config", "check"]).code(125).texts();
    assert!(stderr.contains("`builtin:no-such`"), "{stderr}");
    assert!(stderr.contains("`builtin:audit-log`"), "{stderr}");
}

#[test]
fn show_tells_where_each_value_came_from_and_hides_secrets() {
    let machine = Machine::with_config(
        "[limits]\nmax_lines = 10\n[env]\nset = { API = { env = \"OF_HOST\" } }\n",
    );
    let (stdout, stderr) = machine
        .case(["config", "show"])
        .env("OF_HOST", "hunter2")
        .texts();
    assert_eq!(stderr, "");
    let line = stdout
        .lines()
        .find(|line| line.contains("max_lines"))
        .unwrap();
    assert!(
        line.contains("10") && line.contains("config.toml:2"),
        "{line}"
    );
    assert!(stdout.contains("built-in"), "{stdout}");
    assert!(!stdout.contains("hunter2"), "{stdout}");
}

#[test]
fn what_is_shown_is_a_config() {
    let machine = Machine::new();
    let (shown, _) = machine.case(["config", "show"]).texts();
    fs::write(machine.path("workspace/shown.toml"), &shown).unwrap();
    let (again, _) = machine
        .case(["config", "show", "--config", "shown.toml"])
        .texts();
    let values = |text: &str| -> toml::Table { text.parse().unwrap() };
    assert_eq!(values(&again), values(&shown));
}

#[test]
fn limits_of_the_output_are_those_of_the_deployment() {
    let machine = Machine::with_config("[limits]\nmax_lines = 2\n");
    let object = machine.json("seq 5").object();
    assert_eq!(object["output"], "4\n5");
    assert_eq!(object["truncation"]["first_line"], 4);
}

#[test]
fn a_fixed_directory_takes_no_other() {
    let machine = Machine::with_config("[workspace]\ncwd = \"fixed\"\n");
    fs::create_dir(machine.path("workspace/sub")).unwrap();
    machine.json("true").object();
    let object = machine
        .json("true")
        .with(&["--cwd", "sub"])
        .code(125)
        .object();
    assert!(
        object["message"].as_str().unwrap().contains("fixed"),
        "{object}"
    );
}
