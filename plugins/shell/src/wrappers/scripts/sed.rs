//! Whether a script of sed runs commands: by `e`, or by the flag `e` of `s`.

pub(super) fn is_harmless(script: &str) -> bool {
    let mut rest = script;
    while !rest.is_empty() {
        match command(rest) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    true
}

/// What stands behind one command; none if it runs something or is not understood.
fn command(text: &str) -> Option<&str> {
    let text = text.trim_start_matches([' ', '\t', '\n', ';', '}']);
    if text.is_empty() {
        return Some(text);
    }
    let text = addresses(text)?.trim_start_matches([' ', '\t', '!']);
    let (name, rest) = text.split_at_checked(1)?;
    match name {
        "{" => Some(rest),
        "=" | "d" | "D" | "g" | "G" | "h" | "H" | "n" | "N" | "p" | "P" | "x" | "z" | "F" => {
            end(rest)
        }
        "q" | "Q" | "l" | "L" => end(rest
            .trim_start_matches([' ', '\t'])
            .trim_start_matches(digit)),
        "s" => substitution(rest),
        "y" => end(delimited(rest, 2)?),
        "a" | "i" | "c" => Some(appended(rest)),
        "r" | "R" | "w" | "W" | "#" => Some(line(rest)),
        ":" | "b" | "t" | "T" | "v" => {
            Some(&rest[rest.find([';', '\n', '}']).unwrap_or(rest.len())..])
        }
        _ => None,
    }
}

fn digit(char: char) -> bool {
    char.is_ascii_digit()
}

/// A command's end: nothing may follow on it but blanks, and a brace or a comment.
fn end(text: &str) -> Option<&str> {
    let text = text.trim_start_matches([' ', '\t']);
    let ends = text.is_empty() || text.starts_with([';', '\n', '}', '#']);
    ends.then_some(text)
}

/// What follows the line.
fn line(text: &str) -> &str {
    text.find('\n').map_or("", |end| &text[end..])
}

/// What follows the text of `a`, whose lines a backslash joins.
fn appended(text: &str) -> &str {
    let mut escaped = false;
    for (index, char) in text.char_indices() {
        match char {
            '\n' if !escaped => return &text[index..],
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    ""
}

fn addresses(text: &str) -> Option<&str> {
    let text = address(text)?.trim_start_matches([' ', '\t']);
    match text.strip_prefix(',') {
        Some(second) => address(second.trim_start_matches([' ', '\t', '+', '~'])),
        None => Some(text),
    }
}

fn address(text: &str) -> Option<&str> {
    let flags = |text| str::trim_start_matches(text, ['I', 'M']);
    match text.chars().next() {
        Some('/') => delimited(text, 1).map(flags),
        Some('\\') => delimited(&text[1..], 1).map(flags),
        Some('$') => Some(&text[1..]),
        Some(first) if digit(first) => {
            Some(text.trim_start_matches(|char| digit(char) || char == '~'))
        }
        _ => Some(text),
    }
}

/// What follows so many texts, each ended by the character that stands first. Brackets in them
/// may hold it or not, by version: then it is not understood.
fn delimited(text: &str, count: usize) -> Option<&str> {
    let delimiter = text
        .chars()
        .next()
        .filter(|char| !char.is_alphanumeric() && !"\\\n ;".contains(*char))?;
    let (mut escaped, mut bracket, mut found) = (false, false, 0);
    for (index, char) in text.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if found == 0 => {
                let set = &text[index + 1..];
                // whether a bracket that stands first ends the set is another question
                if set.starts_with(']') || set.starts_with("^]") {
                    return None;
                }
                bracket = true;
            }
            ']' => bracket = false,
            char if char == delimiter && bracket => return None,
            char if char == delimiter => {
                found += 1;
                if found == count {
                    return Some(&text[index + char.len_utf8()..]);
                }
            }
            _ => {}
        }
    }
    None
}

/// `s` with its flags.
fn substitution(text: &str) -> Option<&str> {
    let flags = delimited(text, 2)?;
    let rest = flags.trim_start_matches(|char| digit(char) || "gpiImM".contains(char));
    match rest.strip_prefix('w') {
        Some(file) => Some(line(file)),
        None => end(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_run_nothing_are_harmless() {
        for script in [
            "s/a/b/g",
            "s/foo(\\(.*\\))/bar(\\1)/g",
            "s|$(a)|b|; /x/d",
            "10,20p",
            "$!N;P;D",
            "/start/,/end/{s/e/[/2p;d}",
            "1~2d",
            "/a/I,+3!d",
            "\\,x,d",
            ":a;N;$!ba;s/\\n/ /g",
            "a\\\ne touch x",
            "i e touch x",
            "y/abc/xyz/",
            "s/[0-9]*//;s/x/y/w out",
            "# e touch x\np",
            "5q",
            "",
        ] {
            assert!(is_harmless(script), "{script}");
        }
    }

    #[test]
    fn scripts_that_run_something_are_not() {
        for script in [
            "e",
            "1e touch x",
            "e touch x",
            "s/x/touch x/e",
            "s/x/touch x/ge",
            "s/x/touch x/2e",
            "/x/e touch x",
            "p;e touch x",
            "p\ne touch x",
            "{e touch x\n}",
            "a x\ne touch x",
            "s/[/]/x/;e",
            "s/[]/]/x/;e touch x;/",
            "s,x,y,e",
            "sex;y;touche;e",
            "1!e touch x",
            "$ e touch x",
            "1,2 ! e touch x",
            "y/a/b/;e touch x",
            ":a;e touch x",
            "b;e touch x",
            "s/x/y",
            "r x\ne touch x",
            "}e touch x",
        ] {
            assert!(!is_harmless(script), "{script}");
        }
    }
}
