//! What globs of names have in common.

/// Whether there is a name that both globs match, in any case.
pub(crate) fn overlap(first: &str, second: &str) -> bool {
    let chars = |glob: &str| glob.to_lowercase().chars().collect::<Vec<_>>();
    let (first, second) = (chars(first), chars(second));
    // whether what follows these places of both matches a name in common
    let mut meet = vec![vec![false; second.len() + 1]; first.len() + 1];
    for i in (0..=first.len()).rev() {
        for j in (0..=second.len()).rev() {
            meet[i][j] = match (first.get(i), second.get(j)) {
                (None, None) => true,
                (Some('*'), other) => meet[i + 1][j] || other.is_some() && meet[i][j + 1],
                (other, Some('*')) => meet[i][j + 1] || other.is_some() && meet[i + 1][j],
                (Some(one), Some(other)) => {
                    (one == other || *one == '?' || *other == '?') && meet[i + 1][j + 1]
                }
                _ => false,
            };
        }
    }
    meet[0][0]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use wildmatch::WildMatch;

    use super::*;

    #[test]
    fn globs_overlap_where_a_name_matches_both() {
        for (first, second) in [
            ("MY_*", "*TOKEN*"),
            ("*", "*KEY*"),
            ("my_token", "*TOKEN*"),
            ("A?C", "*BC"),
            ("*_AUTH", "GIT_*"),
        ] {
            assert!(overlap(first, second), "{first} {second}");
            assert!(overlap(second, first), "{second} {first}");
        }
        for (first, second) in [
            ("HOME", "*KEY*"),
            ("A?", "A"),
            ("LC_ALL", "LC_?"),
            ("A*B", "B*A"),
        ] {
            assert!(!overlap(first, second), "{first} {second}");
        }
    }

    proptest! {
        #[test]
        fn a_name_that_matches_both_shows_that_they_overlap(
            first in "[ab*?]{1,5}", second in "[ab*?]{1,5}", name in "[abAB]{0,6}",
        ) {
            let matches = |glob: &str| WildMatch::new_case_insensitive(glob).matches(&name);
            if matches(&first) && matches(&second) {
                prop_assert!(overlap(&first, &second));
            }
        }

        #[test]
        fn a_glob_overlaps_exactly_the_names_that_it_matches(glob in "[ab*?]{1,5}", name in "[ab]{1,6}") {
            prop_assert_eq!(overlap(&glob, &name), WildMatch::new_case_insensitive(&glob).matches(&name));
        }
    }
}
