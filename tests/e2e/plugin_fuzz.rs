//! What `plugin fuzz` finds.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::case::{Machine, in_tests};

/// The folder of a hook from `tests/`, with the tests that it starts with.
fn project(machine: &Machine, text: &str, more: &str) -> PathBuf {
    let component = machine.component(text);
    let file = machine.path("workspace/hook-tests.toml");
    let head = format!(
        "component = {:?}\nstage = \"rewrite\"\n",
        component.display()
    );
    fs::write(&file, head + more).unwrap();
    file
}

/// Searches a planted fault, and sees to it that a test replays what was found.
#[track_caller]
fn finds(fault: &str, more: &str, invariant: &str, class: Option<&str>) -> Value {
    let machine = Machine::new();
    let file = project(&machine, &format!("faults/{fault}.wat"), more);
    let before = fs::read_to_string(&file).unwrap();
    let search = ["plugin", "fuzz", "--json", "--seconds", "60", "--seed", "7"];
    let report = machine.case(search).code(1).object();
    let finding = &report["finding"];
    assert_eq!(finding["invariant"], invariant, "{report}");
    assert_eq!(finding["class"].as_str(), class, "{report}");
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.starts_with(&before) && after.len() > before.len());
    let name = finding["fixture"].as_str().unwrap();
    let (stdout, _) = machine.case(["plugin", "test"]).code(1).texts();
    assert!(stdout.contains(&format!("FAILED  {name}\n")), "{stdout}");
    finding.clone()
}

fn length(finding: &Value) -> usize {
    finding["command"].as_str().unwrap().chars().count()
}

#[test]
fn a_panic_in_the_middle_of_a_character_is_found() {
    let finding = finds("cuts-a-character", "", "works", Some("panicked"));
    assert!(length(&finding) <= 21, "{finding}");
}

#[test]
fn a_cost_that_grows_with_the_square_is_found() {
    finds("costs-the-square", "", "works", Some("cpu-limit"));
}

#[test]
fn a_decision_that_depends_on_the_call_is_found() {
    finds("depends-on-the-call", "", "repeatable", None);
}

#[test]
fn a_change_outside_the_rights_is_found() {
    let rights = "may = { see_env = [\"*\"] }\n";
    finds("unsets-a-variable", rights, "works", Some("overstepped"));
}

#[test]
fn a_quote_that_gets_lost_is_found() {
    let asked = "may = { command = true }\n[fuzz]\nparses = true\n";
    let finding = finds("loses-a-quote", asked, "parses", None);
    assert!(length(&finding) <= 8, "{finding}");
}

#[test]
fn a_good_hook_survives_and_no_class_of_cases_is_rare() {
    let machine = Machine::new();
    let more = "may = { see_env = [\"*\"] }\n[fuzz]\nidempotent = true\nkeeps_empty = true\n";
    let file = project(&machine, "faults/none.wat", more);
    let before = fs::read_to_string(&file).unwrap();
    let search = ["plugin", "fuzz", "--json", "--cases", "320", "--seed", "1"];
    let report = machine.case(search).object();
    assert_eq!(report["finding"], Value::Null);
    assert_eq!(
        (&report["cases"], &report["decisions"]["unchanged"]),
        (&320.into(), &320.into())
    );
    let classes = report["classes"].as_object().unwrap();
    assert!(classes.len() >= 8);
    assert!(
        classes
            .values()
            .all(|share| share.as_f64().unwrap() >= 0.05),
        "{report}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn a_finding_is_told_to_people_with_where_it_is_kept() {
    let machine = Machine::new();
    let file = project(&machine, "faults/depends-on-the-call.wat", "");
    let before = fs::read_to_string(&file).unwrap();
    let search = ["plugin", "fuzz", "--cases", "50", "--seed", "3"];
    let (dry, _) = machine.case(search).and(&["--dry-run"]).code(1).texts();
    assert!(dry.contains("repeatable does not hold"), "{dry}");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    let (stdout, stderr) = machine.case(search).code(1).texts();
    assert!(
        stdout.contains("added as the test \"found: repeatable\""),
        "{stdout}"
    );
    assert!(
        stdout.contains("seed 3") && stderr.is_empty(),
        "{stdout}{stderr}"
    );
}

#[test]
fn the_first_party_hooks_survive_a_short_search() {
    let machine = Machine::new();
    for hook in [
        "audit-log",
        "command-policy",
        "command-rewrite",
        "env-inject",
    ] {
        let folder = in_tests("../plugins").join(hook);
        let folder = folder.to_str().unwrap();
        let search = [
            "plugin",
            "fuzz",
            "--dry-run",
            "--cases",
            "160",
            "--seed",
            "5",
            folder,
        ];
        machine.case(search).texts();
    }
}
