//! Lists that are kept from their start while they fit.

use crate::excerpt::encoded_len;

/// The first of `items` whose texts fit into `budget` bytes of JSON, and how many were left out.
///
/// `texts` gives the texts that an item is written with; each costs its quotes and a comma too.
pub(crate) fn keep<T>(
    items: Vec<T>,
    budget: usize,
    texts: impl Fn(&T) -> Vec<&str>,
) -> (Vec<T>, usize) {
    let total = items.len();
    let mut left = budget;
    let fitting = items.into_iter().take_while(|item| {
        let cost: usize = texts(item)
            .into_iter()
            .map(|text| encoded_len(text) + 3)
            .sum();
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    });
    let kept: Vec<T> = fitting.collect();
    let left_out = total - kept.len();
    (kept, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_kept_from_the_start_until_one_does_not_fit() {
        let items = vec!["aa", "b\n", "cccccccccccc", "d"];
        let (kept, left_out) = keep(items, 15, |item| vec![item]);
        assert_eq!((kept, left_out), (vec!["aa", "b\n"], 2));
    }
}
