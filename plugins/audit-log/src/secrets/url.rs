//! Passwords in URLs: `scheme://user:password@host`.

use std::ops::Range;

use super::word::is_variable;

pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    for (position, mark) in text.match_indices("://") {
        let start = position + mark.len();
        let rest = &text[start..];
        let authority = rest.find(|char: char| char.is_whitespace() || "/?#\"'`<>".contains(char));
        let authority = &rest[..authority.unwrap_or(rest.len())];
        let Some((user_info, _)) = authority.rsplit_once('@') else {
            continue;
        };
        if let Some((user, password)) = user_info.split_once(':') {
            if !is_variable(password) {
                let start = start + user.len() + 1;
                found.push(start..start + password.len());
            }
        }
    }
}
