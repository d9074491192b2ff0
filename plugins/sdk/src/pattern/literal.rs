//! What a text must contain for a pattern to match in it.

/// The longest literal text that each match of `pattern` contains; may be empty. `pattern` is a
/// valid one.
///
/// Only what stands outside groups and classes counts, and nothing if there are alternatives or
/// flags about letter case or white space.
pub(super) fn required(pattern: &str) -> String {
    let mut scan = Scan {
        runs: vec![String::new()],
        depth: 0,
    };
    let mut chars = pattern.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '|' if scan.depth == 0 => return String::new(),
            '(' if chars.peek() == Some(&'?') => {
                chars.next();
                if matches!(chars.peek(), Some(':' | '<' | 'P')) {
                    scan.open();
                    continue;
                }
                match chars.find(|char| matches!(char, 'i' | 'x' | ')' | ':')) {
                    Some(')') => {}
                    Some(':') => scan.open(),
                    _ => return String::new(),
                }
            }
            '(' => scan.open(),
            ')' => scan.depth -= 1,
            '[' => {
                skip_class(&mut chars);
                scan.end_run();
            }
            '\\' => match chars.next() {
                // `\<` and `\>` are edges of words
                Some(escaped) if escaped.is_ascii_punctuation() && !"<>".contains(escaped) => {
                    scan.literal(escaped);
                }
                // digits may follow that are no text of their own
                Some('x' | 'u' | 'U') => return String::new(),
                Some(_) | None => {
                    skip_braces(&mut chars);
                    scan.end_run();
                }
            },
            '?' | '*' | '+' | '{' => {
                if char == '{' {
                    chars.find(|char| *char == '}');
                }
                scan.drop_last();
            }
            '.' | '^' | '$' => scan.end_run(),
            _ => scan.literal(char),
        }
    }
    scan.runs
        .into_iter()
        .max_by_key(String::len)
        .unwrap_or_default()
}

struct Scan {
    runs: Vec<String>,
    depth: usize,
}

impl Scan {
    fn literal(&mut self, char: char) {
        if let (0, Some(run)) = (self.depth, self.runs.last_mut()) {
            run.push(char);
        }
    }

    fn end_run(&mut self) {
        self.runs.push(String::new());
    }

    /// What the last character of a run stood for may be missing from a match.
    fn drop_last(&mut self) {
        if let (0, Some(run)) = (self.depth, self.runs.last_mut()) {
            run.pop();
        }
        self.end_run();
    }

    fn open(&mut self) {
        self.depth += 1;
        self.end_run();
    }
}

/// Goes behind the `]` that closes a class; one that stands first, or first behind `^`, is in it.
fn skip_class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    chars.next_if_eq(&'^');
    chars.next_if_eq(&']');
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            // `[[:alpha:]]`
            '[' => skip_class(chars),
            ']' => return,
            _ => {}
        }
    }
}

/// Goes behind what belongs to an escape such as `\b{start}`, or a count.
fn skip_braces(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    if chars.next_if_eq(&'{').is_some() {
        chars.find(|char| *char == '}');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_lite::Regex;

    use super::*;

    #[test]
    fn the_longest_run_outside_groups_and_classes_is_required() {
        let cases = [
            (r"\bnpm\b", "npm"),
            (r"^git push", "git push"),
            (r"rm\s+-rf", "-rf"),
            (r"(a|b)cd", "cd"),
            (r"abc?d", "ab"),
            (r"a{2}bc", "bc"),
            (r"[]abc]x", "x"),
            (r"[^]a\]b[:alpha:]c]x", "x"),
            (r"a\.b", "a.b"),
            (r"abc|d", ""),
            (r"(?i)abc", ""),
            (r"abc(?i:d)", ""),
            (r"(?sx)abc", ""),
            (r"(?m-i)abc", ""),
            (r"(?m)^tool7 +run", "tool7"),
            (r"ab(?m)c?d(?s:ef|g)", "ab"),
            (r"a(?:bcd)e", "e"),
        ];
        for (pattern, literal) in cases {
            assert_eq!(required(pattern), literal, "{pattern}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn every_match_contains_what_is_required(
            pattern in r"([ab-]|a\?|b\*|a\+|a\{0,1\}|\(a|\(\?:b|\(\?<n>|\)|\[\^?\]?ab\]|\[[a-]b\]|\\.|\\b|\\x61|\\x\{61\}|\\b\{start\}|\\d\{2\}|\{|\}|\\\\|\||\^|\$|\?|\{2\}|\(\?i\)|\(\?m\)|\(\?s:|\(\?x\)| |\[\[:alpha:\]\]){0,8}",
            text in r"[abAB.\\{}2 -]{0,8}",
        ) {
            if let Ok(regex) = Regex::new(&pattern) {
                for found in regex.find_iter(&text) {
                    prop_assert!(found.as_str().contains(&required(&pattern)), "{:?}", required(&pattern));
                }
            }
        }
    }
}
