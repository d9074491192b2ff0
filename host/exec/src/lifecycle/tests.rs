use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const GRACE: Duration = Duration::from_millis(250);
const TIMEOUT: Duration = Duration::from_secs(60);

fn started() -> Lifecycle {
    let mut lifecycle = Lifecycle::new(Some(TIMEOUT), GRACE, Leftovers::Session);
    assert_eq!(
        lifecycle.handle(Input::Spawned),
        [Action::Arm(Timer::Deadline, TIMEOUT)]
    );
    lifecycle
}

/// The report of the last input, and nothing else.
fn report_after(inputs: &[Input]) -> Report {
    report_of(started(), inputs)
}

fn report_of(mut lifecycle: Lifecycle, inputs: &[Input]) -> Report {
    let mut actions = Vec::new();
    for input in inputs {
        actions = lifecycle.handle(*input);
    }
    match actions[..] {
        [Action::Report(report)] => report,
        _ => panic!("{inputs:?} lead to {actions:?}"),
    }
}

fn stopped(cause: Cause, shell: Option<Exit>) -> Finish {
    Finish::Stopped(Stop { cause, shell })
}

const EXIT: Exit = Exit::Code(5);

#[test]
fn a_command_whose_output_has_ended_is_reported_at_its_exit() {
    for inputs in [
        [Input::EndOfFile, Input::LeaderExited(EXIT), Input::Left],
        [Input::LeaderExited(EXIT), Input::EndOfFile, Input::Left],
    ] {
        let report = report_after(&inputs);
        assert_eq!(report.finish, Finish::Exited(EXIT));
        assert!(!report.held_open);
    }
}

#[test]
fn an_output_that_is_still_held_is_given_up_when_idle_or_too_long() {
    for timer in [Timer::DrainIdle, Timer::DrainLimit] {
        let report = report_after(&[
            Input::LeaderExited(EXIT),
            Input::Elapsed(timer),
            Input::Left,
        ]);
        assert_eq!(report.finish, Finish::Exited(EXIT));
        assert!(report.held_open);
    }
}

#[test]
fn output_puts_off_the_idle_end_of_a_drain_but_not_the_limit() {
    let mut lifecycle = started();
    let armed = lifecycle.handle(Input::LeaderExited(EXIT));
    assert!(armed.contains(&Action::Arm(Timer::DrainLimit, DRAIN_LIMIT)));
    let armed = lifecycle.handle(Input::Output);
    assert_eq!(armed, [Action::Arm(Timer::DrainIdle, DRAIN_IDLE)]);
}

#[test]
fn a_stop_asks_first_and_kills_when_the_grace_is_over() {
    let mut lifecycle = started();
    assert_eq!(
        lifecycle.handle(Input::Elapsed(Timer::Deadline)),
        [Action::Terminate, Action::Arm(Timer::Grace, GRACE)]
    );
    let actions = lifecycle.handle(Input::Elapsed(Timer::Grace));
    assert_eq!(actions[0], Action::Kill);
}

#[test]
fn a_stop_ends_early_if_everybody_obeys() {
    let report = report_after(&[Input::Cancel, Input::EndOfFile, Input::TreeEmpty]);
    assert_eq!(report.finish, stopped(Cause::Cancelled, None));
    assert_eq!(report.certainty, Certainty::Gone);
}

#[test]
fn a_command_that_leaves_nobody_is_reported_without_a_question() {
    let inputs = [Input::LeaderExitedAlone(EXIT), Input::EndOfFile];
    assert_eq!(report_after(&inputs).finish, Finish::Exited(EXIT));
}

#[test]
fn a_stop_of_a_command_whose_processes_have_all_ended_kills_nobody() {
    // Somebody else holds its output.
    let mut lifecycle = started();
    lifecycle.handle(Input::LeaderExitedAlone(EXIT));
    let flush = Action::Arm(Timer::DrainLimit, STOPPED_DRAIN_LIMIT);
    assert_eq!(lifecycle.handle(Input::Cancel), [flush]);
}

