//! Every guest of `tests/guests` in a deployment: it ends as its header says, in time, and harms
//! neither the host nor the hook behind it.

use std::fmt::Write as _;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use spawnhook_model::Stage;

use super::case::Machine;
use super::guests::{Guest, guests};

/// A second for the guest and its limits, and what a busy machine may add.
const BOUND: Duration = Duration::from_secs(1 + 3);

#[test]
fn rewriting_guests_end_as_their_headers_say() {
    check_all(Stage::Rewrite);
}

#[test]
fn guarding_guests_end_as_their_headers_say() {
    check_all(Stage::Guard);
}

#[test]
fn auditing_guests_end_as_their_headers_say() {
    check_all(Stage::Audit);
}

fn check_all(stage: Stage) {
    let guests: Vec<Guest> = guests()
        .into_iter()
        .filter(|guest| guest.stage == stage)
        .collect();
    assert!(!guests.is_empty());
    thread::scope(|scope| {
        for part in guests.chunks(guests.len().div_ceil(2)) {
            scope.spawn(move || part.iter().for_each(check));
        }
    });
}

fn check(guest: &Guest) {
    if guest.expect.starts_with("load:") {
        return check_load(guest);
    }
    match guest.expect.as_str() {
        "ok" => check_answer(guest, 0),
        "denied" | "asked" => check_answer(guest, 126),
        _ if guest.after_exit => check_after_exit(guest),
        _ => {
            check_stopped(guest);
            check_skipped(guest);
        }
    }
}

/// Nothing runs, whatever `on_failure` says.
fn check_load(guest: &Guest) {
    let machine = machine(guest, "skip");
    let object = run(guest, &machine, 125);
    assert_eq!(object["ending"], "host-failed", "{}", guest.name);
    assert!(!ran(&machine), "{}", guest.name);
    let message = object["message"].as_str().unwrap();
    // Rights that no hook of a stage can have are refused by the config, in its own words.
    if guest.stage == Stage::Rewrite || guest.rights.is_empty() {
        assert!(message.contains("`guest`"), "{}: {message}", guest.name);
        assert_says(guest, message);
    }
}

fn check_answer(guest: &Guest, code: i32) {
    let machine = machine(guest, "deny");
    let object = run(guest, &machine, code);
    let as_it_came = object["command"] == "set -e\ntouch ran";
    assert_eq!(ran(&machine), code == 0 && as_it_came, "{}", guest.name);
    let result = report(&object, "guest")["result"].as_str().unwrap();
    let told = [&object["message"], &object["command"]].map(|text| text.as_str().unwrap());
    assert_says(
        guest,
        &format!("{result}\n{}\n{}", told.join("\n"), notices(&object)),
    );
    if code == 0 {
        assert_unharmed(guest, &object);
    }
}

fn check_stopped(guest: &Guest) {
    let machine = machine(guest, "deny");
    let object = run(guest, &machine, 125);
    assert_eq!(object["ending"], "hook-failed", "{}", guest.name);
    assert!(!ran(&machine), "{}", guest.name);
    let report = report(&object, "guest");
    assert_eq!(
        report["failure"]["class"],
        guest.expect.as_str(),
        "{}",
        guest.name
    );
    assert_says(guest, object["message"].as_str().unwrap());
    let records = machine.audit();
    assert_eq!(
        records.last().unwrap()["ending"],
        "hook-failed",
        "{}",
        guest.name
    );
}

fn check_skipped(guest: &Guest) {
    let machine = machine(guest, "skip");
    let object = run(guest, &machine, 0);
    assert!(ran(&machine), "{}", guest.name);
    let report = report(&object, "guest");
    assert_eq!(report["result"], "skipped", "{}", guest.name);
    assert_eq!(
        report["failure"]["class"],
        guest.expect.as_str(),
        "{}",
        guest.name
    );
    assert!(
        notices(&object).contains("hook `guest`: failed and was left out"),
        "{}",
        guest.name
    );
    assert_unharmed(guest, &object);
    let records = machine.audit();
    let exit = records
        .iter()
        .rfind(|record| record["event"] == "exit")
        .unwrap();
    assert_eq!(exit["skipped"][0]["hook"], "guest", "{}", guest.name);
    assert_eq!(
        exit["skipped"][0]["class"],
        guest.expect.as_str(),
        "{}",
        guest.name
    );
}

