//! Where text stands on a terminal: columns and rows, without a terminal.

use unicode_width::UnicodeWidthChar as _;

/// The columns between two tab stops of any terminal that was not told otherwise.
const TAB_COLUMNS: usize = 8;

/// How much a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// At least 2, so that every character has room.
    pub(super) columns: usize,
    /// At least 1.
    pub(super) rows: usize,
}

impl Size {
    /// What a terminal says of itself. One that does not know its size says 0, and is taken for
    /// one of 80 columns and 24 rows.
    pub(super) fn told(columns: u16, rows: u16) -> Self {
        let or = |told: u16, default: usize| match told {
            0 => default,
            told => usize::from(told),
        };
        Self {
            columns: or(columns, 80).max(2),
            rows: or(rows, 24),
        }
    }
}

/// Where the next character of a line goes. A cursor behind the last column is still in its row:
/// terminals begin the next one when something comes that needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) row: usize,
    pub(super) column: usize,
    /// After a tab behind a full row, of which terminals make different things.
    pub(super) is_doubtful: bool,
}

impl Cursor {
    /// Behind this line, which begins in the first column.
    pub(super) fn behind(line: &str, columns: usize) -> Self {
        let mut cursor = Self::default();
        for character in line.chars() {
            cursor.advance(character, columns);
        }
        cursor
    }

    fn advance(&mut self, character: char, columns: usize) {
        if character == '\t' {
            let stop = (self.column / TAB_COLUMNS + 1) * TAB_COLUMNS;
            self.is_doubtful |= self.column >= columns;
            self.column = stop.min(columns - 1).max(self.column);
            return;
        }
        let width = character.width().unwrap_or(0);
        if self.column + width > columns {
            self.row += 1;
            self.column = 0;
        }
        self.column += width;
    }
}

/// The rows that a line takes, at least one. Tabs are the blanks that they would be.
pub(super) fn rows(line: &str, columns: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut cursor = Cursor::default();
    for character in line.chars() {
        let before = cursor;
        cursor.advance(character, columns);
        if cursor.row > before.row {
            rows.push(String::new());
        }
        let row = rows.last_mut().expect("invariant: there is a row");
        match character {
            '\t' => row.extend(std::iter::repeat_n(' ', cursor.column - before.column)),
            other => row.push(other),
        }
    }
    rows
}

/// As much of the start of a text as has room in `columns`.
pub(super) fn fit(text: &str, columns: usize) -> &str {
    let mut width = 0;
    let end = text.char_indices().find(|(_, character)| {
        width += character.width().unwrap_or(0);
        width > columns
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr as _;

    use super::*;

    #[test]
    fn a_line_is_wrapped_where_a_terminal_wraps_it() {
        for (line, columns, expected) in [
            ("", 4, &[""][..]),
            ("abcd", 4, &["abcd"]),
            ("abcde", 4, &["abcd", "e"]),
            ("abc漢d", 4, &["abc", "漢d"]),
            ("漢漢漢", 2, &["漢", "漢", "漢"]),
            ("abcde\u{301}f", 5, &["abcde\u{301}", "f"]),
            ("a\tb", 20, &["a       b"]),
            ("a\tb\tcd", 10, &["a       bc", "d"]),
        ] {
            assert_eq!(rows(line, columns), expected, "{line:?} in {columns}");
        }
    }

    #[test]
    fn a_full_row_is_not_left_before_something_comes() {
        for (line, row, column, is_doubtful) in [
            ("abcd", 0, 4, false),
            ("abcde", 1, 1, false),
            ("abcd\te", 1, 1, true),
        ] {
            let cursor = Cursor {
                row,
                column,
                is_doubtful,
            };
            assert_eq!(Cursor::behind(line, 4), cursor, "{line:?}");
        }
    }

    #[test]
    fn a_terminal_that_does_not_know_its_size_has_the_usual_one() {
        assert_eq!(
            Size::told(0, 0),
            Size {
                columns: 80,
                rows: 24
            }
        );
        assert_eq!(
            Size::told(1, 1),
            Size {
                columns: 2,
                rows: 1
            }
        );
    }

    fn line() -> impl Strategy<Value = String> {
        prop::string::string_regex("[a-c漢🙂é\u{301}\t ]{0,60}").expect("a pattern")
    }

    proptest! {
        #[test]
        fn rows_have_room_and_all_of_the_line(line in line(), columns in 2_usize..30) {
            let rows = rows(&line, columns);
            let bare = |text: &str| text.replace(['\t', ' '], "");
            prop_assert_eq!(bare(&rows.concat()), bare(&line));
            for row in &rows {
                prop_assert!(row.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>() <= columns);
            }
            prop_assert_eq!(rows.len() - 1, Cursor::behind(&line, columns).row);
        }

        #[test]
        fn what_fits_is_a_start_that_nothing_more_fits_behind(line in line(), columns in 0_usize..30) {
            let line = line.replace('\t', "");
            let fitting = fit(&line, columns);
            prop_assert!(line.starts_with(fitting));
            let width = |text: &str| text.chars().map(|c| c.width().unwrap_or(0)).sum::<usize>();
            prop_assert!(width(fitting) <= columns);
            if let Some(next) = line[fitting.len()..].chars().next() {
                prop_assert!(width(fitting) + next.to_string().width() > columns);
            }
        }
    }
}
