//! Where the value behind a name ends.

use std::ops::Range;

/// The secret in the value that starts at `start`: the inside of its quotes if it is quoted as a
/// whole, else the word as a shell reads it. Empty if there is none, or if it names a variable.
pub(super) fn value(text: &str, start: usize) -> Range<usize> {
    let range = quoted_whole(text, start).unwrap_or_else(|| start..word_end(text, start));
    let single_quoted = text[..range.start].ends_with('\'');
    if !single_quoted && is_variable(&text[range.clone()]) {
        return start..start;
    }
    range
}

/// Whether `text` is `$NAME` or `${NAME}`.
pub(super) fn is_variable(text: &str) -> bool {
    let Some(name) = text.strip_prefix('$') else {
        return false;
    };
    let name = name
        .strip_prefix('{')
        .and_then(|name| name.strip_suffix('}'))
        .unwrap_or(name);
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The inside of `"…"`, `'…'` or `\"…\"`, if nothing that belongs to the word follows.
fn quoted_whole(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    if rest.starts_with("\\\"") {
        let inside = start + 2;
        return Some(
            inside
                ..text[inside..]
                    .find("\\\"")
                    .map_or(text.len(), |end| inside + end),
        );
    }
    let quote = rest.bytes().next().filter(|byte| is_quote(*byte))?;
    let inside = start + 1;
    let end = closing(text, inside, quote);
    let behind = text.as_bytes().get(end + 1).copied();
    behind.is_none_or(ends_word).then_some(inside..end)
}

/// Quotes in the middle of a word belong to it if the word goes on behind them; otherwise they
/// close what began before the word.
fn word_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut position = start;
    while let Some(&byte) = bytes.get(position) {
        let next = bytes.get(position + 1).copied();
        position = match byte {
            b'\\' if next != Some(b'\n') => position + 2,
            _ if is_quote(byte) => {
                let goes_on = next.is_some_and(|next| !ends_word(next));
                if position > start && !goes_on {
                    return position;
                }
                closing(text, position + 1, byte) + 1
            }
            _ if ends_word(byte) || byte == b'\\' => return position,
            _ => position + 1,
        };
    }
    // an escape may have led past the end, or into a character
    (position.min(bytes.len())..=bytes.len())
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(bytes.len())
}

/// Where the quote is that closes what starts at `inside`; the end of the text if it is missing.
fn closing(text: &str, inside: usize, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut position = inside;
    while let Some(&byte) = bytes.get(position) {
        match byte {
            _ if byte == quote => return position,
            b'\\' if quote == b'"' => position += 2,
            _ => position += 1,
        }
    }
    bytes.len()
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'')
}

/// Whether a word ends before this byte.
fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || is_quote(byte)
        || matches!(
            byte,
            b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' | b'`' | b',' | b'}' | b']'
        )
}
