use arbitrary::{Result, Unstructured};
use spawnhook_model::{Excerpt, OutputLimits, Stream};

use crate::{Cleaner, Collector, Text, truncate_head, truncate_tail};

/// Output in any pieces gives the text that it gives in one, nothing that is to be dropped is left
/// in it, and its tail and its head are what simpler code makes of it.
pub fn output(bytes: &[u8]) {
    // Bytes that end early are an output of none.
    check(&mut Unstructured::new(bytes)).ok();
}

fn check(bytes: &mut Unstructured<'_>) -> Result<()> {
    let limits = OutputLimits {
        max_lines: bytes.int_in_range(1..=9)?,
        max_bytes: bytes.int_in_range(1..=120)?,
    };
    let policy = *bytes.choose(&[Text::Clean, Text::Raw])?;
    let lengths: [u8; 3] = bytes.arbitrary()?;
    let output = bytes.bytes(bytes.len())?;
    let pieces = cut(output, &lengths);
    let text = text(policy, [output]);
    assert_eq!(text, self::text(policy, pieces.iter().copied()));
    match policy {
        Text::Clean => assert_clean(&text),
        Text::Raw => assert_eq!(text, String::from_utf8_lossy(output)),
    }
    let tail = truncate_tail(&text, limits);
    assert_eq!(tail.text, last_lines(&text, limits));
    assert_collected(&pieces, policy, limits, &tail);
    assert_head(&text, limits);
    Ok(())
}

/// Cuts bytes into pieces of these lengths, again and again.
fn cut<'a>(mut bytes: &'a [u8], lengths: &[u8]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for length in lengths.iter().cycle() {
        if bytes.is_empty() {
            break;
        }
        let (piece, rest) = bytes.split_at((usize::from(*length) + 1).min(bytes.len()));
        pieces.push(piece);
        bytes = rest;
    }
    pieces
}

fn text<'a>(policy: Text, pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
    let (mut cleaner, mut text) = (Cleaner::with_policy(policy), String::new());
    for piece in pieces {
        cleaner.push(piece, &mut text);
    }
    cleaner.finish(&mut text);
    text
}

fn assert_clean(text: &str) {
    let kept = |character: char| matches!(character, '\t' | '\n');
    assert!(!text.contains(|found: char| found.is_control() && !kept(found)));
    // At the very start it would be a byte order mark.
    if !text.starts_with('\u{feff}') {
        assert_eq!(self::text(Text::Clean, [text.as_bytes()]), text);
    }
}

fn last_lines(text: &str, limits: OutputLimits) -> String {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let lines: Vec<&str> = body.split('\n').collect();
    if body.len() <= limits.max_bytes && lines.len() <= limits.max_lines {
        return text.to_owned();
    }
    let fits = |from: &usize| lines[*from..].join("\n").len() <= limits.max_bytes;
    let most = lines.len().saturating_sub(limits.max_lines);
    match (most..lines.len()).find(fits) {
        Some(from) => lines[from..].join("\n"),
        None => {
            let starts = body.char_indices().map(|(at, _)| at).chain([body.len()]);
            let mut ends = starts.map(|at| &body[at..]);
            let fits = |end: &&str| end.len() <= limits.max_bytes;
            ends.find(fits).unwrap_or_default().to_owned()
        }
    }
}

fn assert_collected(pieces: &[&[u8]], policy: Text, limits: OutputLimits, tail: &Excerpt) {
    let mut collector = Collector::new(limits, None)
        .with_policy(policy)
        .with_streams_apart();
    for piece in pieces {
        collector.write(Stream::Stdout, piece);
        assert!(collector.snapshot().text.len() <= limits.max_bytes + 1);
    }
    let (collected, notices) = collector.finish();
    assert_eq!(notices, Vec::<String>::new());
    let streams = collected.streams.expect("they were to be kept apart");
    assert_eq!(streams.stdout, *tail);
    assert_eq!(streams.stderr.text, "");
    let whole = Excerpt {
        text: collected.text,
        truncation: collected.truncation,
        lines: collected.lines,
    };
    assert_eq!(whole, *tail);
}

fn assert_head(text: &str, limits: OutputLimits) {
    let head = truncate_head(text, limits);
    assert!(text.starts_with(&head.text));
    let Some(cut) = head.truncation else {
        return assert_eq!(head.text, text);
    };
    assert!(head.text.len() <= limits.max_bytes);
    assert!(head.text.split('\n').count() <= limits.max_lines);
    // One more line, or one more character, would have been too much.
    let more = match (&text[head.text.len()..], cut.last_line_partial) {
        (rest, true) => rest.chars().next().map_or(0, char::len_utf8),
        (rest, false) => rest[1..].find('\n').map_or(rest.len(), |at| at + 1),
    };
    let shown = head.text.split('\n').count();
    assert!(head.text.len() + more > limits.max_bytes || shown == limits.max_lines);
}
