//! Whether a script of awk runs commands: by `system`, by a pipe, or by a name that is known only
//! at run time.

/// What stood before a place, which decides what a slash means there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A value: a slash divides.
    Value,
    /// An operator or nothing: a slash starts a regular expression.
    Operator,
    /// Either.
    Unsure,
}

/// Words behind which an expression starts.
const KEYWORDS: [&str; 12] = [
    "case", "delete", "do", "else", "exit", "if", "in", "print", "printf", "return", "switch",
    "while",
];

pub(super) fn is_harmless(script: &str) -> bool {
    let mut before = Before::Operator;
    let mut rest = script;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => match quoted(rest, '"') {
                Some(length) => length,
                None => return false,
            },
            '/' if before == Before::Unsure => return !runs_anything(rest),
            '/' if before == Before::Operator => match regular_expression(rest) {
                Some(length) => length,
                None => return false,
            },
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '\\' if rest.starts_with("\\\n") => 2,
            '@' | '\\' => return false,
            '|' if rest.starts_with("||") => 2,
            '|' => return false,
            _ if is_word(first) => rest.find(|char| !is_word(char)).unwrap_or(rest.len()),
            '+' | '-' if rest[1..].starts_with(first) => 2,
            _ => first.len_utf8(),
        };
        let token = &rest[..length];
        if token == "system" {
            return false;
        }
        before = match first {
            ' ' | '\t' | '\\' => before,
            // the end of a condition, behind which a statement starts, or of a value
            ')' => Before::Unsure,
            '"' | '/' if length > 1 => Before::Value,
            ']' => Before::Value,
            '+' | '-' if length == 2 => Before::Unsure,
            _ if matches!(token, "getline" | "length") => Before::Unsure,
            _ if KEYWORDS.contains(&token) => Before::Operator,
            _ if is_word(first) => Before::Value,
            _ => Before::Operator,
        };
        rest = &rest[length..];
    }
    true
}

/// Whether a text might run something, strings and regular expressions included.
fn runs_anything(text: &str) -> bool {
    text.replace("||", "").contains(['|', '@']) || text.contains("system")
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '.'
}

/// The length of a string or a regular expression with its delimiters.
fn quoted(text: &str, delimiter: char) -> Option<usize> {
    let mut escaped = false;
    for (index, char) in text.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            char if char == delimiter => return Some(index + 1),
            _ => {}
        }
    }
    None
}

/// As [`quoted`]; with a slash in brackets, which some versions let stand, it is not understood.
fn regular_expression(text: &str) -> Option<usize> {
    let length = quoted(text, '/')?;
    let closed = text[..length].rfind('[').is_none_or(|open| {
        // a bracket that stands first is one of the set
        let mut set = text[open + 1..length].chars();
        set.next();
        set.as_str().contains(']')
    });
    closed.then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_run_nothing_are_harmless() {
        for script in [
            "{print $1}",
            "NR==1 || /a|b/ {print $2}",
            "{ if ($3 > 100) print $1; }",
            "BEGIN { FS=\":\" } $1 ~ /^(x|y)$/ { n++ } END { print n/2, \"a|b system()\" }",
            "{ gsub(/\\/|x/, \"\"); print }",
            "# system()\n{ getline line < \"file\"; print line > \"/dev/null\" }",
            "{ a[$1] += $2 / 3 } END { for (k in a) print k, a[k] }",
            "/[|]/ { print }",
            "!seen[$0]++",
        ] {
            assert!(is_harmless(script), "{script}");
        }
    }

    #[test]
    fn scripts_that_run_something_are_not() {
        for script in [
            "BEGIN{system(\"touch x\")}",
            "BEGIN { c = \"touch x\"; c | getline }",
            "BEGIN{print 1|\"touch x\"}",
            "BEGIN { \"touch x\" |& getline }",
            "BEGIN { f = \"system\"; @f(\"touch x\") }",
            "@load \"x\"",
            "{ print n / 2 | c; print /x/ }",
            "{ print n++ /2 | c; print 1 / 1 }",
            "BEGIN { s = \"a\\\"\"; print | s }",
            "BEGIN { print 1 \\\n | c }",
            "BEGIN { x = \"\n\" ; print | c }",
            "{ x = a[1] / 2; print | c; y = 1 / 2 }",
            "{ x = (1) / 2; print | c; y = 1 / 2 }",
            "{ x = /[/]/; print | c }",
            "BEGIN { system (\"touch x\") }",
            "BEGIN { x = $NF / 2; print | c; y = 2 / 1 }",
            "BEGIN { print 1. / 1 | c; y = 1 / 1 }",
            "BEGIN { print getline / 1 | c; y = 1 / 1 }",
            "BEGIN { if (1) /\"/; print | c; /\"/ }",
            "BEGIN { x = 1 \\\n / 2; print | c; y = 1 / 2 }",
            "BEGIN { $/\"/; print | c; /\"/ }",
        ] {
            assert!(!is_harmless(script), "{script}");
        }
    }
}
