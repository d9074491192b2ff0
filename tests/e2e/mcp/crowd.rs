//! Many calls at once over one connection, half of them given up at random times.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use super::super::case::{Machine, wait_until};
use super::{Mcp, text};

const CALLS: usize = 64;
const ROUNDS: usize = 6;

/// Rounds after which a server has what it needs: threads, a pool of instances, buffers.
const WARM_UP: usize = 2;

/// Within this time a round's calls are made, and those that are given up given up.
const SPREAD_MILLIS: u64 = 700;

/// What allocators keep for later differs from round to round by less.
const NOISE_KIB: u64 = 6 * 1024;

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
    fn random(number: usize, random: &mut StdRng) -> Self {
        let sleep = random.random_range(0..500);
        let ends = format!("sleep 0.{sleep:03}; seq 300; echo {number}");
        let lines: String = (1..=300).map(|line| format!("{line}\n")).collect();
        let start_at = random.random_range(0..SPREAD_MILLIS);
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

/// Whoever did not give up has one answer, and whoever did has none, or the one that was on its
/// way.
fn check_answers(mcp: &mut Mcp, calls: &[Call], ids: &[u64]) {
    for (call, id) in calls.iter().zip(ids) {
        if call.cancel_at.is_none() {
            let answer = mcp.answer(*id);
            assert_eq!(text(&answer["result"]), call.expected.as_ref().unwrap());
        }
    }
    // Answers come in order behind those of calls that have ended.
    let list = mcp.call("bash_list", json!({}));
    assert_eq!(list["structuredContent"]["calls"], json!([]));
    let mut answers: BTreeMap<u64, Value> = BTreeMap::new();
    for line in mcp.client.rest() {
        let id = line["id"].as_u64().unwrap_or_else(|| panic!("{line}"));
        assert!(answers.insert(id, line).is_none(), "{id} is answered twice");
    }
    for (call, id) in calls.iter().zip(ids) {
        if let Some(answer) = answers.remove(id) {
            let expected = call.expected.as_ref();
            let expected = expected.unwrap_or_else(|| panic!("it has ended: {answer}"));
            assert_eq!(text(&answer["result"]), expected);
        }
    }
    assert!(answers.is_empty(), "{answers:?}");
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
    let mut mcp = Mcp::start(&machine);
    let mut sizes = Vec::new();
    for round in 1..=ROUNDS {
        let mut calls: Vec<_> = (0..CALLS)
            .map(|number| Call::random(number, &mut random))
            .collect();
        calls.shuffle(&mut random);
        let ids = play(&mut mcp, &calls);
        wait_until("every call has its last record", || {
            let records = machine.audit();
            let ends = records.iter().filter(|record| record["event"] != "spawn");
            ends.count() == round * CALLS
        });
        // Records of what was stopped are written when it is gone.
        assert_eq!(living(&mark), [""; 0], "something lives on");
        check_answers(&mut mcp, &calls, &ids);
        sizes.push(size(&mcp.client.pid()));
    }
    println!("{sizes:?}");
    let (first, last) = (&sizes[WARM_UP - 1], sizes.last().unwrap());
    assert!(
        last.memory_kib <= first.memory_kib + NOISE_KIB,
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
