//! Tokens that their issuers give a prefix of its own.

use std::ops::Range;

/// A prefix and the fewest characters behind it that make a token.
const KINDS: [(&str, usize); 13] = [
    ("AKIA", 12),
    ("ASIA", 12),
    ("ghp_", 8),
    ("gho_", 8),
    ("ghu_", 8),
    ("ghs_", 8),
    ("ghr_", 8),
    ("github_pat_", 8),
    ("glpat-", 8),
    ("sk-", 12),
    ("xoxa-", 8),
    ("xoxb-", 8),
    ("xoxp-", 8),
];

pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    for (prefix, fewest) in KINDS {
        for (position, _) in text.match_indices(prefix) {
            if bytes[..position].last().copied().is_some_and(is_part) {
                continue;
            }
            let start = position + prefix.len();
            let length = bytes[start..]
                .iter()
                .take_while(|byte| is_part(**byte))
                .count();
            if length >= fewest {
                found.push(start..start + length);
            }
        }
    }
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
