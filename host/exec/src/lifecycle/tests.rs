mod properties;

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
