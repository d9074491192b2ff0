use proptest::prelude::*;

use super::*;

/// The text of bytes that come in these pieces.
fn clean<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> String {
    let (mut cleaner, mut text) = (Cleaner::new(), String::new());
    for piece in pieces {
        cleaner.push(piece, &mut text);
    }
    cleaner.finish(&mut text);
    text
}

fn check(cases: &[(&[u8], &str)]) {
    for (bytes, text) in cases {
        assert_eq!(clean([*bytes]), *text, "{}", bytes.escape_ascii());
        assert_eq!(clean(bytes.chunks(1)), *text, "{}", bytes.escape_ascii());
    }
}

#[test]
fn each_maximal_part_that_is_no_utf_8_becomes_one_replacement() {
    check(&[
        (
            b"\xff\xfe\xc3(\xe2\x82",
            "\u{fffd}\u{fffd}\u{fffd}(\u{fffd}",
        ),
        (b"\xf0\x9f\x99\x82", "\u{1f642}"),
        (b"\xf0\x9f\x99x", "\u{fffd}x"),
        (b"\xf0\x9f\xf0\x9f\x99\x82", "\u{fffd}\u{1f642}"),
        (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
        (b"\xc0\xaf", "\u{fffd}\u{fffd}"),
        (b"a\xe2", "a\u{fffd}"),
    ]);
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_start_and_nowhere_else() {
    check(&[
        (b"\xef\xbb\xbfa\xef\xbb\xbfb", "a\u{feff}b"),
        (b"\xef\xbb\xbf\xef\xbb\xbf", "\u{feff}"),
        (b"\xef\xbb", "\u{fffd}"),
    ]);
}

#[test]
fn control_sequences_are_dropped() {
    check(&[
        (b"\x1b[31mred\x1b[0m", "red"),
        (b"\x1b[38;2;1;2;3mx\x1b[?25l\x1b[2K\x1b[!p", "x"),
        (
            b"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
            "alink",
        ),
        ("\u{1b}]0;title\u{9c}a".as_bytes(), "a"),
        (
            "\u{9b}31mred\u{9d}0;t\u{7}x\u{90}q\u{9c}y".as_bytes(),
            "redxy",
        ),
        (b"\x1bPq#0;2;0;0;0#0~~@@vv~~\x1b\\after", "after"),
        (b"\x1b_never ended\nand still told", "\nand still told"),
        (b"\x1b(B\x1b7\x1b8\x1b=\x1bca", "a"),
        (b"\x1b^private\x1b\\\x1b_app\x1b\\\x1bXsos\x1b\\a", "a"),
        (b"a\x1b", "a"),
        (b"a\x1b[", "a"),
    ]);
}

#[test]
fn what_does_not_belong_to_a_sequence_is_text_again() {
    check(&[
        (b"\x1b[3\nx", "\nx"),
        ("\u{1b}[3\u{e9}".as_bytes(), "\u{e9}"),
        (b"\x1b[3\x1b[1mx", "x"),
        (b"\x1b]0;never ended\nnext", "\nnext"),
        (b"\x1bPstring\x18text", "text"),
        (b"\x1b]0;t\x1b[1mx", "x"),
        (b"\x1b\x1b[1mx", "x"),
    ]);
}

#[test]
fn controls_and_what_reorders_a_line_are_dropped() {
    check(&[
        (b"a\0b\x07c\x08\x7f\x0b\x0cd\te\n", "abcd\te\n"),
        ("a\u{85}b\u{9c}c".as_bytes(), "abc"),
        (
            "\u{fff9}a\u{fffa}b\u{fffb}c\u{fffc}".as_bytes(),
            "abc\u{fffc}",
        ),
        ("a\u{202e}b\u{2066}c\u{2069}".as_bytes(), "abc"),
        (
            "\u{e2}\u{2014}\u{a0}\u{ff01}".as_bytes(),
            "\u{e2}\u{2014}\u{a0}\u{ff01}",
        ),
    ]);
}

#[test]
fn a_carriage_return_starts_the_line_anew_once_something_follows() {
    check(&[
        (b"10%\r20%\n", "20%\n"),
        (b"\xff1\r2\n10%\r20%", "\u{fffd}12\n20%"),
        (b"10%\r20%\r100%\r", "100%"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\r\r\nb", "a\nb"),
        (b"first\n10%\r\x1b[K20%", "first\n20%"),
        (b"long line\rx", "x"),
        (b"a\r\tb", "\tb"),
        (b"a\r\0\x1b[0m", "a"),
        (b"a\r\xff", "\u{fffd}"),
        (b"\r\n", "\n"),
        (b"\rx", "x"),
    ]);
}

#[test]
fn a_replacement_character_that_was_written_is_text_like_any_other() {
    check(&[
        (b"\xef\xbf\xbd1\r2\n", "2\n"),
        (b"\xef\xbf\xbd\r\n", "\u{fffd}\n"),
        (b"\xff\xef\xbf\xbd\r2", "\u{fffd}\u{fffd}2"),
    ]);
}

const MARKS: &[&[u8]] = &[
    b"\xef\xbf\xbd",
    b"\x1b",
    b"\x1b[",
    b"\x1b]",
    b"\x1bP",
    b"\x07",
    b"\x1b\\",
    b"\r",
    b"\n",
    b"\r\n",
    b"\xc2",
    b"\x9b",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
    b"\xf0\x9f",
    b"\x99\x82",
    b"31m",
    b"\0",
];

/// Bytes among which whatever the cleaner looks for is frequent.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        prop::sample::select(MARKS).prop_map(<[u8]>::to_vec),
        prop::collection::vec(any::<u8>(), 0..4),
        "[a-z é世🙂]{0,6}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

/// Cuts bytes into pieces of these lengths, again and again.
fn cut<'a>(mut bytes: &'a [u8], lengths: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for length in lengths.iter().cycle() {
        if bytes.is_empty() {
            break;
        }
        let (piece, rest) = bytes.split_at((*length).min(bytes.len()));
        pieces.push(piece);
        bytes = rest;
    }
    pieces
}

/// Decoding, without anything else, as the standard library does it.
fn decoded(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

proptest! {
    #[test]
    fn the_text_does_not_depend_on_where_the_bytes_are_split(
        bytes in bytes(),
        lengths in prop::collection::vec(1_usize..9, 1..6),
    ) {
        prop_assert_eq!(clean(cut(&bytes, &lengths)), clean([&*bytes]));
    }

    #[test]
    fn nothing_that_is_to_be_dropped_is_left(bytes in bytes()) {
        prop_assert!(!clean([&*bytes]).contains(is_dropped));
    }

    #[test]
    fn bytes_without_controls_are_decoded_and_no_more(
        bytes in prop::collection::vec(prop_oneof![0x20_u8..0x7f, 0xc3_u8..0xe2, 0xf0_u8..=0xff, 0xa0_u8..0xaa], 0..60),
        lengths in prop::collection::vec(1_usize..9, 1..6),
    ) {
        let expected: String = decoded(&bytes).chars().filter(|character| !is_dropped(*character)).collect();
        prop_assert_eq!(clean(cut(&bytes, &lengths)), expected);
    }

    #[test]
    fn clean_text_stays_as_it_is(bytes in bytes()) {
        let once = clean([&*bytes]);
        let mark = once.starts_with('\u{feff}');
        prop_assert!(mark || clean([once.as_bytes()]) == once);
    }

    #[test]
    fn no_more_than_the_start_of_a_character_is_held_back(bytes in bytes()) {
        let mut cleaner = Cleaner::new();
        cleaner.push(&bytes, &mut String::new());
        prop_assert!(cleaner.partial.len() < 4);
    }
}

proptest! {
    #[test]
    fn raw_text_is_what_was_written_wherever_it_is_split(
        bytes in prop::collection::vec(prop::sample::select(&b"ab\n\r\x1b[m\0\x07\xef\xbb\xbf\xe4\xb8\x96\xff"[..]), 0..80),
        piece in 1_usize..10,
    ) {
        let mut cleaner = Cleaner::with_policy(Text::Raw);
        let mut text = String::new();
        for piece in bytes.chunks(piece) {
            cleaner.push(piece, &mut text);
        }
        cleaner.finish(&mut text);
        prop_assert_eq!(text, String::from_utf8_lossy(&bytes));
    }
}
