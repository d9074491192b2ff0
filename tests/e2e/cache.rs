use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use spawnhook::compiler::{CompileLimits, CompilerProcess};
use spawnhook_hooks::Compiler as _;

use super::case::Machine;

fn directory(machine: &Machine) -> PathBuf {
    machine.path("home/.cache/spawnhook")
}

fn entries(machine: &Machine) -> Vec<PathBuf> {
    let read = fs::read_dir(directory(machine)).unwrap();
    let mut entries: Vec<_> = read.map(|entry| entry.unwrap().path()).collect();
    entries.retain(|entry| entry.extension().is_some_and(|ending| ending == "code"));
    entries.sort();
    entries
}

/// A machine with the built-in hook and a stranger's, both of them compiled.
fn warm() -> (Machine, String) {
    let machine = Machine::new();
    let guard = machine.component("hooks/no-push.wat");
    let option = format!("--hook=guard:{}", guard.display());
    machine.run("true").with(&[&option]).check();
    assert_eq!(entries(&machine).len(), 2);
    (machine, option)
}

#[test]
fn hooks_are_compiled_once() {
    let (machine, option) = warm();
    let written = |machine: &Machine| -> Vec<_> {
        let entries = entries(machine).into_iter();
        entries
            .map(|entry| fs::metadata(entry).unwrap().modified().unwrap())
            .collect()
    };
    let before = written(&machine);
    machine.run("true").with(&[&option]).check();
    assert_eq!(written(&machine), before);
    let object = machine.json("git push").with(&[&option]).code(126).object();
    assert_eq!(object["ending"], "denied");
    assert_eq!(object["notices"], serde_json::json!([]));
}

#[test]
fn an_entry_that_was_tampered_with_is_told_once_and_compiled_anew() {
    let (machine, option) = warm();
    for entry in entries(&machine) {
        let mut bytes = fs::read(&entry).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&entry, bytes).unwrap();
        let object = machine.json("git push").with(&[&option]).code(126).object();
        let notices = object["notices"].as_array().unwrap();
        assert_eq!(notices.len(), 1, "{notices:?}");
        let notice = notices[0].as_str().unwrap();
        assert!(notice.contains("its checksum does not fit"), "{notice}");
        assert!(notice.contains(entry.to_str().unwrap()), "{notice}");
        machine.run("true").with(&[&option]).check();
    }
}

#[test]
fn a_directory_that_others_can_write_to_is_not_used_and_told() {
    let (machine, option) = warm();
    let directory = directory(&machine);
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o770)).unwrap();
    let told = format!(
        "spawnhook: cache of compiled hooks: {0} has mode 770, so that others can write to it, \
         and is not used; run `chmod go-w {0}`\n",
        directory.display()
    );
    machine.run("true").with(&[&option]).stderr(&told).check();
    machine
        .case(["config", "check"])
        .stdout("the config is valid, and every hook loads: 1\n")
        .stderr(&told)
        .check();
}

#[test]
fn where_no_cache_can_be_there_is_none() {
    let machine = Machine::new();
    // A directory below a file can be made by nobody, root included.
    fs::write(machine.path("home/.cache"), "").unwrap();
    machine.run("echo fine").stdout("fine\n").check();
}

/// A component whose one function has loops within loops, each of which passes all variables on:
/// the compiler's work is the product of both, and more than linear in that.
fn hostile(variables: usize, loops: usize) -> Vec<u8> {
    let mut text = "(component (core module (func".to_owned();
    text.push_str(" (local");
    text.push_str(&" i32".repeat(variables));
    text.push_str(") ");
    text.push_str(&"loop ".repeat(loops));
    for variable in 0..variables {
        write!(
            text,
            "(local.set {variable} (i32.add (local.get {variable}) (local.get 0))) "
        )
        .unwrap();
    }
    text.push_str(&"(br_if 0 (local.get 0)) end ".repeat(loops));
    text.push_str(")))");
    wat::parse_str(text).unwrap()
}

fn compiler(cpu_seconds: u64, mebibytes: u64, wall: Duration) -> CompilerProcess {
    let limits = CompileLimits {
        cpu_seconds,
        memory_bytes: mebibytes << 20,
        wall,
    };
    CompilerProcess::new(env!("CARGO_BIN_EXE_spawnhook").into(), None, limits)
}

