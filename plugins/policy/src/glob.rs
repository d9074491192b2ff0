//! Globs, and whether a word that is only partly known matches one.

use spawnhook_sdk::settings::{FromSetting, Setting};
use spawnhook_shell::{Piece, Word};

/// Whether something matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    /// It doesn't, whatever happens.
    No,
    /// That depends on what is known only at run time.
    Maybe,
    /// It does, whatever happens.
    Yes,
}

impl Match {
    pub(crate) const fn of(matches: bool) -> Self {
        if matches { Self::Yes } else { Self::No }
    }

    /// At most that it may match.
    pub(crate) fn uncertain(self) -> Self {
        self.min(Self::Maybe)
    }
}

/// How many bytes a glob may have; what a match costs grows with them.
const GLOB_BYTES: usize = 256;

/// A text in which `*` stands for any text and `?` for any character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob(String);

impl Glob {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn matches(&self, text: &str) -> bool {
        matches(self.0.as_bytes(), text.as_bytes())
    }

    pub(crate) fn matches_word(&self, word: &Word) -> Match {
        match word {
            Word::Literal(text) => Match::of(self.matches(text)),
            Word::Mixed(_) if self.0 == "*" => Match::Yes,
            Word::Mixed(pieces) => {
                let head = self.0.split(['*', '?']).next().unwrap_or_default();
                let known = word.head();
                let certain = self.0.len() == head.len() + 1 && self.0.ends_with('*');
                if certain && known.starts_with(head) {
                    Match::Yes
                } else {
                    Match::of(may_match(&self.0, pieces)).uncertain()
                }
            }
        }
    }
}

impl FromSetting for Glob {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.parse(|text| {
            if text.is_empty() || text.len() > GLOB_BYTES {
                Err(format!("a glob of 1 to {GLOB_BYTES} bytes"))
            } else {
                Ok(Self(text.to_owned()))
            }
        })
    }
}

/// One star at a time: what the last one took grows until the rest matches.
fn matches(glob: &[u8], text: &[u8]) -> bool {
    let (mut at, mut pattern) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        match glob.get(pattern) {
            Some(b'*') => {
                star = Some((pattern, at));
                pattern += 1;
            }
            Some(b'?') => {
                at += 1;
                // the rest of the character
                while text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
                    at += 1;
                }
                pattern += 1;
            }
            Some(byte) if *byte == text[at] => {
                at += 1;
                pattern += 1;
            }
            _ => {
                let Some((back, taken)) = star else {
                    return false;
                };
                star = Some((back, taken + 1));
                (pattern, at) = (back + 1, taken + 1);
            }
        }
    }
    glob[pattern..].iter().all(|byte| *byte == b'*')
}

/// Whether some text that the pieces may become matches: the places in the glob that can be
/// reached, moved on piece by piece.
fn may_match(glob: &str, pieces: &[Piece]) -> bool {
    let glob: Vec<char> = glob.chars().collect();
    let mut places = vec![false; glob.len() + 1];
    places[0] = true;
    through_stars(&glob, &mut places);
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                for char in text.chars() {
                    step(&glob, &mut places, char);
                    if !places.contains(&true) {
                        return false;
                    }
                }
            }
            Piece::Unknown { .. } | Piece::Glob => {
                let first = places.iter().position(|place| *place);
                places[first.unwrap_or(glob.len())..].fill(true);
            }
        }
    }
    places[glob.len()]
}

fn step(glob: &[char], places: &mut [bool], char: char) {
    for index in (0..glob.len()).rev() {
        let here = places[index];
        let stays = here && glob[index] == '*';
        if here && (glob[index] == char || glob[index] == '?') && glob[index] != '*' {
            places[index + 1] = true;
        } else if index + 1 == glob.len() {
            places[index + 1] = false;
        }
        places[index] = stays;
    }
    through_stars(glob, places);
}

fn through_stars(glob: &[char], places: &mut [bool]) {
    for index in 0..glob.len() {
        if places[index] && glob[index] == '*' {
            places[index + 1] = true;
        }
    }
}

#[cfg(test)]
mod tests;
