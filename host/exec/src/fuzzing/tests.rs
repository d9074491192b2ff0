use proptest::prelude::*;

use self::replay::replay;
use super::{lifecycle, output};

#[path = "../../../../tests/fuzz/replay.rs"]
mod replay;

#[test]
fn what_fuzzers_have_found_stays_right() {
    replay("lifecycle", lifecycle);
    replay("output", output);
}

/// Any bytes, and bytes among which whatever a terminal obeys is frequent.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let marks: &[&[u8]] = &[
        b"\x1b[",
        b"\x1b]",
        b"\x07",
        b"\r",
        b"\n",
        b"\xc2",
        b"\xe2\x80\xae",
        b"\xef\xbb\xbf",
        b"\xf0\x9f",
        b"\x99\x82",
        b"31m",
        b"\0",
        b"abc",
    ];
    let piece = prop_oneof![
        prop::sample::select(marks.to_vec()).prop_map(<[u8]>::to_vec),
        prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_machine_holds_whatever_happens(bytes: Vec<u8>) {
        lifecycle(&bytes);
    }

    #[test]
    fn output_is_the_same_text_in_any_pieces(bytes in bytes()) {
        output(&bytes);
    }
}
