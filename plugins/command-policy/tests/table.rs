//! The table of commands and their verdicts.

use std::collections::BTreeMap;

use serde::Deserialize;
use spawnhook_policy::{Facts, Policy, Verdict};
use spawnhook_sdk::settings;

/// How many of a hundred innocents may be asked about.
const ASKED_PER_HUNDRED: usize = 2;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    policies: BTreeMap<String, toml::Value>,
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    policy: String,
    verdict: String,
    #[serde(default)]
    innocent: bool,
    commands: Vec<String>,
}

const FACTS: Facts<'_> = Facts {
    origin: "cli",
    workspace: "/project",
    cwd: "/project",
};

fn table() -> Table {
    toml::from_str(include_str!("table.toml")).expect("the table is what it should be")
}

fn policies(table: &Table) -> BTreeMap<&str, Policy> {
    table
        .policies
        .iter()
        .map(|(name, settings)| {
            let text = serde_json::to_string(settings).expect("settings are JSON");
            let policy = settings::read(&text, Policy::read);
            let policy = policy.unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
            (name.as_str(), policy)
        })
        .collect()
}

/// The commands whose verdict is another, as lines.
fn wrong(table: &Table, innocent: bool) -> Vec<String> {
    let policies = policies(table);
    let groups = table
        .group
        .iter()
        .filter(|group| group.innocent == innocent);
    groups
        .flat_map(|group| {
            let policy = policies.get(group.policy.as_str());
            let policy = policy.unwrap_or_else(|| panic!("there is no policy {}", group.policy));
            group.commands.iter().filter_map(move |command| {
                let judgement = policy.judge(command, "", &FACTS);
                let verdict = judgement.verdict.to_string();
                (verdict != group.verdict).then(|| {
                    let (policy, expected) = (&group.policy, &group.verdict);
                    let reason = judgement.reason();
                    format!("{policy}: {command:?}: {verdict}, not {expected}: {reason}")
                })
            })
        })
        .collect()
}

#[test]
fn every_command_gets_the_verdict_of_the_table() {
    let wrong = wrong(&table(), false);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn innocents_pass_and_few_are_asked_about() {
    let table = table();
    let innocents = table.group.iter().filter(|group| group.innocent);
    let count: usize = innocents.map(|group| group.commands.len()).sum();
    let asked = wrong(&table, true);
    println!("{} of {count} innocents are asked about", asked.len());
    assert!(
        asked.len() * 100 <= count * ASKED_PER_HUNDRED,
        "of {count}:\n{}",
        asked.join("\n")
    );
}

#[test]
fn the_table_is_large_and_no_command_is_in_it_twice_under_one_policy() {
    let table = table();
    let mut seen = std::collections::BTreeSet::new();
    let mut refused = 0;
    for group in &table.group {
        for command in &group.commands {
            assert!(seen.insert((&group.policy, command)), "twice: {command:?}");
        }
        if group.verdict != Verdict::Allow.to_string() {
            refused += group.commands.len();
        }
    }
    println!("{} commands, {refused} of them refused", seen.len());
    assert!(seen.len() >= 300 && refused >= 150);
}
