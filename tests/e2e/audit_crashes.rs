use std::collections::BTreeSet;
use std::fs;
use std::hash::{BuildHasher as _, RandomState};
use std::time::Instant;

use serde_json::Value;
use spawnhook::audit::{LogFiles, Proof, Verdict, sha256_hex, verify};

use super::case::Machine;

/// How often the host is killed.
const KILLS: u32 = 200;

/// A number from 0 to 1 that depends on the seed and on nothing else.
fn drawn(seed: u64, number: u32) -> f64 {
    let digest = sha256_hex(format!("{seed}/{number}"));
    f64::from(u32::from_str_radix(&digest[..8], 16).unwrap()) / f64::from(u32::MAX)
}

/// The verdict on a log, which must be whole.
fn prove(machine: &Machine, when: &str) -> Verdict {
    let verdict = verify(LogFiles::open(&machine.audit_path()).unwrap(), None).unwrap();
    let is_whole = matches!(verdict.proof, Proof::Whole { .. });
    assert!(is_whole, "{when}: {:?}", verdict.proof);
    verdict
}

/// What the commands have written, each its number.
fn ran(machine: &Machine) -> BTreeSet<u32> {
    let text = fs::read_to_string(machine.path("workspace/ran")).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// The commands that were recorded before their spawn.
fn recorded(records: &[Value]) -> BTreeSet<u32> {
    let spawns = records.iter().filter(|record| record["event"] == "spawn");
    let commands = spawns.map(|record| record["entry"]["command"].as_str().unwrap());
    let numbers = commands.map(|command| command.split(' ').nth(1).unwrap().parse().unwrap());
    numbers.collect()
}

/// The records of all files, without a line that was torn.
fn records(machine: &Machine) -> Vec<Value> {
    let lines = LogFiles::open(&machine.audit_path()).unwrap().lines();
    let records = lines.filter_map(|line| serde_json::from_slice(&line.unwrap().text).ok());
    records.collect()
}

#[test]
fn a_host_that_is_killed_at_any_moment_leaves_a_whole_log_and_no_command_unrecorded() {
    let seed = RandomState::new().hash_one("seed");
    println!("seed {seed}");
    let machine = Machine::with_config("audit.rotate_size = 3000\n");
    machine.run("echo 0 >> ran").check();
    let started = Instant::now();
    machine.run("echo 0 >> ran").check();
    let mut window = started.elapsed();
    let mut before = prove(&machine, "of the start");
    for number in 1..=KILLS {
        let mut host = machine.run(&format!("echo {number} >> ran")).start();
        // The moment is what is tried, and nothing is waited for.
        std::thread::sleep(window.mul_f64(drawn(seed, number)));
        host.kill().unwrap();
        let ended_by_itself = host.wait().unwrap().success();
        let after = prove(&machine, &format!("kill {number} of seed {seed}"));
        let more = after.unended_count - before.unended_count;
        assert!(
            more <= 1,
            "kill {number} of seed {seed}: {more} exit records are missing"
        );
        // A machine is faster or slower at times: the moments stay on both sides of the records.
        if ended_by_itself {
            window = window.mul_f64(0.95);
        } else if after.lines == before.lines {
            window = window.mul_f64(1.05);
        }
        before = after;
    }
    machine.run("echo 0 >> ran").check();
    let (ran, recorded) = (ran(&machine), recorded(&records(&machine)));
    let unrecorded: Vec<_> = ran.difference(&recorded).collect();
    assert!(unrecorded.is_empty(), "seed {seed}: {unrecorded:?} ran");
    check_reports(&machine, seed);
}

/// Of every command that was spawned, and of which there is no exit record, `verify` says so.
fn check_reports(machine: &Machine, seed: u64) {
    let records = records(machine);
    let calls = |event: &str| -> BTreeSet<String> {
        let of_event = records.iter().filter(|record| record["event"] == event);
        of_event
            .map(|record| record["call"].as_str().unwrap().to_owned())
            .collect()
    };
    let (spawned, ended) = (calls("spawn"), calls("exit"));
    let expected = spawned.difference(&ended).count();
    let verdict = machine.case(["audit", "verify", "--json"]).object();
    assert_eq!(verdict["unended_count"], expected, "seed {seed}");
    // Else the moments were none.
    assert!(
        expected > 0 && ended.len() > 3,
        "seed {seed}: {expected} of {}",
        spawned.len()
    );
}

/// With a hook that may be left out.
fn skipping(path: &str) -> String {
    format!(
        "audit.path = {path:?}\n[[hook]]\nname = \"audit-log\"\ncomponent = \"builtin:audit-log\"\n\
         stage = \"audit\"\non_failure = \"skip\"\n"
    )
}

/// Makes the log longer than [`SMALL`] lets a file be.
fn fill(machine: &Machine) {
    let comment = "x".repeat(16_000);
    for _ in 0..2 {
        machine.run(&format!("true # {comment}")).check();
    }
}

/// Room for what the host has in files of its own.
const SMALL: &str = "ulimit -f 32";

#[test]
fn without_room_for_the_record_nothing_runs() {
    let machine = Machine::new();
    fill(&machine);
    let before = machine.audit_lines();
    let object = machine.json("touch ran").under(SMALL).code(125).object();
    assert_eq!(object["ending"], "hook-failed");
    let message = object["message"].as_str().unwrap();
    assert!(message.contains("ulimit -f"), "{message}");
    assert!(!machine.path("workspace/ran").exists());
    assert_eq!(machine.audit_lines(), before);
    machine.case(["audit", "verify"]).texts();
}

#[test]
fn without_room_for_the_record_a_command_runs_with_a_notice_where_the_config_says_so() {
    let machine = Machine::new();
    let log = machine.path("log.jsonl");
    fs::write(
        machine.path("config/spawnhook/config.toml"),
        skipping(log.to_str().unwrap()),
    )
    .unwrap();
    fill(&machine);
    let before = fs::read(&log).unwrap();
    let object = machine.json("touch ran").under(SMALL).object();
    assert!(machine.path("workspace/ran").exists());
    let notices = object["notices"].to_string();
    assert!(notices.contains("ulimit -f"), "{notices}");
    assert_eq!(fs::read(&log).unwrap(), before);
}

/// The one file that neither a user nor root can write to.
const READ_ONLY: &str = "/proc/version";

#[test]
fn with_a_log_that_cannot_be_written_nothing_runs() {
    let machine = Machine::with_config(&format!("audit.path = {READ_ONLY:?}\n"));
    let object = machine.json("touch ran").code(125).object();
    assert_eq!(object["ending"], "hook-failed");
    assert!(
        object["message"].as_str().unwrap().contains(READ_ONLY),
        "{object}"
    );
    assert!(!machine.path("workspace/ran").exists());
}

#[test]
fn with_a_log_that_cannot_be_written_a_command_runs_with_a_notice_where_the_config_says_so() {
    let machine = Machine::with_config(&skipping(READ_ONLY));
    let object = machine.json("touch ran").object();
    assert!(machine.path("workspace/ran").exists());
    assert!(
        object["notices"].to_string().contains(READ_ONLY),
        "{object}"
    );
    assert_eq!(object["hooks"][0]["result"], "skipped");
}
