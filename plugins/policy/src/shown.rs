/// A text on one line, for people: what is not seen, or would move what stands around
/// it, is written as an escape.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\'' | '"' | '\\' => shown.push(character),
            other => shown.extend(other.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_stays() {
        for text in ["git commit -m \"it's\" \\;", "rm größe 猫 🦀", ""] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn what_is_not_seen_is_written_out() {
        assert_eq!(shown("a\nb\tc"), "a\\nb\\tc");
        assert_eq!(shown("ls \u{202e}\u{1b}[2K"), "ls \\u{202e}\\u{1b}[2K");
        for hidden in "\u{0}\u{9b}\u{ad}\u{61c}\u{200b}\u{200d}\u{2028}\u{2060}\u{2066}\u{feff}\u{fff9}\u{e0001}".chars() {
            assert!(!shown(&hidden.to_string()).contains(hidden), "{hidden:?}");
        }
    }
}
