//! Random scripts through the whole program, under a guard that denies what it cannot tell:
//! whatever ran was in the list of what would.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use spawnhook_shell::{Dialect, analyze};

use super::case::Machine;

#[path = "../../plugins/shell/tests/differential/comparison.rs"]
mod comparison;
#[path = "../../plugins/shell/tests/differential/generator.rs"]
mod generator;
#[path = "../../plugins/shell/tests/differential/scratch.rs"]
mod scratch;

use comparison::{listed, unconditional};
use generator::Generator;
use scratch::Scratch;

const SCRIPTS: u64 = 500;
const DAMAGED_SCRIPTS: u64 = 100;
const WORKERS: usize = 4;

const CONFIG: &str = r#"
env.inherit = ["core", "RAN"]
workspace.confine_cwd = false

[[hook]]
name = "policy"
component = "builtin:command-policy"
stage = "guard"
settings = { default = "allow", undecidable = "deny" }
"#;

/// The scripts of the crate's own comparison are others.
const FIRST_SEED: u64 = 1_000_000;

/// What came of scripts.
#[derive(Default)]
struct Counts {
    undecidable: usize,
    /// Programs that run whatever happens, by what the scripts say.
    certain: usize,
    /// How many of these did not.
    missing: usize,
}

/// Runs a script, and sees that nothing ran which was not listed.
fn try_script(machine: &Machine, scratch: &Scratch, script: &str, counts: &mut Counts) {
    let script = format!("{script}\nwait");
    let analysis = analyze(&script, Dialect::Bash);
    let run = machine.run(&script).with(&["--timeout", "5"]);
    let ran = scratch.observe(|_, _| run.into_command());
    if !analysis.undecidable.is_empty() {
        counts.undecidable += 1;
        assert!(ran.is_empty(), "ran {ran:?}:\n{script}");
        return;
    }
    let listed = listed(&analysis);
    let hidden: Vec<_> = ran.difference(&listed).collect();
    assert!(hidden.is_empty(), "ran {hidden:?}:\n{script}");
    let (names, absent) = unconditional(&analysis, &ran);
    counts.certain += names;
    counts.missing += absent;
}

/// Several at a time: most of a script is waiting.
fn try_scripts(count: u64, script: impl Fn(u64) -> String + Sync) -> Counts {
    let (machine, scratch) = (Machine::with_config(CONFIG), Scratch::new());
    let next = AtomicU64::new(0);
    let work = || {
        let mut counts = Counts::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return counts;
            }
            try_script(
                &machine,
                &scratch,
                &script(FIRST_SEED + number),
                &mut counts,
            );
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        let done = workers.into_iter().map(|worker| worker.join().unwrap());
        done.fold(Counts::default(), |sum, counts| Counts {
            undecidable: sum.undecidable + counts.undecidable,
            certain: sum.certain + counts.certain,
            missing: sum.missing + counts.missing,
        })
    })
}

#[test]
fn whatever_ran_was_listed_or_did_not_run() {
    let counts = try_scripts(SCRIPTS, |seed| Generator::new(seed, Dialect::Bash).script());
    let Counts {
        undecidable,
        certain,
        missing,
    } = counts;
    println!(
        "{SCRIPTS} scripts, {undecidable} undecidable; {certain} programs, {missing} never ran"
    );
    assert!(
        undecidable as u64 * 100 <= SCRIPTS * 15,
        "{undecidable} undecidable"
    );
    assert!(
        missing * 100 <= certain * 5,
        "{missing} of {certain} never ran"
    );
}

#[test]
fn whatever_ran_of_a_damaged_script_was_listed_or_did_not_run() {
    try_scripts(DAMAGED_SCRIPTS, |seed| {
        Generator::new(seed, Dialect::Bash).damaged_script()
    });
}
