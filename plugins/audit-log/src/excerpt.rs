//! Texts that are cut to a budget, without a cut laying a secret bare.

use std::ops::Range;

use crate::spans;

/// How many bytes beyond a cut are searched for secrets: a secret that the cut goes through is seen
/// from its name or its head.
const MARGIN: usize = 4096;
/// Room for what says how much is missing, in bytes.
const NOTE_BYTES: usize = 40;

/// A text as it is recorded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) text: String,
    /// How many bytes of the original are in no part of `text`, masked or not.
    pub(crate) left_out: usize,
}

/// The masked `text`, or its head and tail if it takes more than `budget` bytes as JSON.
/// `secrets` finds the ranges to mask.
pub(crate) fn excerpt(
    text: &str,
    budget: usize,
    secrets: impl Fn(&str) -> Vec<Range<usize>>,
) -> Excerpt {
    if text.len() > budget + 2 * MARGIN {
        return head_and_tail_of_long(text, budget, secrets);
    }
    let spans = secrets(text);
    let whole = spans::mask(text, 0..text.len(), &spans);
    if encoded_len(&whole) <= budget {
        return Excerpt {
            text: whole,
            left_out: 0,
        };
    }
    let half = half(budget);
    let head = 0..floor(text, half);
    let tail = ceil(text, text.len().saturating_sub(half))..text.len();
    cut(text, half, head, tail, &spans)
}

/// How many bytes a text takes in a JSON string, without the quotes.
pub(crate) fn encoded_len(text: &str) -> usize {
    text.bytes().map(encoded_byte_len).sum()
}

fn encoded_byte_len(byte: u8) -> usize {
    match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2,
        0..0x20 => 6,
        _ => 1,
    }
}

/// Searches only what is near the two ends, whatever lies between.
fn head_and_tail_of_long(
    text: &str,
    budget: usize,
    secrets: impl Fn(&str) -> Vec<Range<usize>>,
) -> Excerpt {
    let half = half(budget);
    let head = 0..floor(text, half);
    let tail = text.len() - half..text.len();
    let head_window = &text[..floor(text, head.end + MARGIN)];
    let tail_offset = ceil(text, tail.start - MARGIN);
    let mut spans = secrets(head_window);
    let shift = |span: Range<usize>| span.start + tail_offset..span.end + tail_offset;
    spans.extend(secrets(&text[tail_offset..]).into_iter().map(shift));
    // A word that began before the margin may be a secret whose name nobody searched.
    let start = ceil(text, tail.start);
    let word = text[start..]
        .find(char::is_whitespace)
        .unwrap_or(text.len() - start);
    cut(text, half, head, start + word..text.len(), &spans)
}

fn half(budget: usize) -> usize {
    budget.saturating_sub(NOTE_BYTES) / 2
}

/// As much of `head` and of `tail` as takes `half` bytes each.
fn cut(
    text: &str,
    half: usize,
    head: Range<usize>,
    tail: Range<usize>,
    spans: &[Range<usize>],
) -> Excerpt {
    let head_end = fitting(pieces(text, head, spans).into_iter(), half)
        .last()
        .map_or(0, |piece| piece.end);
    let tail_start = fitting(pieces(text, tail, spans).into_iter().rev(), half)
        .last()
        .map_or(text.len(), |piece| piece.start)
        .max(head_end);
    let left_out = tail_start - head_end;
    let head = spans::mask(text, 0..head_end, spans);
    let tail = spans::mask(text, tail_start..text.len(), spans);
    Excerpt {
        text: format!("{head}…[{left_out} bytes left out]…{tail}"),
        left_out,
    }
}

/// A part of the text that is kept or left out as a whole, and what it takes as JSON.
type Piece = (Range<usize>, usize);

/// The characters and the secrets that begin in `range`.
fn pieces(text: &str, range: Range<usize>, spans: &[Range<usize>]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(range.len());
    let mut position = range.start;
    let mut spans = spans
        .iter()
        .skip_while(|span| span.end <= range.start)
        .peekable();
    while position < range.end {
        if let Some(span) = spans.next_if(|span| span.start <= position) {
            if span.start == position {
                pieces.push((span.clone(), spans::MASK.len()));
            }
            position = span.end;
            continue;
        }
        let end = ceil(text, position + 1);
        pieces.push((position..end, encoded_len(&text[position..end])));
        position = end;
    }
    pieces
}

fn fitting(
    pieces: impl Iterator<Item = Piece>,
    mut budget: usize,
) -> impl Iterator<Item = Range<usize>> {
    pieces.map_while(move |(range, cost)| {
        budget = budget.checked_sub(cost)?;
        Some(range)
    })
}

/// The last boundary between characters that is not behind `index`.
fn floor(text: &str, index: usize) -> usize {
    let index = index.min(text.len());
    (0..=index)
        .rev()
        .find(|index| text.is_char_boundary(*index))
        .unwrap_or(0)
}

/// The first boundary between characters that is not before `index`.
fn ceil(text: &str, index: usize) -> usize {
    (index..text.len())
        .find(|index| text.is_char_boundary(*index))
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests;
