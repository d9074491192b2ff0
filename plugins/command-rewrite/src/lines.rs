//! Putting lines around shell text, so that neither swallows the other.

/// `lines` before `text`.
pub(crate) fn prepend(lines: &[String], text: &mut String) {
    if !lines.is_empty() {
        text.insert_str(0, &(lines.join("\n") + "\n"));
    }
}

/// `lines` after `text`, from the start of a line that the shell takes for one.
pub(crate) fn append(text: &mut String, lines: &[String]) {
    if !lines.is_empty() {
        text.push_str(separator(text));
        text.push_str(&lines.join("\n"));
    }
}

/// What ends the last line of `text`.
///
/// A backslash before the end of the text stands for itself, before a newline it joins two lines.
/// A second one keeps it what it was; where it joins the last line with nothing, a second newline
/// ends that line.
fn separator(text: &str) -> &'static str {
    match text.strip_suffix('\n') {
        Some(line) if ends_in_escape(line) => "\n",
        Some(_) => "",
        None if text.is_empty() => "",
        None if ends_in_escape(text) => "\\\n",
        None => "\n",
    }
}

/// Whether the last backslash of `text` is not itself escaped.
fn ends_in_escape(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    fn appended(text: &str) -> String {
        let mut text = text.to_owned();
        append(&mut text, &["echo appended".to_owned()]);
        text
    }

    fn output(command: &str) -> String {
        let output = Command::new("sh")
            .args(["-c", command])
            .output()
            .expect("sh runs");
        String::from_utf8(output.stdout).expect("the output is UTF-8")
    }

    #[test]
    fn no_line_leaves_the_text_alone() {
        let mut text = "echo \\".to_owned();
        append(&mut text, &[]);
        prepend(&[], &mut text);
        assert_eq!(text, "echo \\");
    }

    #[test]
    fn lines_are_joined_by_newlines() {
        let mut text = "two".to_owned();
        prepend(&["zero".to_owned(), "one".to_owned()], &mut text);
        append(&mut text, &["three".to_owned(), "four".to_owned()]);
        assert_eq!(text, "zero\none\ntwo\nthree\nfour");
    }

    #[test]
    fn a_text_that_ends_in_a_newline_gets_no_empty_line() {
        assert_eq!(appended("echo a\n"), "echo a\necho appended");
        assert_eq!(appended("echo a\r\n"), "echo a\r\necho appended");
    }

    #[test]
    fn what_is_appended_runs_and_what_stood_before_prints_what_it_did() {
        let texts = [
            "echo a",
            "echo a\n",
            "echo a\n\n",
            "echo a # comment",
            "echo a # comment \\",
            "echo a \\",
            "echo a \\\\",
            "echo a \\\\\\",
            "echo a \\\n",
            "echo a \\\\\n",
            "cat <<END\na $HOME\nEND",
            "cat <<END\na\nEND\n",
            "cat <<'END'\na \\\nEND",
            "echo 'a \\'",
            "echo \"a \\\\\"",
            "echo a &",
            "echo a;",
            "",
        ];
        for text in texts {
            let expected = output(&format!("{text}\n")).lines().count() + 1;
            let printed = output(&appended(text));
            assert!(
                printed.contains("appended\n"),
                "{text:?} printed {printed:?}"
            );
            assert_eq!(
                printed.lines().count(),
                expected,
                "{text:?} printed {printed:?}"
            );
            let alone = output(text);
            let before = printed.replace("appended\n", "");
            // a command in the background may print before or after what is appended
            assert_eq!(before, alone, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn the_text_stays_whole_and_the_lines_start_a_line(
            text in r"[a\\\n\r #]{0,12}",
            lines in prop::collection::vec("[a-z]{1,3}", 1..3),
        ) {
            let mut around = text.clone();
            append(&mut around, &lines);
            let between = around
                .strip_prefix(&text)
                .and_then(|rest| rest.strip_suffix(&lines.join("\n")))
                .expect("the text is at the head, the lines at the end");
            prop_assert!(["", "\n", "\\\n"].contains(&between));
            let head = format!("{text}{between}");
            prop_assert!(head.is_empty() || head.ends_with('\n'));
            prop_assert!(!ends_in_escape(head.trim_end_matches('\n')) || head.ends_with("\n\n"));
        }
    }
}
