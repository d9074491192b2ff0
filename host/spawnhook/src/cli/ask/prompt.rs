//! What a person reads before the answer, and what the answer means.

use std::fmt::Write as _;

use spawnhook::Question;
use spawnhook_exec::visible;

/// How many bytes of a command are shown from its head, and as many from its tail: more than
/// anybody reads on one screen.
const SHOWN_BYTES: usize = 8 * 1024;

/// What is asked again after an answer that is none.
pub(super) const AGAIN: &str = "Please answer y, n or a: ";

/// What a person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Yes,
    No,
    /// Yes, and to every other question about this very command while this process lives.
    Always,
}

impl Reply {
    /// What a line means; none if it is no answer. An end of input is a no, in the midst of a line
    /// too.
    pub(super) fn read(line: &str) -> Option<Self> {
        let Some(line) = line.strip_suffix('\n') else {
            return Some(Self::No);
        };
        match line.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" => Some(Self::Yes),
            "" | "n" | "no" => Some(Self::No),
            "a" | "all" => Some(Self::Always),
            _ => None,
        }
    }
}

/// The question.
pub(super) fn text(question: &Question<'_>) -> String {
    let mut text = String::new();
    let spawn = question.spawn;
    let (hook, cwd) = (visible(question.hook), spawn.cwd.to_string_lossy());
    write!(
        text,
        "spawnhook: hook `{hook}` asks about this command in {}\n\n",
        visible(&cwd)
    )
    .expect("invariant: a String takes all text");
    block(&mut text, &shortened(&spawn.command));
    write!(text, "\nWhy: {}\n", visible(question.reason))
        .expect("invariant: a String takes all text");
    let changes = question.changes();
    if !changes.is_empty() {
        text.push_str("Hooks changed what was asked for:\n");
        block(&mut text, &changes);
    }
    text.push_str("Run it? [y]es, [N]o, [a]ll questions about this command, in this run: ");
    text
}

/// The lines, indented, with what a terminal would obey made visible.
fn block(text: &mut String, lines: &str) {
    for line in lines.lines() {
        writeln!(text, "    {}", visible(line)).expect("invariant: a String takes all text");
    }
}

/// Head and tail of a text that nobody would read to the end.
fn shortened(text: &str) -> String {
    if text.len() <= 2 * SHOWN_BYTES {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(SHOWN_BYTES)];
    let tail = &text[text.ceil_char_boundary(text.len() - SHOWN_BYTES)..];
    let left_out = text.len() - head.len() - tail.len();
    format!("{head}\n… {left_out} bytes are not shown …\n{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_answer_if_it_was_ended() {
        for (line, answer) in [
            ("y\n", Some(Reply::Yes)),
            (" YES \r\n", Some(Reply::Yes)),
            ("\n", Some(Reply::No)),
            ("n\n", Some(Reply::No)),
            ("", Some(Reply::No)),
            ("y", Some(Reply::No)),
            ("a\n", Some(Reply::Always)),
            ("yy\n", None),
            ("да\n", None),
        ] {
            assert_eq!(Reply::read(line), answer, "{line:?}");
        }
    }

    #[test]
    fn a_command_that_nobody_reads_to_the_end_is_shown_from_both_ends() {
        assert_eq!(shortened("a\nb"), "a\nb");
        let long = format!("head {} tail", "é".repeat(10_000));
        let shown = shortened(&long);
        assert!(
            shown.starts_with("head é") && shown.ends_with("é tail"),
            "{shown}"
        );
        let hidden = long.len() - 2 * SHOWN_BYTES;
        assert!(shown.contains("… ") && shown.len() < long.len() && hidden > 0);
    }
}
