use proptest::prelude::*;

use super::*;

fn glob(text: &str) -> Glob {
    Glob(text.to_owned())
}

/// The definition, without regard to what it costs.
fn by_definition(glob: &str, text: &str) -> bool {
    let (mut globs, mut texts) = (glob.chars(), text.chars());
    match globs.next() {
        None => text.is_empty(),
        Some('*') => {
            by_definition(globs.as_str(), text)
                || texts.next().is_some() && by_definition(glob, texts.as_str())
        }
        Some('?') => texts.next().is_some() && by_definition(globs.as_str(), texts.as_str()),
        Some(char) => texts.next() == Some(char) && by_definition(globs.as_str(), texts.as_str()),
    }
}

fn mixed(pieces: &[Option<&str>]) -> Word {
    let piece = |piece: &Option<&str>| match piece {
        Some(text) => Piece::Literal((*text).to_owned()),
        None => Piece::Unknown { splits: false },
    };
    Word::Mixed(pieces.iter().map(piece).collect())
}

#[test]
fn a_word_that_is_partly_known_matches_for_certain_only_what_any_such_word_matches() {
    let word = mixed(&[Some("src/"), None]);
    assert_eq!(glob("*").matches_word(&word), Match::Yes);
    assert_eq!(glob("src/*").matches_word(&word), Match::Yes);
    assert_eq!(glob("src/*.rs").matches_word(&word), Match::Maybe);
    assert_eq!(glob("src/a").matches_word(&word), Match::Maybe);
    assert_eq!(glob("lib/*").matches_word(&word), Match::No);
    assert_eq!(glob("--force").matches_word(&word), Match::No);
}

proptest! {
    #[test]
    fn a_text_matches_as_the_definition_says(text in "[abé]{0,6}", pattern in r"[abé*?]{0,6}") {
        prop_assert_eq!(glob(&pattern).matches(&text), by_definition(&pattern, &text));
    }

    #[test]
    fn what_a_word_may_become_is_never_missed(
        head in "[ab]{0,3}",
        middle in "[ab]{0,3}",
        tail in "[ab]{0,3}",
        pattern in r"[ab*?]{0,6}",
    ) {
        let text = format!("{head}{middle}{tail}");
        let word = mixed(&[Some(&head), None, Some(&tail)]);
        let matched = glob(&pattern).matches_word(&word);
        if by_definition(&pattern, &text) {
            prop_assert_ne!(matched, Match::No);
        } else {
            prop_assert_ne!(matched, Match::Yes);
        }
    }
}
