use proptest::prelude::*;

use super::*;
use crate::audit::record::ChangedBy;

fn command(second: i64, ending: &str, exit_code: Option<i32>, duration: u64) -> Command {
    let time = Timestamp::from_second(second).unwrap();
    Command {
        started: Some(time),
        ended: Some(time),
        ending: Some(ending.to_owned()),
        exit_code,
        duration_ms: Some(duration),
        ..Command::default()
    }
}

#[test]
fn every_ending_has_a_kind() {
    for (ending, code, kind) in [
        ("exited", Some(0), Kind::Succeeded),
        ("exited", Some(3), Kind::Failed),
        ("signaled", None, Kind::Failed),
        ("spawn-failed", None, Kind::Failed),
        ("timed-out", Some(0), Kind::Stopped),
        ("cancelled", None, Kind::Stopped),
        ("denied", None, Kind::Refused),
        ("hook-failed", None, Kind::Refused),
        ("handed-over", None, Kind::HandedOver),
    ] {
        assert_eq!(Kind::of(&command(0, ending, code, 0)), kind, "{ending}");
    }
    assert_eq!(Kind::of(&Command::default()), Kind::Unended);
}

#[test]
fn the_slowest_are_in_order_and_few() {
    let mut summary = Summary::default();
    for number in 0..30 {
        summary.push(command(0, "exited", Some(0), number * 7 % 30));
    }
    let slowest: Vec<_> = summary
        .slowest
        .iter()
        .filter_map(|slow| slow.duration_ms)
        .collect();
    assert_eq!(slowest, [29, 28, 27, 26, 25, 24, 23, 22, 21, 20]);
    assert_eq!(summary.durations, [10, 20, 0, 0, 0, 0]);
}

#[test]
fn refusals_are_counted_by_hook_and_program() {
    let mut summary = Summary::default();
    for (text, hook, reason) in [
        ("git push", "no-push", "first"),
        ("rm -rf /", "no-rm", "no"),
        ("git push -f", "no-push", "last"),
    ] {
        summary.push(Command {
            command: Some(text.into()),
            refused_by: Some(hook.into()),
            reason: Some(reason.into()),
            ..command(0, "denied", None, 0)
        });
    }
    let most = summary.most_refused();
    assert_eq!((&*most[0].hook, &*most[0].program), ("no-push", "git"));
    assert_eq!((most[0].count, &*most[0].reason), (2, "last"));
    assert_eq!(summary.hooks["no-push"].refused, 2);
    assert_eq!(summary.counts.of(Kind::Refused), 3);
}

#[test]
fn what_hooks_changed_is_counted_by_field() {
    let mut summary = Summary::default();
    let changed = |fields: &[&'static str]| Command {
        changed: vec![ChangedBy {
            hook: "strict".into(),
            fields: fields.iter().map(|field| (*field).into()).collect(),
        }],
        ..command(0, "exited", Some(0), 0)
    };
    summary.push(changed(&["command", "env"]));
    summary.push(changed(&["env"]));
    let work = &summary.hooks["strict"];
    assert_eq!(
        (work.changed, work.fields["command"], work.fields["env"]),
        (2, 1, 2)
    );
    assert_eq!(summary.rewritten.len(), 1);
}

#[test]
fn only_the_latest_commands_are_kept() {
    let mut summary = Summary::default();
    for number in 0..LATEST as u64 + 5 {
        summary.push(Command {
            seq: number,
            ..Command::default()
        });
    }
    assert_eq!(
        (summary.latest.len(), summary.latest[0].seq),
        (LATEST, LATEST as u64 + 4)
    );
}

proptest! {
    #[test]
    fn columns_cover_every_command_once_and_are_few(seconds in prop::collection::vec(-1_000_000_000..4_000_000_000_i64, 1..40), most in 2..80_usize) {
        let mut timeline = Timeline::default();
        for second in &seconds {
            timeline.count(Timestamp::from_second(*second).unwrap(), Kind::Failed);
        }
        let (columns, length) = timeline.columns(most);
        prop_assert!(columns.len() <= most + 1, "{}", columns.len());
        let total: u64 = columns.iter().map(|column| column.counts.of(Kind::Failed)).sum();
        prop_assert_eq!(total, seconds.len() as u64);
        for (index, column) in columns.iter().enumerate() {
            let start = column.start.as_second();
            prop_assert_eq!(start, columns[0].start.as_second() + index as i64 * length * 60);
            let within = |second: &&i64| (start..start + length * 60).contains(*second);
            prop_assert_eq!(seconds.iter().filter(within).count() as u64, column.counts.total());
        }
    }
}
