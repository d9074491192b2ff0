use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// One line of a text, for a terminal or an error: what would move the cursor, reorder the line
/// or not be seen is written as `\u{…}`, a newline as `\n`.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if character == '\n' {
            shown.push_str("\\n");
        } else if is_hidden(character) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// As [`visible`], with U+FFFD for what is not UTF-8.
pub(crate) fn visible_path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// Whether a character changes the order in which a line is shown: the embeddings, overrides and
/// isolates of the Unicode bidirectional algorithm, UAX #9.
pub(super) fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Control characters, line and paragraph separators, and the characters of the general category
/// Cf (format) that have no width.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || is_bidi_control(character)
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}'
                | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_could_deceive_is_written_out() {
        for (text, shown) in [
            ("rm -rf /\ntrue", "rm -rf /\\ntrue"),
            ("a\tb\r\u{1b}[2K", "a\\u{9}b\\u{d}\\u{1b}[2K"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("ls \u{202e}gpj.exe", "ls \\u{202e}gpj.exe"),
            (
                "a\u{200b}b\u{feff}c\u{e0041}",
                "a\\u{200b}b\\u{feff}c\\u{e0041}",
            ),
            ("x\u{2028}y", "x\\u{2028}y"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn ordinary_text_of_any_script_is_left_alone() {
        for text in ["", "echo ok", "ünï 文字 🙂 שלום", "a\\nb"] {
            assert!(matches!(visible(text), Cow::Borrowed(shown) if shown == text));
        }
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left(text in "\\PC*|.*|[\\x00-\\x9f\u{2000}-\u{2070}]*") {
            prop_assert!(!visible(&text).contains(is_hidden));
        }
    }
}
