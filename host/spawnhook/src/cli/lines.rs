use std::io::{self, BufRead, Read as _};

/// The longest line that is read: a command of the greatest length in which every byte is written
/// as an escape of six, and the rest of a request.
pub(crate) const MOST_LINE_BYTES: usize = 6 * 1024 * 1024 + 64 * 1024;

/// One line of an input, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(Vec<u8>),
    /// It has more than the given number of bytes, and was passed over.
    TooLong(usize),
}

/// The next line; none at the end of the input. A line ends with LF, before which one CR is
/// dropped; the last one may have no end.
pub(crate) fn next_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    if input.by_ref().take(limit).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_some() {
        line.pop_if(|last| *last == b'\r');
    } else if line.len() > most {
        input.skip_until(b'\n')?;
        return Ok(Some(Line::TooLong(most)));
    }
    Ok(Some(Line::Text(line)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(mut input: &[u8], most: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut input, most).unwrap() {
            lines.push(line);
        }
        lines
    }

    fn text(text: &str) -> Line {
        Line::Text(text.into())
    }

    #[test]
    fn a_line_ends_with_lf_alone() {
        assert_eq!(
            lines("a\r\nb\u{2028}c\u{85}\r\r\n\nd".as_bytes(), 100),
            [text("a"), text("b\u{2028}c\u{85}\r"), text(""), text("d")]
        );
        assert_eq!(lines(b"", 100), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        assert_eq!(
            lines(b"1234\n12345\n123456789\n12", 4),
            [text("1234"), Line::TooLong(4), Line::TooLong(4), text("12")]
        );
    }

    proptest! {
        #[test]
        fn lines_that_are_short_enough_come_as_they_are(
            given in prop::collection::vec("[^\n\r]{0,20}", 0..20)
        ) {
            let input: String = given.iter().map(|line| format!("{line}\n")).collect();
            let expected: Vec<_> = given.iter().map(|line| text(line)).collect();
            prop_assert_eq!(lines(input.as_bytes(), 80), expected);
        }
    }
}
