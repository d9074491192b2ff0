use super::*;

/// What a case must give: the text as it is, or its end.
enum Expected {
    Untouched,
    Cut {
        by: Cut,
        /// First and last number of the lines that are left, and how many there were.
        lines: (u64, u64, u64),
        bytes: u64,
        /// Bytes of the last line, if only its end is left.
        partial: Option<u64>,
    },
}

use Expected::{Cut as IsCut, Untouched};

fn numbers(last: u32) -> String {
    (1..=last).map(|number| format!("{number}\n")).collect()
}

fn line_of(bytes: usize) -> String {
    "y".repeat(bytes)
}

/// The tail of one line that is over the limit by itself.
fn end_of_line(number: u64, bytes: u64, shown: u64) -> Expected {
    IsCut {
        by: Cut::Bytes,
        lines: (number, number, number),
        bytes: shown,
        partial: Some(bytes),
    }
}

fn last(by: Cut, lines: (u64, u64, u64), bytes: u64) -> Expected {
    IsCut {
        by,
        lines,
        bytes,
        partial: None,
    }
}

fn check(name: &str, text: &str, expected: &Expected) {
    let tail = truncate_tail(text, OutputLimits::default());
    let IsCut {
        by,
        lines,
        bytes,
        partial,
    } = expected
    else {
        assert!(tail.text == text && tail.truncation.is_none(), "{name}");
        return;
    };
    let cut = tail
        .truncation
        .unwrap_or_else(|| panic!("{name} is untouched"));
    let shown = (
        cut.first_line,
        cut.first_line + cut.shown_lines - 1,
        cut.total_lines,
    );
    assert_eq!((cut.by, shown), (*by, *lines), "{name}");
    assert_eq!(
        (cut.shown_bytes, tail.text.len() as u64),
        (*bytes, *bytes),
        "{name}"
    );
    assert_eq!(cut.last_line_partial, partial.is_some(), "{name}");
    assert_eq!(
        partial.unwrap_or(cut.last_line_bytes),
        cut.last_line_bytes,
        "{name}"
    );
    assert_eq!(cut.total_bytes, text.len() as u64, "{name}");
    assert!(
        text.strip_suffix('\n')
            .unwrap_or(text)
            .ends_with(&tail.text),
        "{name}"
    );
}

#[test]
fn what_is_within_the_limits_is_untouched() {
    for (name, text) in [
        ("nothing", String::new()),
        ("51 200 bytes", line_of(51_200)),
        ("51 199 bytes, newline", line_of(51_199) + "\n"),
        // Dropping the newline alone would help nobody.
        ("51 200 bytes, newline", line_of(51_200) + "\n"),
        ("2000 lines", numbers(2000)),
        (
            "2000 lines, no newline",
            numbers(2000).trim_end().to_owned(),
        ),
    ] {
        check(name, &text, &Untouched);
    }
}

#[test]
fn whole_lines_are_left_of_what_is_over_a_limit() {
    let row = format!("{}\n", line_of(206));
    let long = line_of(300_000);
    for (name, text, by, lines, bytes) in [
        (
            "2001 lines",
            numbers(2001),
            Cut::Lines,
            (2, 2001, 2001),
            8895,
        ),
        (
            "2000 lines and a tail",
            numbers(2000) + "tail",
            Cut::Lines,
            (2, 2001, 2001),
            8895,
        ),
        (
            "4000 lines",
            numbers(4000),
            Cut::Lines,
            (2001, 4000, 4000),
            9999,
        ),
        (
            "3000 blank lines",
            "\n".repeat(3000),
            Cut::Lines,
            (1001, 3000, 3000),
            1999,
        ),
        (
            "600 lines of 206 bytes",
            row.repeat(600),
            Cut::Bytes,
            (354, 600, 600),
            51_128,
        ),
        (
            "a long line and three",
            long + "\na\nb\nc\n",
            Cut::Bytes,
            (2, 4, 4),
            5,
        ),
    ] {
        check(name, &text, &last(by, lines, bytes));
    }
}

#[test]
fn of_a_line_that_is_over_the_limit_its_end_is_left() {
    let long = line_of(1_000_000);
    for (name, text, number, line_bytes, shown) in [
        ("51 201 bytes", line_of(51_201), 1, 51_201, 51_200),
        (
            "51 201 bytes, newline",
            line_of(51_201) + "\n",
            1,
            51_201,
            51_200,
        ),
        ("one line", long.clone(), 1, 1_000_000, 51_200),
        (
            "one line, newline",
            long.clone() + "\n",
            1,
            1_000_000,
            51_200,
        ),
        (
            "head and a long line",
            format!("head\n{long}\n"),
            2,
            1_000_000,
            51_200,
        ),
        ("3-byte characters", "世".repeat(20_000), 1, 60_000, 51_198),
        (
            "4-byte characters",
            format!("a{}", "🙂".repeat(15_000)),
            1,
            60_001,
            51_200,
        ),
    ] {
        check(name, &text, &end_of_line(number, line_bytes, shown));
    }
}