#[test]
fn a_component_that_keeps_the_compiler_busy_is_given_up() {
    let long = Duration::from_secs(60);
    let hostile = hostile(5_000, 2_000);
    let refusal = |compiler: CompilerProcess| compiler.try_out(&hostile).unwrap_err();
    assert_eq!(
        refusal(compiler(1, 16_384, long)),
        "it takes more than 1 s of CPU time"
    );
    let memory = refusal(compiler(60, 768, long));
    assert!(
        memory.starts_with("it takes more than 768 MiB of memory"),
        "{memory}"
    );
    assert_eq!(
        refusal(compiler(60, 16_384, Duration::from_millis(200))),
        "it takes more than 200ms"
    );
}

#[test]
fn an_ordinary_component_is_compiled_within_limits() {
    let ordinary = fs::read(super::case::in_tests("guests/wasip2.wasm")).unwrap();
    let limits = compiler(20, 2_048, Duration::from_secs(60));
    assert_eq!(limits.try_out(&ordinary), Ok(()));
    // What is none is found out by the host itself.
    assert_eq!(limits.try_out(b"none"), Ok(()));
}

#[test]
fn the_compiler_is_not_for_people() {
    Machine::new()
        .case(["compile-component"])
        .code(125)
        .stderr("spawnhook: this is for spawnhook itself, which hands over limits and a cache\n")
        .check();
}

/// A deployment with rules enough that reading them pays to be done once.
fn with_rules(extra: &str) -> Machine {
    let mut config = "[[hook]]\nname = \"rules\"\ncomponent = \"builtin:command-rewrite\"\n\
        stage = \"rewrite\"\nmay.command = true\n[hook.settings]\n"
        .to_owned();
    config.push_str(extra);
    for rule in 0..50 {
        write!(
            config,
            "\n[[hook.settings.rules]]\npattern = \"tool{rule}\\\\b\"\nreplace = \"echo {rule}\"\n"
        )
        .unwrap();
    }
    Machine::with_config(&config)
}

fn inspected(machine: &Machine) -> serde_json::Value {
    let (stdout, _) = machine
        .case(["plugin", "inspect", "--json", "rules"])
        .texts();
    let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    object["granted"]["settings_read"].clone()
}

#[test]
fn settings_that_take_long_are_read_once_and_mean_the_same() {
    let machine = with_rules("");
    let outputs = |machine: &Machine| {
        [
            "tool7",
            "tool49 a; tool0",
            "tool50 2>/dev/null || echo none",
        ]
        .map(|command| machine.json(command).object()["output"].clone())
    };
    let before = outputs(&machine);
    assert_eq!(before, ["7\n", "49 a\n0\n", "none\n"]);
    assert_eq!(inspected(&machine), "read in every call");
    machine
        .case(["config", "check"])
        .stdout("the config is valid, and every hook loads: 2\n")
        .check();
    assert_eq!(
        inspected(&machine),
        "read once: calls start from a snapshot"
    );
    assert_eq!(outputs(&machine), before);
    // Other settings are others.
    let config = machine.path("config/spawnhook/config.toml");
    let changed = fs::read_to_string(&config)
        .unwrap()
        .replace("echo 7\"", "echo seven\"");
    fs::write(&config, changed).unwrap();
    assert_eq!(outputs(&machine)[0], "seven\n");
    assert_eq!(inspected(&machine), "read in every call");
}

#[test]
fn settings_with_secrets_in_them_are_kept_nowhere() {
    let machine = with_rules("prepend = [{ env = \"HIDDEN\" }]\n");
    let hidden = "HIDDEN=5e1f; : a very long secret";
    machine
        .case(["config", "check"])
        .env("HIDDEN", hidden)
        .stdout("the config is valid, and every hook loads: 2\n")
        .check();
    for entry in entries(&machine) {
        let bytes = fs::read(entry).unwrap();
        let found = bytes
            .windows(hidden.len())
            .any(|window| window == hidden.as_bytes());
        assert!(!found);
    }
}
