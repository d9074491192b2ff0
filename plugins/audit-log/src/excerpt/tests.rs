use proptest::prelude::*;

use super::*;
use crate::options::Options;

fn plain(text: &str, budget: usize) -> Excerpt {
    excerpt(text, budget, |_| Vec::new())
}

fn masked(text: &str, budget: usize) -> Excerpt {
    excerpt(text, budget, |text| Options::default().secrets(text))
}

#[test]
fn a_text_that_fits_is_kept_whole() {
    assert_eq!(
        plain("abc", 3),
        Excerpt {
            text: "abc".to_owned(),
            left_out: 0
        }
    );
}

#[test]
fn a_text_that_does_not_fit_keeps_head_and_tail_and_says_what_is_missing() {
    let text = format!("{}{}", "a".repeat(50), "z".repeat(50));
    let expected = "aaaaaaaaaa…[80 bytes left out]…zzzzzzzzzz".to_owned();
    assert_eq!(
        plain(&text, 60),
        Excerpt {
            text: expected,
            left_out: 80
        }
    );
}

#[test]
fn a_secret_at_the_cut_is_masked_or_left_out_whole() {
    let text = format!("--password={} {}", "s".repeat(40), "z".repeat(60));
    let Excerpt { text, left_out } = masked(&text, 70);
    assert_eq!(text, "--password=***…[46 bytes left out]…zzzzzzzzzzzzzzz");
    assert_eq!(left_out, 46);
}

#[test]
fn a_word_that_reaches_from_the_unsearched_middle_into_the_tail_is_left_out() {
    let text = format!("--password={} end", "s".repeat(100_000));
    let Excerpt { text, .. } = masked(&text, 1000);
    assert!(
        !text.contains('s') || text.matches("ss").count() == 1,
        "{text}"
    );
    assert!(text.starts_with("--password=***…["), "{text}");
    assert!(text.ends_with("]… end"), "{text}");
}

#[test]
fn a_key_whose_head_is_left_out_is_masked_in_the_tail() {
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{}-----END PRIVATE KEY-----\n",
        "c2VjcmV0\n".repeat(600)
    );
    let text = format!("cat <<E\n{}\n{key}E", "word ".repeat(20_000));
    let text = masked(&text, 1000).text;
    assert!(text.ends_with("]…-----END PRIVATE KEY-----\nE"), "{text}");
    assert!(!text.contains("c2VjcmV0"), "{text}");
}

proptest! {
    #[test]
    fn an_excerpt_stays_in_its_budget_and_counts_what_it_leaves_out(
        text in r#"([a-c]|[äé€😀]|[\x00-\x1f"\\\n ]){0,300}"#,
        repeat in 1..60usize,
        budget in 60..400usize,
    ) {
        let text = text.repeat(repeat);
        let Excerpt { text: kept, left_out } = plain(&text, budget);
        prop_assert!(encoded_len(&kept) <= budget);
        let note = format!("…[{left_out} bytes left out]…");
        if kept == text {
            prop_assert_eq!(left_out, 0);
        } else {
            let (head, tail) = kept.split_once(&note).expect("the note stands between");
            prop_assert!(text.starts_with(head) && text.ends_with(tail));
            prop_assert_eq!(head.len() + left_out + tail.len(), text.len());
        }
    }

    #[test]
    fn a_secret_stays_unseen_wherever_it_stands(
        before in 0..3000usize,
        after in 0..3000usize,
        secret in prop::sample::select(vec![
            "--password=hunter2hunter2", "--token hunter2hunter2", "DB_PASSWORD='hunter2 hunter2'",
            "https://user:hunter2hunter2@host/", "-H 'Authorization: Bearer hunter2hunter2'",
            "ghp_hunter2hunter2hunter2", "{\"api_key\": \"hunter2hunter2\"}",
        ]),
    ) {
        // each word is longer than a byte, so that the texts are from whole to cut with a middle
        let text = format!("{}{secret}{}", "word ".repeat(before), " word".repeat(after));
        let kept = masked(&text, 2000).text;
        prop_assert!(!kept.contains("hunter2"), "{}", kept);
        prop_assert!(encoded_len(&kept) <= 2000);
    }

    #[test]
    fn the_length_in_json_is_the_one_of_the_encoder(text in any::<String>()) {
        prop_assert_eq!(encoded_len(&text) + 2, serde_json::to_string(&text).unwrap().len());
    }
}
