//! `$'…'`.

/// Decodes what stands behind `$'`. Gives the text and how long it stands there, the closing quote
/// included; none if there is none, or if an escape makes no text.
pub(crate) fn decode(text: &str) -> Option<(String, usize)> {
    let mut decoded = String::new();
    let mut rest = text;
    loop {
        let special = rest.find(['\'', '\\'])?;
        decoded.push_str(&rest[..special]);
        let behind = &rest[special + 1..];
        if rest.as_bytes()[special] == b'\'' {
            return Some((decoded, text.len() - behind.len()));
        }
        rest = escape(behind, &mut decoded)?;
    }
}

/// Decodes what stands behind a backslash and gives what follows it.
fn escape<'a>(text: &'a str, decoded: &mut String) -> Option<&'a str> {
    let first = text.chars().next()?;
    let behind = &text[first.len_utf8()..];
    match first {
        'a' => decoded.push('\x07'),
        'b' => decoded.push('\x08'),
        'e' | 'E' => decoded.push('\x1b'),
        'f' => decoded.push('\x0c'),
        'n' => decoded.push('\n'),
        'r' => decoded.push('\r'),
        't' => decoded.push('\t'),
        'v' => decoded.push('\x0b'),
        '\\' | '\'' | '"' | '?' => decoded.push(first),
        '0'..='7' => return number(text, 8, 3, decoded),
        'x' => return number(behind, 16, 2, decoded),
        'u' => return number(behind, 16, 4, decoded),
        'U' => return number(behind, 16, 8, decoded),
        'c' => return None,
        other => {
            decoded.push('\\');
            decoded.push(other);
        }
    }
    Some(behind)
}

/// A number of ASCII alone: what bytes or characters others become depends on the locale, and NUL
/// ends the text.
fn number<'a>(text: &'a str, base: u32, digits: usize, decoded: &mut String) -> Option<&'a str> {
    let length = text
        .bytes()
        .take(digits)
        .take_while(|byte| char::from(*byte).is_digit(base))
        .count();
    let number = u8::from_str_radix(&text[..length], base).ok()?;
    if number == 0 || !number.is_ascii() {
        return None;
    }
    decoded.push(char::from(number));
    Some(&text[length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_up_to_the_closing_quote() {
        let decoded = decode(r"a\x41\102\u0043\n\'\z' rest").unwrap();
        assert_eq!(
            decoded,
            ("aABC\n'\\z".to_owned(), r"a\x41\102\u0043\n\'\z'".len())
        );
    }

    #[test]
    fn what_makes_no_certain_text_is_none() {
        for text in ["a", r"\x00'", r"\xff'", r"\ca'", r"\0'", r"\x'", "\\"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
