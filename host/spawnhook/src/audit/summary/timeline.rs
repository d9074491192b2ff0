use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{Counts, Kind};

/// Seconds in the smallest step of time that is told apart.
const MINUTE: i64 = 60;

/// Lengths of columns in minutes: what divides an hour, a day or a week evenly.
const LENGTHS: [i64; 15] = [
    1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080, 20_160,
];

/// How many commands there were, minute by minute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    minutes: BTreeMap<i64, Counts>,
    period: Option<(Timestamp, Timestamp)>,
}

/// What was in one span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// When the span starts.
    pub start: Timestamp,
    /// The commands that began in it.
    pub counts: Counts,
}

impl Timeline {
    pub(super) fn count(&mut self, time: Timestamp, kind: Kind) {
        let minute = time.as_second().div_euclid(MINUTE);
        self.minutes.entry(minute).or_default().count(kind);
        let (first, last) = self.period.unwrap_or((time, time));
        self.period = Some((first.min(time), last.max(time)));
    }

    pub(super) fn period(&self) -> Option<(Timestamp, Timestamp)> {
        self.period
    }

    /// The whole period in columns of the same length, at most `most` of them, and that length in
    /// minutes.
    pub fn columns(&self, most: usize) -> (Vec<Column>, i64) {
        let (Some((first, _)), Some((last, _))) = (
            self.minutes.first_key_value(),
            self.minutes.last_key_value(),
        ) else {
            return (Vec::new(), 1);
        };
        let most = i64::try_from(most).unwrap_or(i64::MAX).max(1);
        let needed = |length: i64| last.div_euclid(length) - first.div_euclid(length) + 1;
        let fits = LENGTHS.into_iter().find(|length| needed(*length) <= most);
        // Two columns more than the quotient, as the ends may lie within one.
        let length = fits.unwrap_or_else(|| (last - first) / (most - 1).max(1) + 1);
        let start = first.div_euclid(length);
        let columns = start..=last.div_euclid(length);
        let mut columns: Vec<_> = columns.map(|column| self.column(column * length)).collect();
        for (minute, counts) in &self.minutes {
            let column = usize::try_from(minute.div_euclid(length) - start);
            let column = column.expect("invariant: the first minute is in the first column");
            columns[column].counts.add(counts);
        }
        (columns, length)
    }

    fn column(&self, minute: i64) -> Column {
        let start = Timestamp::from_second(minute.saturating_mul(MINUTE));
        let first = self.period.map(|(first, _)| first).unwrap_or_default();
        Column {
            start: start.unwrap_or(first),
            counts: Counts::default(),
        }
    }
}
