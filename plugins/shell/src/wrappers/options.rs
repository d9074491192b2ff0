//! Options of commands, as `getopt` reads them.

use crate::Word;

/// Which options a command has. One that is not here makes it uncertain where its operands start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// Letters of options without a value.
    pub(super) flags: &'static str,
    /// Letters of options with a value: in the same word, or in the next one.
    pub(super) values: &'static str,
    /// Letters of options that may have a value in the same word.
    pub(super) optional: &'static str,
    /// Long options without a value in the next word.
    pub(super) long_flags: &'static [&'static str],
    /// Long options with a value: behind `=`, or in the next word.
    pub(super) long_values: &'static [&'static str],
}

/// An option as it was given: a letter or a long name, and its value.
pub(super) type Given<'a> = (&'a str, Option<&'a Word>);

/// What the arguments of a command start with.
#[derive(Debug, Default)]
pub(super) struct Scanned<'a> {
    /// Each option with the word that holds its value: the next one, or the option's own.
    pub(super) given: Vec<Given<'a>>,
    /// The index of the first operand.
    pub(super) operand: usize,
}

impl<'a> Scanned<'a> {
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|(name, _)| names.contains(name))
    }
}

impl Options {
    /// Reads options up to the first operand or `--`; none if it can't be told where that is.
    pub(super) fn scan<'a>(&self, arguments: &'a [Word]) -> Option<Scanned<'a>> {
        let mut scanned = Scanned::default();
        while let Some(word) = arguments.get(scanned.operand) {
            let head = word.head();
            if head.is_empty() && word.literal().is_none() {
                return None;
            }
            if !head.starts_with('-') || head == "-" && word.literal().is_some() {
                break;
            }
            let head = word
                .literal()
                .or_else(|| head.contains('=').then_some(head))?;
            scanned.operand += 1;
            if head == "--" {
                break;
            }
            let takes_next = match head.strip_prefix("--") {
                Some(long) => self.long(long, word, &mut scanned.given)?,
                None => self.short(&head[1..], word, &mut scanned.given)?,
            };
            if takes_next {
                let value = arguments.get(scanned.operand)?;
                if !value.is_single() {
                    return None;
                }
                if let Some(last) = scanned.given.last_mut() {
                    last.1 = Some(value);
                }
                scanned.operand += 1;
            }
        }
        Some(scanned)
    }

    /// Whether the next word is the value; none if the option is unknown.
    fn long<'a>(&self, long: &'a str, word: &'a Word, given: &mut Vec<Given<'a>>) -> Option<bool> {
        let (name, value) = match long.split_once('=') {
            Some((name, _)) => (name, Some(word)),
            None => (long, None),
        };
        let takes = self.long_values.contains(&name);
        if !takes && !self.long_flags.contains(&name) || value.is_some() && !word.is_single() {
            return None;
        }
        given.push((name, value));
        Some(takes && value.is_none())
    }

    fn short<'a>(
        &self,
        letters: &'a str,
        word: &'a Word,
        given: &mut Vec<Given<'a>>,
    ) -> Option<bool> {
        word.literal()?;
        for (index, letter) in letters.char_indices() {
            let behind = index + letter.len_utf8();
            let name = &letters[index..behind];
            if self.flags.contains(letter) {
                given.push((name, None));
            } else if self.optional.contains(letter) {
                given.push((name, Some(word)));
                return Some(false);
            } else if self.values.contains(letter) {
                let next = behind == letters.len();
                given.push((name, (!next).then_some(word)));
                return Some(next);
            } else {
                return None;
            }
        }
        Some(false)
    }
}
