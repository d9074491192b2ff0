use proptest::prelude::*;

use super::*;

fn log(limit: u64, streams: &[(Writer, &str)]) -> Log {
    let mut log = Log::new(limit);
    for (writer, text) in streams {
        log.stream(*writer, text.as_bytes());
    }
    log
}

#[test]
fn lines_of_two_writers_stay_whole() {
    let mut log = log(1000, &[(Writer::Stderr, "one\ntw"), (Writer::Stderr, "o")]);
    log.message("info", "hello");
    log.stream(Writer::Stdout, b"three");
    assert_eq!(log.text(), "one\ntwo\ninfo: hello\nthree");
}

#[test]
fn the_last_error_message_is_the_reason_of_a_failure() {
    let mut log = log(1000, &[(Writer::Stderr, "noise\n")]);
    log.message("error", "first");
    log.message("error", "second\nwith a \u{1b}");
    log.message("info", "more noise");
    assert_eq!(log.last_words().as_deref(), Some(r"second\nwith a \u{1b}"));
}

#[test]
fn without_an_error_message_the_last_lines_are_the_reason() {
    let log = log(
        1000,
        &[(
            Writer::Stderr,
            "1\n2\n3\n\nthread 'main' panicked at src/lib.rs:1:1:\nno rules\nnote: run with `RUST_BACKTRACE=1`\n",
        )],
    );
    assert_eq!(
        log.last_words().as_deref(),
        Some("1 2 3 thread 'main' panicked at src/lib.rs:1:1: no rules")
    );
}

#[test]
fn a_silent_hook_gives_no_reason() {
    assert_eq!(log(1000, &[(Writer::Stdout, "")]).last_words(), None);
}

#[test]
fn head_and_tail_are_kept_and_the_rest_is_counted() {
    let log = log(
        8,
        &[(Writer::Stdout, "abcdefgh"), (Writer::Stdout, "ijklmn")],
    );
    assert_eq!(log.text(), "abcd\n…\nklmn");
    assert_eq!(
        log.notice().as_deref(),
        Some("its log was cut: 8 of 14 bytes were kept")
    );
}

proptest! {
    #[test]
    fn a_log_stays_within_its_limit_and_keeps_both_ends(
        limit in 0_u64..100,
        pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..10),
    ) {
        let mut log = Log::new(limit);
        for piece in &pieces {
            log.stream(Writer::Stdout, piece);
        }
        let all = pieces.concat();
        let half = usize::try_from(limit).unwrap() / 2;
        prop_assert_eq!(log.written, all.len() as u64);
        prop_assert_eq!(&log.head, &all[..half.min(all.len())]);
        let rest = &all[log.head.len()..];
        let tail: Vec<u8> = log.tail.iter().copied().collect();
        prop_assert_eq!(tail, &rest[rest.len().saturating_sub(half)..]);
        prop_assert_eq!(log.notice().is_some(), all.len() > 2 * half);
    }
}
