//! Private keys in PEM blocks.

use std::ops::Range;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const KIND: &str = "PRIVATE KEY-----";
/// How many bytes may stand before [`KIND`], as `OPENSSH ` does.
const KIND_BYTES: usize = 32;

/// A block whose end is missing reaches to the end of the text. One whose begin is missing, since
/// the text was cut, reaches back as far as a key could.
pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut position = 0;
    while let Some(start) = label_end(text, position, BEGIN) {
        let end = label_start(text, start, END).unwrap_or(text.len());
        found.push(start..end);
        position = end;
    }
    let first = label_start(text, 0, BEGIN).unwrap_or(text.len());
    if let Some(end) = label_start(&text[..first], 0, END) {
        found.push(key_start(text, end)..end);
    }
}

/// Where the first label of a private key starts that is not before `from`.
fn label_start(text: &str, from: usize, label: &str) -> Option<usize> {
    let mut starts = text[from..]
        .match_indices(label)
        .map(|(start, _)| from + start);
    starts.find(|start| kind_end(text, start + label.len()).is_some())
}

fn label_end(text: &str, from: usize, label: &str) -> Option<usize> {
    label_start(text, from, label).and_then(|start| kind_end(text, start + label.len()))
}

fn kind_end(text: &str, from: usize) -> Option<usize> {
    let words = text.as_bytes()[from..].iter().take(KIND_BYTES);
    let upper = words
        .take_while(|byte| byte.is_ascii_uppercase() || **byte == b' ')
        .count();
    let kind = text[from..from + upper]
        .find("PRIVATE KEY")
        .map(|start| from + start)?;
    text[kind..].starts_with(KIND).then_some(kind + KIND.len())
}

fn key_start(text: &str, end: usize) -> usize {
    let is_key = |byte: &u8| {
        byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=\\".contains(byte)
    };
    end - text.as_bytes()[..end]
        .iter()
        .rev()
        .take_while(|byte| is_key(byte))
        .count()
}
