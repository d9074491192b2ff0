use proptest::prelude::*;

use self::replay::replay;
use super::{audit, config, policy};

#[path = "../../../../tests/fuzz/replay.rs"]
mod replay;

#[test]
fn what_fuzzers_have_found_stays_right() {
    replay("audit", audit);
    replay("config", config);
    replay("policy", policy);
}

/// A policy and a shell, and pieces of shell text in any order.
fn commands() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "git ",
        "ls",
        "denied",
        "'",
        "\"",
        "\\",
        "`",
        "$",
        "$(",
        "${",
        "((",
        "))",
        "(",
        ")",
        "{ ",
        "; }",
        "[[ ",
        " ]]",
        "<<E\n",
        "\nE\n",
        "<(",
        ">",
        "|",
        "&&",
        ";",
        "\n",
        "#",
        "x=",
        "a[",
        "]",
        "case x in ",
        "esac",
        ";;",
        "if ",
        "then ",
        "fi",
        "f() ",
        "eval ",
        "bash -c ",
        "env ",
        "xargs ",
        "find . -exec ",
        "sed -e ",
        "awk ",
        "-c ",
        "é",
        " ",
    ];
    let text = prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..24);
    (0_u8..4, text).prop_map(|(first, text)| [&[first][..], text.concat().as_bytes()].concat())
}

/// Words of configs in any order, and bytes that are none.
fn config_files() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "[[hook]]\n",
        "[hook.may]\n",
        "[limits]\n",
        "[env]\n",
        "[audit]\n",
        "[session]\n",
        "[workspace]\n",
        "[process]\n",
        "locked = ",
        "max_lines = 5\n",
        "max_timeout = \"9s\"\n",
        "name = \"a\"\n",
        "stage = \"guard\"\n",
        "component = \"builtin:audit-log\"\n",
        "path = ",
        "set.A = ",
        "exclude = ",
        "inherit = \"all\"\n",
        "{ env = \"SECRET\" }\n",
        "{ file = \"secret\" }\n",
        "[\"limits\"]\n",
        "\"é\"",
        "\n",
        "[",
        "]",
        "\"",
        "=",
        "a",
        ".",
        "5",
        "\0",
        "\u{2028}",
        "\"\"\"\n",
        "durability = \"none\"\n",
    ];
    let piece = prop_oneof![
        12 => prop::sample::select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
        1 => Just(vec![0xff]),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn files_are_a_config_that_loosens_nothing_or_an_error_with_a_place(files in config_files()) {
        config(&files);
    }

    #[test]
    fn no_text_hides_what_stands_beside_or_in_it(bytes in commands()) {
        policy(&bytes);
    }

    #[test]
    fn records_are_chained_to_whatever_a_file_ends_in(bytes: Vec<u8>) {
        audit(&bytes);
    }
}
