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
fn check_warns_of_rules_that_let_secrets_through() {
    let machine = Machine::with_config("env = { inherit = [\"MY_*\"], exclude = [\"*KEY*\"] }\n");
    let (stdout, stderr) = machine.case(["config", "check"]).texts();
    assert!(stdout.starts_with("the config is valid"), "{stdout}");
    assert!(
        stderr.starts_with("spawnhook: commands get variables named like secrets: "),
        "{stderr}"
    );
    // what it warns of is so
    let object = machine
        .json("echo $MY_TOKEN")
        .env("MY_TOKEN", "shown")
        .object();
    assert_eq!(object["output"], "shown\n");
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

#[test]
fn the_system_limits_what_the_deployment_limits() {
    let machine = Machine::with_config("[process]\nfile_size = \"1KiB\"\nopen_files = 20\n");
    let object = machine
        .json("exec head -c 100000 /dev/zero > file")
        .code(153)
        .object();
    assert_eq!(
        object["message"],
        "(no output)\n\nCommand exited with code 153 (killed by signal 25, SIGXFSZ)"
    );
    machine
        .run("ulimit -n; ulimit -c")
        .stdout("20\n0\n")
        .check();
}

#[test]
fn a_command_that_computes_too_long_says_so() {
    let machine = Machine::with_config("[process]\ncpu = \"1s\"\n");
    let object = machine.json("while :; do :; done").code(152).object();
    assert_eq!(
        object["message"],
        "(no output)\n\nCommand exited with code 152 (killed by signal 24, SIGXCPU)"
    );
}

#[test]
fn a_request_gets_no_more_than_the_deployment_leaves_to_leftovers() {
    let machine = Machine::with_config("[limits]\nleftovers = \"kill\"\n");
    let object = machine
        .json("sleep 60 & echo $!")
        .with(&["--leftovers", "keep"])
        .object();
    assert_eq!(
        object["notices"],
        serde_json::json!(["leftovers are not left to `keep`, since this deployment says `kill`"])
    );
    let pid = object["output"].as_str().unwrap().trim();
    assert!(!std::path::Path::new("/proc").join(pid).exists());
}
