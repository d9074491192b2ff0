//! The behaviour of the bash tool that this program reimplements, as one table: what its own tests
//! ask for (T1 to T35), and what was measured of it (X1 to X40). A row either matches the recorded
//! value or says why ours is better; a case that cannot be had here is listed with the reason.

mod backend;
mod boundaries;
mod check;
mod endings;
mod environment;
mod hooks;
mod inapplicable;
mod row;
mod rpc;
mod streams;
mod upstream;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread;

use check::check;
use inapplicable::INAPPLICABLE;
use row::{Row, Verdict};

/// Rows that run at once: most of them wait.
const THREADS: usize = 4;

fn table() -> Vec<Row> {
    [
        upstream::rows(),
        environment::rows(),
        backend::rows(),
        boundaries::rows(),
        endings::rows(),
        streams::rows(),
        hooks::rows(),
        rpc::rows(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn every_case_of_the_contract_is_a_row_or_says_why_not() {
    let numbered = |letter: char, last: u32| (1..=last).map(move |n| format!("{letter}{n}"));
    let wanted: BTreeSet<String> = numbered('T', 35).chain(numbered('X', 40)).collect();
    let table = table();
    let rows: BTreeSet<&str> = table.iter().map(|row| row.id).collect();
    let excused: BTreeSet<&str> = INAPPLICABLE.iter().map(|(id, _)| *id).collect();
    let missing: Vec<&String> = wanted
        .iter()
        .filter(|id| !rows.contains(id.as_str()) && !excused.contains(id.as_str()))
        .collect();
    assert_eq!(missing, [] as [&String; 0], "neither a row nor excused");
    let unknown: Vec<&&str> = rows
        .union(&excused)
        .filter(|id| !wanted.contains(**id))
        .collect();
    assert_eq!(unknown, [] as [&&str; 0], "no case of the contract");
    let both: Vec<&&str> = rows.intersection(&excused).collect();
    assert_eq!(both, [] as [&&str; 0], "both a row and excused");
}

#[test]
fn whatever_differs_from_the_contract_says_why() {
    for row in table() {
        if let Verdict::Better(why) = row.verdict {
            assert!(why.len() > 3, "{}: {why}", row.name());
        }
    }
    assert!(INAPPLICABLE.iter().all(|(_, why)| why.len() > 3));
}

#[test]
fn every_row_behaves_as_the_table_says() {
    let rows: Vec<Row> = table();
    assert!(rows.len() > 75, "{} rows", rows.len());
    let queue = Mutex::new(rows.iter());
    let failures = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(row) = next(&queue) {
                    if let Err(failure) = attempt(row) {
                        failures
                            .lock()
                            .unwrap()
                            .push(format!("{}: {failure}", row.name()));
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n\n"));
}

/// What the last attempt failed with, if none came out.
fn attempt(row: &Row) -> Result<(), String> {
    let mut result = Ok(());
    for _ in 0..row.attempts {
        let Err(failure) = catch_unwind(AssertUnwindSafe(|| check(row))) else {
            return Ok(());
        };
        let text = failure.downcast_ref::<String>().cloned();
        result = Err(text.unwrap_or_else(|| "it panicked".to_owned()));
    }
    result
}

fn next<'a>(queue: &Mutex<std::slice::Iter<'a, Row>>) -> Option<&'a Row> {
    queue.lock().unwrap().next()
}
