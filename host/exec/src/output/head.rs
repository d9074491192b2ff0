use memchr::memchr_iter;
use spawnhook_model::{Cut, Excerpt, OutputLimits, Truncation};

/// Keeps whole lines from the start of a text, as many as the limits allow: for readers of files,
/// as [`truncate_tail`](crate::truncate_tail) is for commands.
///
/// A newline at the very end is neither a line of its own nor counted against the limit of bytes.
/// Of a first line that is over the limit by itself the start is kept, up to the last character
/// that fits.
pub fn truncate_head(text: &str, limits: OutputLimits) -> Excerpt {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let ends = memchr_iter(b'\n', body.as_bytes()).chain([body.len()]);
    let lines = match text {
        "" => 0,
        _ => ends.clone().count() as u64,
    };
    let fits = |end: &usize| *end <= limits.max_bytes;
    let whole: Vec<usize> = ends.take(limits.max_lines).take_while(fits).collect();
    let shown_lines = whole.len() as u64;
    if shown_lines >= lines {
        return Excerpt {
            text: text.to_owned(),
            truncation: None,
            lines,
        };
    }
    let by = match whole.len() == limits.max_lines {
        true => Cut::Lines,
        false => Cut::Bytes,
    };
    let partial = whole.is_empty() && by == Cut::Bytes;
    let shown = match whole.last() {
        Some(end) => &body[..*end],
        None if partial => &body[..body.floor_char_boundary(limits.max_bytes)],
        None => "",
    };
    let last_line = body.rfind('\n').map_or(0, |newline| newline + 1);
    Excerpt {
        text: shown.to_owned(),
        truncation: Some(Truncation {
            by,
            total_lines: lines,
            total_bytes: text.len() as u64,
            shown_lines: shown_lines.max(u64::from(partial)),
            shown_bytes: shown.len() as u64,
            first_line: 1,
            last_line_partial: partial,
            last_line_bytes: (body.len() - last_line) as u64,
            max_bytes: limits.max_bytes as u64,
        }),
        lines,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::truncate_tail;

    fn limits(max_lines: usize, max_bytes: usize) -> OutputLimits {
        OutputLimits {
            max_lines,
            max_bytes,
        }
    }

    #[test]
    fn first_lines_stay_whole() {
        for (text, lines, bytes, kept, partial) in [
            ("a\nb\nc\n", 2, 100, "a\nb", false),
            ("a\nb\nc", 3, 4, "a\nb", false),
            ("a\nbb\nc", 9, 3, "a", false),
            ("\n\n\n", 2, 100, "\n", false),
            ("äöü\nx", 9, 5, "äö", true),
        ] {
            let head = truncate_head(text, limits(lines, bytes));
            let cut = head.truncation.unwrap();
            assert_eq!(
                (&*head.text, cut.last_line_partial),
                (kept, partial),
                "{text:?}"
            );
        }
        assert_eq!(truncate_head("a\nb\n", limits(2, 3)).truncation, None);
    }

    /// The characters from last to first; what is one character stays so.
    fn mirrored(text: &str) -> String {
        text.chars().rev().collect()
    }

    proptest! {
        #[test]
        fn a_head_is_the_tail_seen_in_a_mirror(
            text in "([aä\n]{0,12}[aä])?",
            lines in 1..6_usize,
            bytes in 1..12_usize,
        ) {
            let limits = limits(lines, bytes);
            // Only a newline at the end is no line; at the start it is.
            prop_assume!(!text.starts_with('\n'));
            let head = truncate_head(&text, limits);
            let tail = truncate_tail(&mirrored(&text), limits);
            prop_assert_eq!(head.text, mirrored(&tail.text));
            prop_assert_eq!(head.lines, tail.lines);
            let kept = |cut: &Truncation| (cut.by, cut.shown_lines, cut.shown_bytes, cut.last_line_partial);
            prop_assert_eq!(head.truncation.as_ref().map(kept), tail.truncation.as_ref().map(kept));
        }
    }
}
