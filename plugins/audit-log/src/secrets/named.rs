//! Secrets behind their names: `--password=…`, `--token …`, `"api_key": "…"`, `Authorization: …`.

use std::ops::Range;

use super::{name, word};

pub(super) fn find(text: &str, found: &mut Vec<Range<usize>>) {
    let mut position = 0;
    while let Some(step) = text[position..].find(['=', ':', '-']) {
        let mark = position + step;
        position = mark + 1;
        let secret = match text.as_bytes()[mark] {
            b'-' => behind_option(text, mark),
            _ => behind_mark(text, mark),
        };
        if let Some(secret) = secret.filter(|secret| !secret.is_empty()) {
            position = secret.end.max(position);
            found.push(secret);
        }
    }
}

/// The secret behind the `=` or `:` at `mark`, if a secret's name stands before it.
fn behind_mark(text: &str, mark: usize) -> Option<Range<usize>> {
    let before = text[..mark].trim_end_matches([' ', '\t']);
    let spaced = before.len() < mark;
    let unquoted = before.strip_suffix(['"', '\'']).unwrap_or(before);
    let name = name::at_end(unquoted.strip_suffix('\\').unwrap_or(unquoted));
    let authorization = name::is_authorization(name);
    if !authorization && !name::is_secret(name) {
        return None;
    }
    let rest = text[mark + 1..].trim_start_matches(['=', '>']);
    // `TOKEN= command` sets a variable to nothing
    let loose = spaced || authorization || text.as_bytes()[mark] == b':';
    let rest = if loose {
        rest.trim_start_matches([' ', '\t'])
    } else {
        rest
    };
    let start = text.len() - rest.len();
    Some(if authorization {
        credentials(text, start)
    } else {
        word::value(text, start)
    })
}

/// The secret behind the option that starts with the dash at `dash`, if it is a word of its own.
fn behind_option(text: &str, dash: usize) -> Option<Range<usize>> {
    let before = text[..dash].bytes().next_back();
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    {
        return None;
    }
    let name = name::at_start(&text[dash..]);
    if !name::is_secret(name) {
        return None;
    }
    let rest = &text[dash + name.len()..];
    let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest);
    let rest = rest.strip_prefix(',').unwrap_or(rest);
    let value = rest
        .trim_start_matches([' ', '\t'])
        .trim_start_matches("\\\n")
        .trim_start_matches([' ', '\t']);
    let is_value = value.len() < rest.len() && !value.starts_with('-');
    is_value.then(|| word::value(text, text.len() - value.len()))
}

/// The credentials of a header: all behind the scheme, to the end of the quotes or of the command.
fn credentials(text: &str, start: usize) -> Range<usize> {
    let rest = text[start..].trim_start_matches(['"', '\'', '\\']);
    let (scheme, behind) = rest.split_once(' ').unwrap_or(("", rest));
    let is_scheme = !scheme.is_empty()
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let rest = if is_scheme { behind } else { rest };
    let end = rest
        .find(['"', '\'', '\n', '\r', ';', '&', '|', '`', '\\'])
        .unwrap_or(rest.len());
    let credentials = rest[..end].trim_end();
    let start = text.len() - rest.len();
    if word::is_variable(credentials) {
        start..start
    } else {
        start..start + credentials.len()
    }
}
