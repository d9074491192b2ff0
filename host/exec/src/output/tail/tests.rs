use proptest::prelude::*;

use super::*;

mod table;

/// A second implementation, by the words of the contract and without any regard to memory.
fn by_the_words(text: &str, limits: OutputLimits) -> Excerpt {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let all: Vec<&str> = if text.is_empty() {
        vec![]
    } else {
        body.split('\n').collect()
    };
    let lines = all.len() as u64;
    if body.len() <= limits.max_bytes && all.len() <= limits.max_lines {
        return Excerpt {
            text: text.to_owned(),
            truncation: None,
            lines,
        };
    }
    let mut shown: Vec<&str> = Vec::new();
    let mut by = Cut::Lines;
    let mut partial = false;
    for line in all.iter().rev() {
        if shown.len() == limits.max_lines {
            break;
        }
        let bytes: usize = shown.iter().map(|line| line.len() + 1).sum();
        if bytes + line.len() > limits.max_bytes {
            by = Cut::Bytes;
            if shown.is_empty() {
                partial = true;
                let mut start = line.len() - limits.max_bytes;
                while !line.is_char_boundary(start) {
                    start += 1;
                }
                shown.push(&line[start..]);
            }
            break;
        }
        shown.push(line);
    }
    shown.reverse();
    let kept = shown.join("\n");
    let truncation = Truncation {
        by,
        total_lines: lines,
        total_bytes: text.len() as u64,
        shown_lines: shown.len() as u64,
        shown_bytes: kept.len() as u64,
        first_line: lines - shown.len() as u64 + 1,
        last_line_partial: partial,
        last_line_bytes: all.last().map_or(0, |line| line.len() as u64),
        max_bytes: limits.max_bytes as u64,
    };
    Excerpt {
        text: kept,
        truncation: Some(truncation),
        lines,
    }
}

fn limits() -> impl Strategy<Value = OutputLimits> {
    (1_usize..6, 1_usize..24).prop_map(|(max_lines, max_bytes)| OutputLimits {
        max_lines,
        max_bytes,
    })
}

/// What a cleaner may write: text, and now and then a line that starts anew.
fn edits() -> impl Strategy<Value = Vec<Option<String>>> {
    let text = prop_oneof![
        3 => "[a-cé世🙂\n]{0,12}".prop_map(Some),
        1 => "\n{0,3}".prop_map(Some),
        1 => "[a-cé世🙂]{20,60}".prop_map(Some),
        1 => Just(None),
    ];
    prop::collection::vec(text, 0..24)
}

proptest! {
    #[test]
    fn a_tail_is_what_the_contract_says(text in "[a-cé世🙂\n]{0,80}", limits in limits()) {
        prop_assert_eq!(truncate_tail(&text, limits), by_the_words(&text, limits));
    }

    #[test]
    fn a_tail_does_not_depend_on_how_the_text_came(edits in edits(), limits in limits()) {
        let mut buffer = TailBuffer::new(limits);
        let mut text = String::new();
        for edit in &edits {
            match edit {
                Some(piece) => {
                    buffer.text(piece);
                    text.text(piece);
                }
                None => {
                    buffer.restart_line();
                    text.restart_line();
                }
            }
            prop_assert_eq!(buffer.tail(), by_the_words(&text, limits));
            prop_assert_eq!(buffer.is_over(), buffer.tail().truncation.is_some());
        }
    }

    #[test]
    fn memory_is_bounded_by_the_limit_of_bytes(edits in edits(), limits in limits()) {
        let mut buffer = TailBuffer::new(limits);
        for edit in &edits {
            match edit {
                Some(piece) => buffer.text(piece),
                None => buffer.restart_line(),
            }
            // The slack is for characters that are cut, and for the least that is allocated.
            let slack = 2 * ("\n\n".len() + '\u{1f642}'.len_utf8());
            for kept in [&buffer.whole, &buffer.line] {
                prop_assert!(kept.text.capacity() <= 2 * limits.max_bytes + slack);
            }
        }
    }
}