#[test]
fn leftovers_are_killed_or_left_as_told() {
    let inputs = [Input::Spawned, Input::EndOfFile, Input::LeaderExited(EXIT)];
    for (leftovers, first) in [
        (Leftovers::Session, Action::Leave),
        (Leftovers::Keep, Action::Leave),
        (Leftovers::Kill, Action::Kill),
    ] {
        let mut lifecycle = Lifecycle::new(None, GRACE, leftovers);
        let actions = inputs.map(|input| lifecycle.handle(input));
        assert_eq!(actions[2][0], first);
        let answer = if first == Action::Kill {
            Input::TreeEmpty
        } else {
            Input::Left
        };
        assert_eq!(report_of(lifecycle, &[answer]).finish, Finish::Exited(EXIT));
    }
}

#[test]
fn a_command_whose_supervisor_was_killed_was_killed_with_it() {
    let lost = [Input::EndOfFile, Input::Lost];
    let report = report_after(&lost);
    assert_eq!(report.finish, Finish::Exited(Exit::Signal(9)));
    assert_eq!(report.certainty, Certainty::Lost);
    let exited = report_after(&[Input::LeaderExited(EXIT), Input::Lost, Input::EndOfFile]);
    assert_eq!(exited.finish, Finish::Exited(EXIT));
    let cancelled = report_after(&[&[Input::Cancel][..], &lost].concat());
    assert_eq!(cancelled.finish, stopped(Cause::Cancelled, None));
}

#[test]
fn without_grace_a_stop_kills_at_once() {
    let mut lifecycle = Lifecycle::new(None, Duration::ZERO, Leftovers::Session);
    assert_eq!(lifecycle.handle(Input::Spawned), []);
    assert_eq!(lifecycle.handle(Input::Cancel)[0], Action::Kill);
}

#[test]
fn a_cancellation_during_the_spawn_stops_what_was_spawned() {
    let mut lifecycle = Lifecycle::new(None, GRACE, Leftovers::Session);
    assert_eq!(lifecycle.handle(Input::Cancel), []);
    assert_eq!(lifecycle.handle(Input::Spawned)[0], Action::Terminate);
}

#[test]
fn a_cancellation_wins_over_a_time_limit_until_the_report() {
    let deadline = Input::Elapsed(Timer::Deadline);
    let kill = Input::Elapsed(Timer::Grace);
    for inputs in [
        [Input::Cancel, deadline, kill, Input::TreeEmpty],
        [deadline, Input::Cancel, kill, Input::TreeEmpty],
        [deadline, kill, Input::Cancel, Input::TreeEmpty],
        [deadline, kill, Input::TreeEmpty, Input::Cancel],
    ] {
        let inputs = [&inputs[..], &[Input::EndOfFile]].concat();
        assert_eq!(
            report_after(&inputs).finish,
            stopped(Cause::Cancelled, None)
        );
    }
}

#[test]
fn a_stop_during_the_drain_knows_how_the_shell_had_ended() {
    for (input, cause) in [
        (Input::Cancel, Cause::Cancelled),
        (Input::Elapsed(Timer::Deadline), Cause::TimedOut),
    ] {
        let exited = Input::LeaderExited(EXIT);
        let kill = Input::Elapsed(Timer::Grace);
        let inputs = [exited, input, kill, Input::TreeEmpty, Input::EndOfFile];
        assert_eq!(report_after(&inputs).finish, stopped(cause, Some(EXIT)));
    }
}

#[test]
fn a_kill_that_does_not_end_everybody_settles_and_says_so() {
    for (input, certainty) in [
        (Input::TreeRemains, Certainty::Remaining),
        (Input::Elapsed(Timer::KillLimit), Certainty::Unknown),
    ] {
        let report = report_after(&[Input::Cancel, Input::Elapsed(Timer::Grace), input]);
        assert_eq!(report.certainty, certainty);
        assert_eq!(report.finish, stopped(Cause::Cancelled, None));
    }
}

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
