use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use super::case::Machine;

fn verdict(machine: &Machine) -> Value {
    machine.case(["audit", "verify", "--json"]).object()
}

#[test]
fn hosts_side_by_side_and_inside_each_other_make_one_chain_over_many_files() {
    let machine = Machine::with_config("audit.rotate_size = 2000\n");
    // Compiles the hook for all of them.
    machine.run("true").check();
    let program = env!("CARGO_BIN_EXE_spawnhook");
    let hosts: Vec<_> = (0..16)
        .map(|number| {
            let inner = format!("{program} run -- 'echo inner {number}'");
            machine.run(&format!("{inner}; {inner}")).start()
        })
        .collect();
    for host in hosts {
        let output = host.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let verdict = verdict(&machine);
    assert_eq!(
        (&verdict["whole"], &verdict["first_seq"]),
        (&json!(true), &json!(1))
    );
    assert_eq!(verdict["lines"], 2 + 16 * 6);
    assert_eq!(verdict["unended_count"], 0);
    assert!(verdict["files"].as_array().unwrap().len() > 16, "{verdict}");
    let shown = machine
        .case(["audit", "show", "--json", "--program", "echo"])
        .lines();
    let inner = |command: &Value| {
        command["command"]
            .as_str()
            .unwrap()
            .starts_with("echo inner")
    };
    assert_eq!(shown.iter().filter(|command| inner(command)).count(), 32);
}

#[test]
fn old_files_go_when_the_config_says_so_and_the_proof_says_where_the_chain_starts() {
    let machine = Machine::with_config("audit = { rotate_size = 1, rotate_keep = 2 }\n");
    for _ in 0..3 {
        machine.run("true").check();
    }
    let (text, _) = machine.case(["audit", "verify"]).texts();
    assert!(
        text.starts_with("whole: records 4 to 6, 3 files\n"),
        "{text}"
    );
    assert!(
        text.contains("the chain starts at record 4: older files were removed"),
        "{text}"
    );
    let folder = machine.path("state/spawnhook");
    let names = fs::read_dir(folder).unwrap();
    let names: BTreeSet<_> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected = [
        "audit.jsonl",
        "audit.jsonl.000000000004",
        "audit.jsonl.000000000005",
    ];
    assert_eq!(names, expected.map(str::to_owned).into());
}

#[test]
fn more_files_than_a_process_may_open_are_read_as_well() {
    let machine = Machine::with_config("audit.rotate_size = 1\n");
    for _ in 0..15 {
        machine.run("true").check();
    }
    let (text, _) = machine
        .case(["audit", "verify"])
        .under("ulimit -n 20")
        .texts();
    assert!(
        text.starts_with("whole: records 1 to 30, 30 files\n"),
        "{text}"
    );
}

#[test]
fn what_is_in_the_way_of_a_file_is_never_written_over() {
    let machine = Machine::new();
    machine.run("true").check();
    let taken = machine.path("state/spawnhook/audit.jsonl.000000000002");
    fs::write(&taken, "not ours").unwrap();
    fs::write(
        machine.path("config/spawnhook/config.toml"),
        "audit.rotate_size = 1\n",
    )
    .unwrap();
    let object = machine.json("touch ran").code(125).object();
    let message = object["message"].as_str().unwrap();
    assert!(message.contains("is in the way; move it"), "{message}");
    assert!(!machine.path("workspace/ran").exists());
    assert_eq!(fs::read_to_string(taken).unwrap(), "not ours");
}
