use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::*;

fn exit() -> impl Strategy<Value = Exit> {
    prop_oneof![
        (0..256).prop_map(Exit::Code),
        (1..65).prop_map(Exit::Signal)
    ]
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        Just(Input::Spawned),
        Just(Input::Cancel),
        exit().prop_map(Input::LeaderExited),
        exit().prop_map(Input::LeaderExitedAlone),
        Just(Input::Output),
        Just(Input::EndOfFile),
        Just(Input::TreeEmpty),
        Just(Input::TreeRemains),
        Just(Input::Left),
        Just(Input::Lost),
        prop::sample::select(&Timer::ALL[..]).prop_map(Input::Elapsed),
    ]
}

/// A lifecycle with a clock, and with a record of what it was told and wanted done.
#[derive(Debug)]
struct Trial {
    lifecycle: Lifecycle,
    now: Duration,
    armed: BTreeMap<usize, (Duration, Timer)>,
    inputs: Vec<Input>,
    actions: Vec<Action>,
}

impl Trial {
    fn new(lifecycle: Lifecycle) -> Self {
        Self {
            lifecycle,
            now: Duration::ZERO,
            armed: BTreeMap::new(),
            inputs: Vec::new(),
            actions: Vec::new(),
        }
    }

    fn take(&mut self, input: Input) {
        self.inputs.push(input);
        for action in self.lifecycle.handle(input) {
            self.actions.push(action);
            if let Action::Arm(timer, after) = action {
                self.armed.insert(timer as usize, (self.now + after, timer));
            }
            if let Action::Report(report) = action {
                self.check(report);
            }
        }
    }

    /// Lets the clock run until a timer elapses. What lives stays alive for as long as it can.
    fn elapse(&mut self) -> bool {
        let Some((at, timer)) = self.armed.values().min_by_key(|(at, _)| *at).copied() else {
            return false;
        };
        self.armed.remove(&(timer as usize));
        self.now = self.now.max(at);
        self.take(Input::Elapsed(timer));
        true
    }

    /// A report must rest on what was told before it.
    fn check(&self, report: Report) {
        let told = |input| self.inputs.contains(&input);
        if let Finish::Exited(exit) = report.finish {
            let exits = [Input::LeaderExited(exit), Input::LeaderExitedAlone(exit)];
            assert!(exits.into_iter().any(told) || told(Input::Lost));
        }
        let kills = self.actions.contains(&Action::Kill);
        let stops = kills || self.actions.contains(&Action::Terminate);
        match report.certainty {
            Certainty::Gone => {
                let alone = |input: &Input| matches!(input, Input::LeaderExitedAlone(_));
                let empty = told(Input::TreeEmpty) || self.inputs.iter().any(alone);
                assert!(empty || (!stops && told(Input::Left)));
            }
            Certainty::Remaining => assert!(kills && told(Input::TreeRemains)),
            Certainty::Unknown => assert!(told(Input::Elapsed(Timer::KillLimit))),
            Certainty::Lost => assert!(told(Input::Lost)),
        }
        assert_eq!(report.held_open, !self.inputs.contains(&Input::EndOfFile));
    }

    fn reports(&self) -> usize {
        let is_report = |action: &&Action| matches!(action, Action::Report(_));
        self.actions.iter().filter(is_report).count()
    }
}

fn trial() -> impl Strategy<Value = Trial> {
    let timeout = prop::option::of((1_u64..10_000).prop_map(Duration::from_millis));
    let grace = (0_u64..1000).prop_map(Duration::from_millis);
    let policies = [Leftovers::Session, Leftovers::Kill, Leftovers::Keep];
    (timeout, grace, prop::sample::select(policies.to_vec())).prop_map(
        |(timeout, grace, leftovers)| Trial::new(Lifecycle::new(timeout, grace, leftovers)),
    )
}

proptest! {
    #[test]
    fn there_is_one_report_at_most_and_nothing_after_it(
        mut trial in trial(),
        inputs in prop::collection::vec(input(), 0..40),
    ) {
        for input in inputs {
            trial.take(input);
        }
        prop_assert!(trial.reports() <= 1);
        if trial.reports() == 1 {
            prop_assert!(matches!(trial.actions.last(), Some(Action::Report(_))));
        }
    }

    #[test]
    fn a_cancelled_command_is_reported_whatever_lives_on(
        mut trial in trial(),
        inputs in prop::collection::vec(input(), 0..40),
    ) {
        for input in inputs {
            trial.take(input);
        }
        trial.take(Input::Spawned);
        trial.take(Input::Cancel);
        let start = trial.now;
        for _ in 0..20 {
            if trial.reports() == 1 || !trial.elapse() {
                break;
            }
        }
        prop_assert_eq!(trial.reports(), 1);
        prop_assert!(trial.now - start <= Duration::from_secs(1) + KILL_LIMIT + DRAIN_LIMIT + KILL_LIMIT);
    }

    #[test]
    fn an_exited_command_is_reported_within_the_limits_however_much_it_writes(
        mut trial in trial(),
        exit in exit(),
    ) {
        trial.take(Input::Spawned);
        trial.take(Input::LeaderExited(exit));
        let start = trial.now;
        while trial.reports() == 0 {
            trial.take(Input::Output);
            prop_assert!(trial.elapse());
        }
        let longest = DRAIN_LIMIT + Duration::from_secs(1) + KILL_LIMIT + STOPPED_DRAIN_LIMIT + KILL_LIMIT;
        prop_assert!(trial.now - start <= longest);
    }
}
