/// How a single quote is written inside single quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// `'"'"'`
    DoubleQuoted,
    /// `'\''`
    Escaped,
}

impl Quoting {
    pub(super) fn quote(self, text: &str) -> String {
        let quote = match self {
            Self::DoubleQuoted => r#"'"'"'"#,
            Self::Escaped => r"'\''",
        };
        format!("'{}'", text.replace('\'', quote))
    }
}

/// Reads a text from its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn read(&self) -> &'a str {
        &self.text[..self.at]
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes on behind `literal`.
    pub(super) fn literal(&mut self, literal: &str) -> Option<()> {
        self.rest()
            .starts_with(literal)
            .then(|| self.skip(literal.len()))
    }

    /// Goes on behind one of `literals`, if one is there.
    pub(super) fn optional(&mut self, literals: &[&str]) {
        let found = literals
            .iter()
            .find(|literal| self.rest().starts_with(**literal));
        self.skip(found.map_or(0, |literal| literal.len()));
    }

    /// An absolute path in which no character means anything to a shell.
    pub(super) fn path(&mut self) -> Option<&'a str> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-+@%=:,".contains(c);
        let rest = self.rest();
        let path = &rest[..rest.find(|c| !is_plain(c)).unwrap_or(rest.len())];
        self.skip(path.len());
        path.starts_with('/').then_some(path)
    }

    /// What a word in single quotes stands for, and how it is quoted.
    pub(super) fn word(&mut self) -> Option<(String, Quoting)> {
        self.literal("'")?;
        let mut word = String::new();
        let mut quotings = Vec::new();
        loop {
            let (part, _) = self.rest().split_once('\'')?;
            word.push_str(part);
            self.skip(part.len() + 1);
            if self.literal(r#""'"'"#).is_some() {
                quotings.push(Quoting::DoubleQuoted);
            } else if self.literal(r"\''").is_some() {
                quotings.push(Quoting::Escaped);
            } else {
                break;
            }
            word.push('\'');
        }
        let first = quotings.first().copied();
        Some((word, first.unwrap_or(Quoting::DoubleQuoted)))
    }

    /// Goes on behind the lines that have one of these shapes, in which `#` stands for a name, and
    /// behind the empty line after them, if there are any.
    pub(super) fn paragraph(&mut self, shapes: &[&str]) -> Option<()> {
        let start = self.at;
        while let Some((line, _)) = self.rest().split_once('\n')
            && shapes.iter().any(|shape| has_shape(line, shape))
        {
            self.skip(line.len() + 1);
        }
        match self.at > start {
            true => self.literal("\n"),
            false => Some(()),
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

fn has_shape(line: &str, shape: &str) -> bool {
    let mut rest = line;
    let mut literals = shape.split('#');
    let first = literals.next().unwrap_or_default();
    let Some(after) = rest.strip_prefix(first) else {
        return false;
    };
    rest = after;
    for literal in literals {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let Some(after) = rest[name..].strip_prefix(literal) else {
            return false;
        };
        if name == 0 {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_shape_is_a_line_with_names() {
        assert!(has_shape("A_1=\"${B+x}\"", "A_#=\"${#+x}\""));
        assert!(has_shape("fi", "fi"));
        for line in ["A_1=\"${B+x}\"; rm", "A_=\"${B+x}\"", "A_1=\"${$(x)+x}\""] {
            assert!(!has_shape(line, "A_#=\"${#+x}\""), "{line}");
        }
    }

    #[test]
    fn a_path_is_absolute_and_plain() {
        let path = |text| Scanner::new(text).path();
        assert_eq!(path("/a/b-c.sh && x"), Some("/a/b-c.sh"));
        assert_eq!(path("a/b"), None);
        assert_eq!(path("/a$(b)"), Some("/a"));
    }

    proptest! {
        #[test]
        fn a_word_is_read_as_it_was_quoted(text in r#"[a '"\\$\n]{0,20}"#, rest in "( .{0,5})?") {
            for quoting in [Quoting::DoubleQuoted, Quoting::Escaped] {
                let quoted = format!("{}{rest}", quoting.quote(&text));
                let mut scanner = Scanner::new(&quoted);
                let (word, found) = scanner.word().unwrap();
                prop_assert_eq!(&word, &text);
                prop_assert!(found == quoting || !text.contains('\''));
                prop_assert_eq!(scanner.rest(), &rest);
            }
        }
    }
}
