use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const GRACE: Duration = Duration::from_millis(250);
const TIMEOUT: Duration = Duration::from_secs(60);

fn started() -> Lifecycle {
    let mut lifecycle = Lifecycle::new(Some(TIMEOUT), GRACE);
    assert_eq!(
        lifecycle.handle(Input::Spawned),
        [Action::Arm(Timer::Deadline, TIMEOUT)]
    );
    lifecycle
}

/// The report of the last input, after a reap and nothing else.
fn report_after(inputs: &[Input]) -> Report {
    let mut lifecycle = started();
    let mut actions = Vec::new();
    for input in inputs {
        actions = lifecycle.handle(*input);
    }
    match actions[..] {
        [Action::Reap, Action::Report(report)]
        | [Action::NameSurvivors, Action::Reap, Action::Report(report)] => report,
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
        [Input::EndOfFile, Input::LeaderExited(EXIT)],
        [Input::LeaderExited(EXIT), Input::EndOfFile],
    ] {
        let report = report_after(&inputs);
        assert_eq!(report.finish, Finish::Exited(EXIT));
        assert!(!report.held_open);
    }
}

#[test]
fn an_output_that_is_still_held_is_given_up_when_idle_or_too_long() {
    for timer in [Timer::DrainIdle, Timer::DrainLimit] {
        let report = report_after(&[Input::LeaderExited(EXIT), Input::Elapsed(timer)]);
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
fn a_group_that_looks_empty_before_the_kill_is_killed_and_looked_at_again() {
    let mut lifecycle = started();
    lifecycle.handle(Input::Cancel);
    let actions = lifecycle.handle(Input::GroupEmpty);
    assert_eq!(actions[0], Action::Kill);
    assert!(actions.contains(&Action::CheckGroup));
}

#[test]
fn without_grace_a_stop_kills_at_once() {
    let mut lifecycle = Lifecycle::new(None, Duration::ZERO);
    assert_eq!(lifecycle.handle(Input::Spawned), []);
    assert_eq!(lifecycle.handle(Input::Cancel)[0], Action::Kill);
}

#[test]
fn a_cancellation_during_the_spawn_stops_what_was_spawned() {
    let mut lifecycle = Lifecycle::new(None, GRACE);
    assert_eq!(lifecycle.handle(Input::Cancel), []);
    assert_eq!(lifecycle.handle(Input::Spawned)[0], Action::Terminate);
}

#[test]
fn a_cancellation_wins_over_a_time_limit_until_the_report() {
    let deadline = Input::Elapsed(Timer::Deadline);
    let kill = Input::Elapsed(Timer::Grace);
    for inputs in [
        [Input::Cancel, deadline, kill, Input::GroupEmpty],
        [deadline, Input::Cancel, kill, Input::GroupEmpty],
        [deadline, kill, Input::Cancel, Input::GroupEmpty],
        [deadline, kill, Input::GroupEmpty, Input::Cancel],
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
        let inputs = [exited, input, kill, Input::GroupEmpty, Input::EndOfFile];
        assert_eq!(report_after(&inputs).finish, stopped(cause, Some(EXIT)));
    }
}

#[test]
fn a_kill_that_does_not_empty_the_group_settles_and_names_who_is_left() {
    let mut lifecycle = started();
    lifecycle.handle(Input::Cancel);
    lifecycle.handle(Input::Elapsed(Timer::Grace));
    let actions = lifecycle.handle(Input::Elapsed(Timer::KillLimit));
    assert_eq!(actions[0], Action::NameSurvivors);
    assert!(matches!(actions[2], Action::Report(_)));
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
        Just(Input::Output),
        Just(Input::EndOfFile),
        Just(Input::GroupAlive),
        Just(Input::GroupEmpty),
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
        if self.actions.last() == Some(&Action::CheckGroup) {
            self.take(Input::GroupAlive);
        }
        true
    }

    /// A report must rest on what was told before it.
    fn check(&self, report: Report) {
        match report.finish {
            Finish::Exited(exit) => assert!(self.inputs.contains(&Input::LeaderExited(exit))),
            Finish::Stopped(_) => {
                let gone = self.inputs.contains(&Input::GroupEmpty);
                let named = self.actions.contains(&Action::NameSurvivors);
                assert!(gone || named, "{:?}", self.inputs);
                assert!(self.actions.contains(&Action::Kill), "{:?}", self.inputs);
            }
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
    (timeout, grace).prop_map(|(timeout, grace)| Trial::new(Lifecycle::new(timeout, grace)))
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
            prop_assert!(matches!(trial.actions[trial.actions.len() - 2..], [Action::Reap, Action::Report(_)]));
        }
        let reaps = trial.actions.iter().filter(|action| **action == Action::Reap).count();
        prop_assert_eq!(reaps, trial.reports());
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
        // Every round of the kill is one timer of 5 ms.
        for _ in 0..2000 {
            if trial.reports() == 1 || !trial.elapse() {
                break;
            }
        }
        prop_assert_eq!(trial.reports(), 1);
        prop_assert!(trial.now - start <= Duration::from_secs(1) + KILL_LIMIT + DRAIN_LIMIT);
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
        let longest = DRAIN_LIMIT + Duration::from_secs(1) + KILL_LIMIT + STOPPED_DRAIN_LIMIT;
        prop_assert!(trial.now - start <= longest);
    }
}
