use proptest::prelude::*;

use super::super::LEFT_ROWS;
use super::super::layout;
use super::{ABLE, Trial};

#[derive(Clone, Debug)]
enum Step {
    Output(String),
    Tick(bool),
}

fn steps(pattern: &'static str) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        pattern.prop_map(Step::Output),
        any::<bool>().prop_map(Step::Tick)
    ];
    prop::collection::vec(step, 0..30)
}

impl Trial {
    fn take(&mut self, step: &Step, number: usize) {
        match step {
            Step::Output(text) => self.output(text),
            Step::Tick(true) => self.tick(Some(&format!("Elapsed {number}s"))),
            Step::Tick(false) => self.tick(None),
        }
    }
}

proptest! {
    /// Whatever is told in between, the output stands there as if nothing had been.
    #[test]
    fn the_status_never_mixes_with_the_output(
        steps in steps("[ab漢é\u{301}\t\n]{0,30}"),
        columns in 4_usize..24,
        rows in 2_usize..10,
    ) {
        let mut trial = Trial::new(columns, rows, false, ABLE);
        for (number, step) in steps.iter().enumerate() {
            trial.take(step, number);
            let mut seen = trial.screen.rows();
            seen.pop_if(|row| row.contains('E'));
            while seen.last().is_some_and(String::is_empty) {
                seen.pop();
            }
            prop_assert_eq!(seen, trial.plain().rows());
        }
        let open = !trial.text().is_empty() && !trial.text().ends_with('\n');
        trial.end();
        let mut plain = trial.plain();
        if open {
            plain.write("\n");
        }
        prop_assert_eq!(trial.screen.rows(), plain.rows());
    }

    #[test]
    fn lines_that_are_started_anew_leave_nothing(
        steps in steps("[ab漢\r\n]{0,12}"),
        columns in 4_usize..24,
    ) {
        let mut trial = Trial::new(columns, 200, false, ABLE);
        for (number, step) in steps.iter().enumerate() {
            trial.take(step, number);
        }
        trial.end();
        prop_assert_eq!(trial.screen.rows(), trial.plain().rows());
    }

    #[test]
    fn a_folded_output_leaves_its_last_rows_and_nothing_else(
        steps in steps("[ab漢\n]{0,30}"),
        columns in 4_usize..24,
        rows in 8_usize..12,
    ) {
        let mut trial = Trial::new(columns, rows, true, ABLE);
        for (number, step) in steps.iter().enumerate() {
            trial.take(step, number);
        }
        trial.end();
        let text = trial.text();
        let all: Vec<_> = text.lines().flat_map(|line| layout::rows(line, columns)).collect();
        let left = &all[all.len().saturating_sub(LEFT_ROWS)..];
        let mut seen = trial.screen.rows();
        if all.len() > LEFT_ROWS {
            prop_assert!(seen.remove(0).starts_with('…'));
        }
        let mut left = left.to_vec();
        while left.last().is_some_and(String::is_empty) {
            left.pop();
        }
        prop_assert_eq!(seen, left);
    }
}
