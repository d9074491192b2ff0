//! Many calls at once over one connection, half of them given up at random times.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

use super::super::case::{Machine, wait_until};
use super::{Mcp, text};

const CALLS: usize = 64;
const ROUNDS: usize = 6;

/// Rounds after which a server has all the memory that it needs for what follows: in these, every
/// call is made at once.
const WARM_UP: usize = 2;

/// Within this time a round's calls are made, and those that are given up given up.
const SPREAD_MILLIS: u64 = 700;

/// Has the allocator of the system return what was freed, so that what is left is in use. See
/// mallopt(3).
const RETURNING: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "32768"),
    ("MALLOC_TRIM_THRESHOLD_", "65536"),
];

/// What is left differs from round to round by less. It is 12 KiB for each call after the warm-up;
/// one that were kept would have buffers of more than 100.
const NOISE_KIB: u64 = 3 * 1024;

/// A variable that every command of this machine has, and nothing else.
const MARK: &str = "SPAWNHOOK_CROWD";

/// One call, and what becomes of it.
#[derive(Debug)]
struct Call {
    command: String,
    /// What it is answered with, unless it never ends by itself.
    expected: Option<String>,
    start_at: u64,
    cancel_at: Option<u64>,
}

impl Call {
    /// Half of the calls are given up. Of these half would never end, in more than one session,
    /// and the others may end before.
    fn random(number: usize, spread: u64, random: &mut StdRng) -> Self {
        let sleep = random.random_range(0..500);
        let ends = format!("sleep 0.{sleep:03}; seq 300; echo {number}");
        let lines: String = (1..=300).map(|line| format!("{line}\n")).collect();
        let start_at = random.random_range(0..=spread);
        let expected = Some(format!("{lines}{number}\n"));
        let is_given_up = number < CALLS / 2;
        let (command, expected) = if is_given_up && number.is_multiple_of(2) {
            let command = "trap '' TERM; (setsid sleep 1000 &); seq 100000; sleep 1000";
            (command.to_owned(), None)
        } else {
            (ends, expected)
        };
        Self {
            command,
            expected,
            start_at,
            cancel_at: is_given_up.then(|| start_at + random.random_range(0..SPREAD_MILLIS)),
        }
    }
}

/// What the system says of a process.
#[derive(Debug)]
struct Size {
    memory_kib: u64,
    descriptors: usize,
}

fn size(pid: &str) -> Size {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory = memory.unwrap().trim().trim_end_matches(" kB");
    Size {
        memory_kib: memory.parse().unwrap(),
        descriptors: fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count(),
    }
}

/// The processes of commands that live, by pid.
fn living(mark: &str) -> Vec<String> {
    let mark = format!("{MARK}={mark}");
    let is_ours = |environment: Vec<u8>| {
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == mark.as_bytes())
    };
    let processes = fs::read_dir("/proc").unwrap();
    let pids = processes.filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    pids.filter(|pid| fs::read(format!("/proc/{pid}/environ")).is_ok_and(is_ours))
        .collect()
}

/// Makes the calls and gives up some, each at its time, and returns the ids of all.
fn play(mcp: &mut Mcp, calls: &[Call]) -> Vec<u64> {
    let starts = calls.iter().map(|call| call.start_at);
    let starts = starts.enumerate().map(|(at, time)| (time, false, at));
    let ends = calls.iter().enumerate();
    let ends = ends.filter_map(|(at, call)| Some((call.cancel_at?, true, at)));
    let mut script: Vec<_> = starts.chain(ends).collect();
    script.sort_unstable();
    let began = Instant::now();
    let mut ids = vec![0; calls.len()];
    for (millis, is_end, at) in script {
        thread::sleep(Duration::from_millis(millis).saturating_sub(began.elapsed()));
        if is_end {
            mcp.cancel(ids[at]);
        } else {
            ids[at] = mcp.start_call("bash", json!({"command": calls[at].command}));
        }
    }
    ids
}

/// Whoever has given up has no answer, or the one that was on its way: what calls would have been
/// answered with, by their ids.
type GivenUp = BTreeMap<u64, Option<String>>;

/// Whoever did not give up is answered.
fn check_answers(mcp: &Mcp, calls: Vec<Call>, ids: Vec<u64>, given_up: &mut GivenUp) {
    for (call, id) in calls.into_iter().zip(ids) {
        if call.cancel_at.is_some() {
            given_up.insert(id, call.expected);
            continue;
        }
        let answer = mcp.answer(id);
        assert_eq!(text(&answer["result"]), call.expected.unwrap());
    }
}

/// Nobody is answered twice, and nobody who had no call to be answered.
fn check_the_rest(mcp: &mut Mcp, mut given_up: GivenUp) {
    mcp.client.close_input();
    for line in mcp.client.rest_to_the_end() {
        let expected = line["id"].as_u64().and_then(|id| given_up.remove(&id));
        let expected = expected.unwrap_or_else(|| panic!("nobody waits for it: {line}"));
        let expected = expected.unwrap_or_else(|| panic!("it has ended: {line}"));
        assert_eq!(text(&line["result"]), expected);
    }
}

#[test]
fn of_many_calls_those_that_are_given_up_end_and_the_others_are_answered() {
    let seed = std::env::var("SPAWNHOOK_SEED").map_or_else(
        |_| rand::random(),
        |seed| seed.parse().expect("SPAWNHOOK_SEED is a number"),
    );
    println!("SPAWNHOOK_SEED={seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let mark = format!("{}-{seed}", std::process::id());
    let machine = Machine::with_config(&format!("env.set.{MARK} = \"{mark}\""));
    let server = RETURNING
        .iter()
        .fold(machine.case(["mcp"]), |case, (name, value)| {
            case.env(name, value)
        });
    let mut mcp = Mcp::of(server, json!({}));
    let (mut sizes, mut given_up) = (Vec::new(), GivenUp::new());
    for round in 1..=ROUNDS {
        let spread = if round <= WARM_UP { 0 } else { SPREAD_MILLIS };
        let calls = (0..CALLS).map(|number| Call::random(number, spread, &mut random));
        let mut calls: Vec<_> = calls.collect();
        calls.shuffle(&mut random);
        let ids = play(&mut mcp, &calls);
        wait_until("every call has its last record", || {
            let records = machine.audit();
            let ends = records.iter().filter(|record| record["event"] != "spawn");
            ends.count() == round * CALLS
        });
        // Records of what was stopped are written when it is gone.
        assert_eq!(living(&mark), [""; 0], "something lives on");
        check_answers(&mcp, calls, ids, &mut given_up);
        wait_until("no call is listed", || {
            let list = mcp.call("bash_list", json!({}));
            list["structuredContent"]["calls"] == json!([])
        });
        sizes.push(size(&mcp.client.pid()));
    }
    check_the_rest(&mut mcp, given_up);
    println!("{sizes:?}");
    let warm = &sizes[..WARM_UP];
    let (first, last) = (&sizes[WARM_UP - 1], sizes.last().unwrap());
    let most = warm.iter().map(|size| size.memory_kib).max().unwrap();
    assert!(
        last.memory_kib <= most + NOISE_KIB,
        "memory grows: {sizes:?}"
    );
    assert!(
        last.descriptors <= first.descriptors,
        "descriptors are lost: {sizes:?}"
    );
    let records = machine.audit();
    let cancelled = records
        .iter()
        .filter(|record| record["ending"] == "cancelled");
    // Those that would never end, at least.
    assert!(cancelled.count() >= ROUNDS * CALLS / 4);
}
