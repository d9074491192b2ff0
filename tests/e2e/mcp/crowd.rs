//! Many calls at once.

use std::collections::BTreeSet;
use std::path::Path;

use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

use super::super::case::{Machine, wait_until};
use super::{Mcp, text};

const CALLS: u64 = 64;

/// Which half is cancelled, and in which order.
const SEED: u64 = 7;

#[test]
fn of_many_calls_those_that_are_cancelled_end_and_the_others_are_answered() {
    let machine = Machine::new();
    let mut mcp = Mcp::start(&machine);
    let mut random = StdRng::seed_from_u64(SEED);
    let mut numbers: Vec<u64> = (0..CALLS).collect();
    numbers.shuffle(&mut random);
    let (cancelled, answered) = numbers.split_at(numbers.len() / 2);
    let cancelled: BTreeSet<_> = cancelled.iter().copied().collect();
    let mut ids = Vec::new();
    for number in 0..CALLS {
        let command = if cancelled.contains(&number) {
            format!(
                "(setsid sleep 1000 & echo $! > child-{number}); echo $$ > shell-{number}; sleep 1000"
            )
        } else {
            format!("sleep 0.{}; echo {number}", random.random_range(1..9))
        };
        ids.push(mcp.start_call("bash", json!({"command": command})));
    }
    let pid_of = |kind: &str, number: u64| {
        let file = machine.path(&format!("workspace/{kind}-{number}"));
        let pid = std::fs::read_to_string(file).unwrap_or_default();
        pid.trim().parse::<u32>().ok()
    };
    let mut processes = Vec::new();
    for number in &cancelled {
        wait_until("it runs", || pid_of("shell", *number).is_some());
        processes.extend([
            pid_of("shell", *number).unwrap(),
            pid_of("child", *number).unwrap(),
        ]);
        mcp.cancel(ids[usize::try_from(*number).unwrap()]);
    }
    for number in answered {
        let answer = mcp.answer(ids[usize::try_from(*number).unwrap()]);
        assert_eq!(text(&answer["result"]), format!("{number}\n"));
    }
    wait_until("every call has its records", || {
        machine.audit_lines().len() == 2 * usize::try_from(CALLS).unwrap()
    });
    for pid in processes {
        assert!(
            !Path::new(&format!("/proc/{pid}")).exists(),
            "{pid} lives on"
        );
    }
    let records = machine.audit();
    let ended = |ending: &str| {
        records
            .iter()
            .filter(|record| record["ending"] == ending)
            .count()
    };
    assert_eq!((ended("cancelled"), ended("exited")), (32, 32));
    let list = mcp.call("bash_list", json!({}));
    assert_eq!(list["structuredContent"]["calls"], json!([]));
}
