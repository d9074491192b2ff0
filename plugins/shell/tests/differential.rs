//! Compares what this crate says with what real shells run: scripts made of programs that only
//! write their own name into a file.

#[path = "differential/comparison.rs"]
mod comparison;
#[path = "differential/generator.rs"]
mod generator;
#[path = "differential/scratch.rs"]
mod scratch;

use std::{collections::BTreeSet, process::Command};

use comparison::{listed, unconditional};
use generator::Generator;
use scratch::Scratch;
use spawnhook_shell::{Dialect, analyze};

const SCRIPTS: u64 = 500;
/// For each of the other comparisons, which have no shares to be measured.
const MORE_SCRIPTS: u64 = 200;

/// How many scripts there are: what an environment variable says, or the default.
fn scripts(default: u64) -> u64 {
    let set = std::env::var("DIFFERENTIAL_SCRIPTS").ok();
    set.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The programs that a shell ran.
fn run(scratch: &Scratch, shell: &str, script: &str) -> BTreeSet<String> {
    scratch.observe(|work, _| {
        let mut command = Command::new("timeout");
        command
            .env_clear()
            .env("HOME", work)
            .args(["--kill-after=1", "5", shell, "-c"])
            .arg(format!("{script}\nwait"));
        command
    })
}

#[test]
fn whatever_bash_runs_is_listed_or_the_script_is_undecidable() {
    let scratch = Scratch::new();
    let (mut undecidable, mut certain, mut missing) = (0, 0, 0);
    let count = scripts(SCRIPTS);
    for seed in 0..count {
        let script = Generator::new(seed, Dialect::Bash).script();
        let analysis = analyze(&script, Dialect::Bash);
        let ran = run(&scratch, "bash", &script);
        if !analysis.undecidable.is_empty() {
            undecidable += 1;
            continue;
        }
        let listed = listed(&analysis);
        let hidden: Vec<_> = ran.difference(&listed).collect();
        assert!(hidden.is_empty(), "seed {seed} ran {hidden:?}:\n{script}");
        let (names, absent) = unconditional(&analysis, &ran);
        certain += names;
        missing += absent;
    }
    println!("{count} scripts, {undecidable} undecidable; {certain} programs, {missing} never ran");
    assert!(undecidable * 100 <= count * 15, "{undecidable} undecidable");
    assert!(
        missing * 100 <= certain * 5,
        "{missing} of {certain} never ran"
    );
}

#[test]
fn whatever_another_shell_runs_is_listed_or_the_script_is_undecidable() {
    let scratch = Scratch::new();
    for seed in 0..scripts(MORE_SCRIPTS) {
        let script = Generator::new(seed, Dialect::Common).script();
        check(&scratch, "sh", Dialect::Common, seed, &script);
    }
}

#[test]
fn whatever_a_damaged_script_runs_is_listed_or_the_script_is_undecidable() {
    let scratch = Scratch::new();
    for seed in 0..scripts(MORE_SCRIPTS) {
        for (shell, dialect) in [("bash", Dialect::Bash), ("sh", Dialect::Common)] {
            let script = Generator::new(seed, dialect).damaged_script();
            check(&scratch, shell, dialect, seed, &script);
        }
    }
}

fn check(scratch: &Scratch, shell: &str, dialect: Dialect, seed: u64, script: &str) {
    let analysis = analyze(script, dialect);
    if !analysis.undecidable.is_empty() {
        return;
    }
    let ran = run(scratch, shell, script);
    let listed = listed(&analysis);
    let hidden: Vec<_> = ran.difference(&listed).collect();
    assert!(
        hidden.is_empty(),
        "seed {seed}, {shell}: ran {hidden:?}:\n{script}"
    );
}
