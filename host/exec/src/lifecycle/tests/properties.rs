use proptest::prelude::*;

use super::super::trial::Trial;
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
        trial.assert_reported_last();
    }

    #[test]
    fn a_cancelled_command_is_reported_whatever_lives_on(
        mut trial in trial(),
        inputs in prop::collection::vec(input(), 0..40),
    ) {
        for input in inputs {
            trial.take(input);
        }
        trial.cancel(Duration::from_secs(1));
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
