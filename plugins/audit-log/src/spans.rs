//! Byte ranges of a text and their replacement by a mask.

use std::ops::Range;

/// What stands in place of a secret.
pub(crate) const MASK: &str = "***";

/// The ranges in order, those that overlap made one, empty ones left out.
pub(crate) fn merge(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.retain(|span| !span.is_empty());
    spans.sort_by_key(|span| span.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// The part `range` of `text` with each of the merged `spans` masked. One that lies in it in part
/// is masked as a whole.
pub(crate) fn mask(text: &str, range: Range<usize>, spans: &[Range<usize>]) -> String {
    let mut output = String::with_capacity(range.len());
    let mut end = range.start;
    for span in spans
        .iter()
        .filter(|span| span.end > range.start && span.start < range.end)
    {
        output.push_str(&text[end..span.start.max(end)]);
        output.push_str(MASK);
        end = span.end.min(range.end);
    }
    output.push_str(&text[end..range.end]);
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_overlap_become_one_and_spans_that_touch_stay_two() {
        assert_eq!(
            merge(vec![4..6, 0..2, 1..3, 3..4, 8..8]),
            [0..3, 3..4, 4..6]
        );
    }

    #[test]
    fn a_span_at_an_edge_is_masked_whole() {
        assert_eq!(mask("abcdefgh", 2..6, &[0..3, 5..8]), "***de***");
    }
}