/// A failure after the end is a notice, and the host writes the record.
fn check_after_exit(guest: &Guest) {
    let machine = machine(guest, "deny");
    let object = run(guest, &machine, 0);
    assert!(ran(&machine), "{}", guest.name);
    assert_says(guest, &notices(&object));
    let records = machine.audit();
    let of_guest = records.iter().filter(|record| record["hook"] == "guest");
    assert_eq!(of_guest.count(), 2, "{}", guest.name);
}

fn machine(guest: &Guest, on_failure: &str) -> Machine {
    let machine = Machine::new();
    fs::write(machine.path("guest.wasm"), &guest.component).unwrap();
    let behind = match guest.stage {
        Stage::Rewrite => "good",
        Stage::Guard => "good-guard",
        Stage::Audit => "audit-records",
    };
    fs::write(machine.path("behind.wasm"), Guest::named(behind).component).unwrap();
    let settings: Value = serde_json::from_str(&guest.settings).unwrap();
    let mut config = "[shell]\nprefix = \"set -e\"\n".to_owned();
    for (name, rights, settings) in [
        ("guest", &*guest.rights, Some(settings)),
        ("behind", &[], None),
    ] {
        let component = machine.path(&format!("{name}.wasm"));
        writeln!(
            config,
            "[[hook]]\nname = \"{name}\"\ncomponent = \"{}\"\nstage = \"{}\"\non_failure = \"{on_failure}\"",
            component.display(),
            guest.stage
        )
        .unwrap();
        writeln!(config, "may = {}", may(rights)).unwrap();
        if name == "guest" && guest.interpreted {
            writeln!(config, "limits = {{ profile = \"interpreted\" }}").unwrap();
        }
        if let Some(settings) = settings {
            let settings = toml::Value::try_from(settings).unwrap();
            writeln!(config, "settings = {settings}").unwrap();
        }
    }
    fs::write(machine.path("config/spawnhook/config.toml"), config).unwrap();
    machine
}

/// The rights of a header as an inline table.
fn may(rights: &[String]) -> String {
    let mut parts: Vec<String> = Vec::new();
    for list in ["see_env", "set_env", "unset_env"] {
        let globs = rights
            .iter()
            .filter_map(|right| right.strip_prefix(&format!("{list}=")));
        let globs: Vec<String> = globs.map(|glob| format!("\"{glob}\"")).collect();
        if !globs.is_empty() {
            parts.push(format!("{list} = [{}]", globs.join(", ")));
        }
    }
    for flag in ["command", "cwd"] {
        if rights.iter().any(|right| right == flag) {
            parts.push(format!("{flag} = true"));
        }
    }
    format!("{{ {} }}", parts.join(", "))
}

/// Runs a command with the guest in the deployment; again if the machine was too busy to tell
/// whether the limits hold.
fn run(guest: &Guest, machine: &Machine, code: i32) -> Value {
    let attempt = || {
        let started = Instant::now();
        let object = machine
            .json("touch ran")
            .with(&["--env", "VISIBLE=1"])
            .code(code)
            .object();
        (object, started.elapsed())
    };
    let (mut object, mut took) = attempt();
    for _ in 0..2 {
        if took >= BOUND {
            (object, took) = attempt();
        }
    }
    assert!(took < BOUND, "{}: {took:?}", guest.name);
    object
}

fn ran(machine: &Machine) -> bool {
    machine.path("workspace/ran").exists()
}

fn report<'a>(object: &'a Value, name: &str) -> &'a Value {
    let reports = object["hooks"].as_array().unwrap();
    reports
        .iter()
        .find(|report| report["name"] == name)
        .unwrap_or_else(|| panic!("{name} has no report: {object}"))
}

fn notices(object: &Value) -> String {
    let notices = object["notices"].as_array().unwrap().iter();
    notices
        .map(|notice| notice.as_str().unwrap())
        .collect::<Vec<_>>()
        .join("\n")
}

fn assert_unharmed(guest: &Guest, object: &Value) {
    let result = &report(object, "behind")["result"];
    assert_eq!(result, "unchanged", "behind {}", guest.name);
}

#[track_caller]
fn assert_says(guest: &Guest, text: &str) {
    for says in &guest.says {
        assert!(
            text.contains(says),
            "{} says no `{says}`: {text}",
            guest.name
        );
    }
}
