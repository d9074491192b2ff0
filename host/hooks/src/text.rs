use std::fmt::Write as _;

/// The longest text of a hook that is shown: a reason, a question, a message of a failure.
pub(crate) const SHOWN_BYTES: usize = 4 << 10;

/// `text` in one line of at most `max_bytes`, with every character visible that a terminal or a
/// reader would obey instead of show: control characters, and those that reorder or hide text.
pub(crate) fn one_line(text: &str, max_bytes: usize) -> String {
    const CUT: &str = "…";
    let room = max_bytes.saturating_sub(CUT.len());
    let mut line = String::new();
    for char in text.trim().chars() {
        let end = line.len();
        if is_obeyed(char) {
            write!(line, "{}", char.escape_default()).expect("invariant: a String takes all text");
        } else {
            line.push(char);
        }
        if line.len() > room {
            line.truncate(end);
            line.push_str(CUT);
            break;
        }
    }
    line
}

/// Whether `char` changes how text is drawn: C0 and C1 controls, and the marks of Unicode for
/// direction, joining and invisible breaks.
fn is_obeyed(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}' | '\u{feff}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(
            one_line("a\nb\t\u{1b}[31mred\u{202e}x\0\u{85}y", SHOWN_BYTES),
            r"a\nb\t\u{1b}[31mred\u{202e}x\u{0}\u{85}y"
        );
    }

    #[test]
    fn a_text_is_cut_at_a_character() {
        assert_eq!(one_line("äöü", 5), "ä…");
        assert_eq!(one_line("ab\n", 5), "ab");
    }

    proptest! {
        #[test]
        fn a_line_is_one_line_within_its_limit(text: String, max_bytes in 3_usize..200) {
            let line = one_line(&text, max_bytes);
            prop_assert!(line.len() <= max_bytes);
            prop_assert!(!line.chars().any(is_obeyed));
        }
    }
}
