//! The end of an output, as few rows of a terminal as anybody wants to see.

use std::collections::VecDeque;

use super::super::pieces::Piece;
use super::layout;

/// How many rows are left of an output.
pub(super) const LEFT_ROWS: usize = 5;

/// A line that is longer loses its start, which no terminal has room for in so few rows.
const LINE_BYTES: usize = 16 * 1024;

/// Keeps what the last rows are made of, and counts the others.
#[derive(Debug, Default)]
pub(super) struct Fold {
    /// The last one has not ended; it is empty where nothing has come since a newline.
    lines: VecDeque<String>,
    /// Rows above those of `lines`, each counted as wide as the terminal was then.
    hidden: u64,
}

/// What is left of an output.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Left {
    /// Rows above these.
    pub(super) hidden: u64,
    pub(super) rows: Vec<String>,
}

impl Fold {
    pub(super) fn push(&mut self, piece: &Piece, columns: usize) {
        if piece.restarts_line {
            self.open_line().clear();
        }
        for (number, part) in piece.text.split('\n').enumerate() {
            if number > 0 {
                self.lines.push_back(String::new());
            }
            self.open_line().push_str(part);
            self.shorten(columns);
        }
    }

    /// What is to be shown on a terminal of `columns`, in `most` rows.
    pub(super) fn left(&self, columns: usize, most: usize) -> Left {
        let ended = self.lines.len().saturating_sub(1);
        let open = self.lines.back().filter(|line| !line.is_empty());
        let lines = self.lines.iter().take(ended).chain(open);
        let mut rows: Vec<_> = lines.flat_map(|line| layout::rows(line, columns)).collect();
        let surplus = rows.len().saturating_sub(most.min(LEFT_ROWS));
        drop(rows.drain(..surplus));
        Left {
            hidden: self.hidden + surplus as u64,
            rows,
        }
    }

    fn open_line(&mut self) -> &mut String {
        if self.lines.is_empty() {
            self.lines.push_back(String::new());
        }
        self.lines
            .back_mut()
            .expect("invariant: there is a line now")
    }

    /// Lets go of what cannot be among the last rows, however wide the terminal becomes.
    fn shorten(&mut self, columns: usize) {
        if self.lines.len() > LEFT_ROWS + 1
            && let Some(line) = self.lines.pop_front()
        {
            self.hidden += layout::rows(&line, columns).len() as u64;
        }
        let line = self.open_line();
        if line.len() <= LINE_BYTES {
            return;
        }
        let mut rows = layout::rows(line, columns);
        let surplus = rows.len().saturating_sub(LEFT_ROWS);
        let mut end = rows.split_off(surplus).concat();
        let start = end.len().saturating_sub(LINE_BYTES);
        end.drain(..end.ceil_char_boundary(start));
        *line = end;
        self.hidden += surplus as u64;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn appended(text: &str) -> Piece {
        Piece {
            restarts_line: false,
            text: text.to_owned(),
        }
    }

    fn left(pieces: &[Piece], columns: usize) -> Left {
        let mut fold = Fold::default();
        for piece in pieces {
            fold.push(piece, columns);
        }
        fold.left(columns, LEFT_ROWS)
    }

    fn rows(rows: &[&str]) -> Vec<String> {
        rows.iter().map(|row| (*row).to_owned()).collect()
    }

    #[test]
    fn little_is_left_whole() {
        for text in ["", "a", "a\n", "a\n\nb", "1\n2\n3\n4\n5\n"] {
            let left = left(&[appended(text)], 80);
            assert_eq!(left.hidden, 0);
            assert_eq!(left.rows, text.lines().collect::<Vec<_>>());
        }
    }

    #[test]
    fn of_much_the_last_rows_are_left_and_the_others_counted() {
        let text: String = (1..=100).map(|n| format!("{n}\n")).collect();
        assert_eq!(
            left(&[appended(&text)], 80),
            Left {
                hidden: 95,
                rows: rows(&["96", "97", "98", "99", "100"])
            }
        );
    }

    #[test]
    fn rows_are_those_of_the_terminal() {
        let left = left(&[appended("abcdefgh\n漢漢漢\nx\n"), appended("y")], 4);
        assert_eq!(left.rows, rows(&["efgh", "漢漢", "漢", "x", "y"]));
        assert_eq!(left.hidden, 1);
    }

    #[test]
    fn a_line_that_is_started_anew_is_one_line() {
        let again = Piece {
            restarts_line: true,
            text: "20%\ndone".to_owned(),
        };
        let left = left(&[appended("a\n10%"), again], 80);
        assert_eq!(left.rows, rows(&["a", "20%", "done"]));
    }

    #[test]
    fn a_wider_terminal_shows_as_many_lines_as_a_narrow_one() {
        let mut fold = Fold::default();
        for line in ["aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff"] {
            fold.push(&appended(&format!("{line}\n")), 2);
        }
        let narrow = fold.left(2, LEFT_ROWS);
        assert_eq!(narrow.rows, rows(&["dd", "ee", "ee", "ff", "ff"]));
        let wide = fold.left(80, LEFT_ROWS);
        assert_eq!(wide.rows, rows(&["bbbb", "cccc", "dddd", "eeee", "ffff"]));
        assert_eq!((narrow.hidden, wide.hidden), (7, 2));
    }

    #[test]
    fn a_line_without_end_takes_no_more_room_than_it_is_worth() {
        let mut fold = Fold::default();
        for _ in 0..1000 {
            fold.push(&appended(&"x".repeat(1000)), 10);
        }
        assert!(fold.lines[0].len() <= LINE_BYTES);
        let left = fold.left(10, LEFT_ROWS);
        assert_eq!((left.rows.len(), left.hidden), (5, 100_000 - 5));
        fold.push(&appended(&"\u{301}".repeat(1 << 20)), 10);
        assert!(fold.lines[0].len() <= LINE_BYTES);
    }

    proptest! {
        #[test]
        fn what_is_left_is_the_end_of_all_rows(
            texts in prop::collection::vec("[ab漢\n]{0,40}", 0..20),
            columns in 2_usize..20,
            most in 0_usize..8,
        ) {
            let mut fold = Fold::default();
            for text in &texts {
                fold.push(&appended(text), columns);
            }
            let left = fold.left(columns, most);
            let whole = texts.concat();
            let all: Vec<_> = whole.lines().flat_map(|line| layout::rows(line, columns)).collect();
            let shown = most.min(LEFT_ROWS).min(all.len());
            prop_assert_eq!(&left.rows, &all[all.len() - shown..]);
            prop_assert_eq!(left.hidden, (all.len() - shown) as u64);
        }
    }
}
