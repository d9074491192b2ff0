//! Regular expressions in settings, bounded in what they cost.

mod literal;

use regex_lite::{Captures, Regex, RegexBuilder};

use crate::settings::{FromSetting, Setting};

/// How many bytes a pattern may have.
const PATTERN_BYTES: usize = 4096;
/// How much memory a compiled pattern may take, in bytes: `x{1000}{1000}` is short as a text.
const COMPILED_BYTES: usize = 256 * 1024;

/// A regular expression, in the syntax of `regex-lite`.
///
/// One match costs at most the product of the lengths of text and pattern. Where a match must
/// contain some literal text, a text without it costs next to nothing.
#[derive(Debug, Clone)]
pub struct Pattern {
    regex: Regex,
    literal: String,
    letters: Letters,
}

/// Which bytes are in a text, roughly: one bit stands for every byte of the same last six bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Letters(u64);

impl Letters {
    /// The bytes of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(
            text.bytes()
                .fold(0, |letters, byte| letters | 1 << (byte & 63)),
        )
    }
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// The text says what was expected, as [`Setting::parse`] wants it.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.len() > PATTERN_BYTES {
            return Err(format!("at most {PATTERN_BYTES} bytes of pattern"));
        }
        let compiled = RegexBuilder::new(text).size_limit(COMPILED_BYTES).build();
        let regex = compiled.map_err(|error| format!("a regular expression ({error})"))?;
        let literal = literal::required(text);
        Ok(Self {
            regex,
            letters: Letters::of(&literal),
            literal,
        })
    }

    /// Whether there may be a match in a text of these bytes. If it says no there is none; that
    /// costs nothing, which counts where there are many patterns.
    #[must_use]
    pub fn may_match(&self, text: Letters) -> bool {
        self.letters.0 & !text.0 == 0
    }

    /// The matches in `text` from its start on, none overlapping another.
    pub fn captures_iter<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Captures<'a>> {
        let searched = text.contains(&self.literal).then_some(text);
        searched
            .into_iter()
            .flat_map(|text| self.regex.captures_iter(text))
    }

    /// The number of a group that the pattern has, by this number or by its name.
    #[must_use]
    pub fn group(&self, name: &str) -> Option<usize> {
        let by_number = name
            .parse()
            .ok()
            .filter(|index| *index < self.regex.captures_len());
        by_number.or_else(|| {
            self.regex
                .capture_names()
                .position(|other| other == Some(name))
        })
    }
}

impl FromSetting for Pattern {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.parse(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_a_size_that_it_must_not_exceed() {
        let long = "a".repeat(PATTERN_BYTES + 1);
        assert_eq!(
            Pattern::new(&long).unwrap_err(),
            "at most 4096 bytes of pattern"
        );
        assert_eq!(
            Pattern::new("a{1000}{1000}").unwrap_err(),
            "a regular expression (compiled regex exceeded size limit)"
        );
    }

    #[test]
    fn a_text_that_lacks_letters_of_a_pattern_does_not_match() {
        let pattern = Pattern::new(r"(?m)^tool7 +(run|test)").unwrap();
        for (text, expected) in [("tool7 run", true), ("7 loot x", true), ("npm test", false)] {
            assert_eq!(pattern.may_match(Letters::of(text)), expected, "{text}");
        }
        assert!(Pattern::new("a|b").unwrap().may_match(Letters::of("")));
    }

    #[test]
    fn a_group_is_found_by_its_number_and_by_its_name() {
        let pattern = Pattern::new("(?<first>a)(b)").unwrap();
        assert_eq!(
            ["0", "first", "2", "3", "b"].map(|name| pattern.group(name)),
            [Some(0), Some(1), Some(2), None, None]
        );
    }
}
