use std::fs;

use serde_json::json;

use super::case::{Machine, in_tests};

#[test]
fn inspect_tells_what_a_component_is_and_asks_for() {
    let machine = Machine::new();
    let (stdout, stderr) = machine
        .case(["plugin", "inspect", "--json", "builtin:audit-log"])
        .texts();
    assert_eq!(stderr, "");
    let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(object["kind"], "component");
    assert_eq!(object["worlds"], json!(["audit-plugin"]));
    assert_eq!(object["granted"]["hook"], "audit-log");
    let imports = object["imports"].as_array().unwrap();
    let import = |name: &str| {
        imports
            .iter()
            .find(|import| import["name"] == name)
            .unwrap()
    };
    let audit = import("spawnhook:hook/audit-log@0.1.0");
    assert_eq!(audit["functions"], json!(["append"]));
    assert_eq!(audit["status"], "offered in stage audit");
}

#[test]
fn the_digest_is_that_of_the_file() {
    let machine = Machine::new();
    let file = machine.component("hooks/no-push.wat");
    let (stdout, _) = machine
        .case(["plugin", "inspect", "--json", file.to_str().unwrap()])
        .texts();
    let object: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let bytes = fs::read(file).unwrap();
    assert_eq!(object["sha256"], spawnhook::audit::sha256_hex(&bytes));
    assert_eq!(object["size_bytes"], bytes.len());
    assert_eq!(object["granted"], json!(null));
}

#[test]
fn an_ordinary_wasi_guest_gets_its_imports_with_nothing_behind_them() {
    let machine = Machine::new();
    let file = in_tests("guests/wasip2.wasm");
    let (stdout, _) = machine
        .case(["plugin", "inspect", file.to_str().unwrap()])
        .texts();
    assert!(
        stdout.contains("worlds     spawn-plugin, audit-plugin\n"),
        "{stdout}"
    );
    let filesystem = stdout
        .lines()
        .find(|line| line.contains("wasi:filesystem/types@"))
        .unwrap();
    assert!(
        filesystem.ends_with("(offered, with nothing behind it)"),
        "{filesystem}"
    );
}

#[test]
fn a_file_that_is_no_component_is_called_what_it_is() {
    let machine = Machine::new();
    let module = machine.path("module.wasm");
    fs::write(&module, wat::parse_str("(module)").unwrap()).unwrap();
    let (stdout, _) = machine
        .case(["plugin", "inspect", module.to_str().unwrap()])
        .texts();
    assert!(stdout.contains("kind       core module"), "{stdout}");
    let (_, stderr) = machine
        .case(["plugin", "inspect", "gone.wasm"])
        .code(125)
        .texts();
    assert!(stderr.contains("gone.wasm"), "{stderr}");
}
