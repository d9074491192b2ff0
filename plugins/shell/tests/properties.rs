//! What holds for any text.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use spawnhook_shell::{Analysis, Construct, Dialect, MAX_BYTES, MAX_DEPTH, MAX_PARTS, analyze};

/// Pieces that mean something to a shell, and some that don't.
const PIECES: &[&str] = &[
    "'",
    "\"",
    "\\",
    "`",
    "$",
    "$(",
    "$((",
    "${",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "]]",
    "<",
    ">",
    "<<",
    "<<-",
    "<<<",
    "<(",
    ">(",
    ">&",
    "&>",
    "|",
    "||",
    "&",
    "&&",
    ";",
    ";;",
    "\n",
    " ",
    "\t",
    "#",
    "!",
    "=",
    "+=",
    "~",
    "*",
    "?",
    ",",
    "..",
    "-",
    "--",
    "-c",
    "-exec",
    "{}",
    "+",
    "a",
    "b",
    "E",
    "\nE\n",
    "é",
    "x=",
    "a[",
    "if ",
    "then ",
    "else ",
    "fi",
    "for ",
    "in ",
    "do ",
    "done",
    "while ",
    "case ",
    "esac",
    "function ",
    "time ",
    "coproc ",
    "select ",
    "sh -c ",
    "eval ",
    "env ",
    "xargs ",
    "find ",
    "sudo ",
    "trap ",
    "ssh h ",
    "PATH=",
    "export ",
    "1",
    "2>",
    "$'",
    "$\"",
    "$x",
    "@P",
    ":-",
    "\r",
    "\\\n",
    "-S ",
    "timeout 1 ",
    "bash <<E\n",
    "unset ",
    "parallel ",
    "flock f ",
    "su -c ",
];

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..40);
    prop_oneof![
        8 => pieces.prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

fn dialect() -> impl Strategy<Value = Dialect> {
    prop_oneof![Just(Dialect::Bash), Just(Dialect::Common)]
}

/// Whether the characters of one text stand in another, in this order.
fn stands_in(needle: &str, text: &str) -> bool {
    let mut rest = text.chars();
    needle.chars().all(|char| rest.any(|other| other == char))
}

fn constructs(analysis: &Analysis) -> Vec<Construct> {
    let undecidable = analysis.undecidable.iter();
    undecidable.map(|unknown| unknown.construct).collect()
}

proptest! {
    #[test]
    fn any_text_has_an_answer_that_is_sound_in_itself(text in text(), dialect in dialect()) {
        let analysis = analyze(&text, dialect);
        let parts = &analysis.parts;
        for (index, part) in parts.iter().enumerate() {
            prop_assert!(part.parent.is_none_or(|parent| parent < index));
            prop_assert!(part.place.len() <= 3 * MAX_DEPTH);
        }
        for unknown in &analysis.undecidable {
            prop_assert!(unknown.part.is_none_or(|part| part < parts.len()), "{unknown:?}");
            prop_assert!(!unknown.text.is_empty(), "{unknown:?}");
        }
    }

    #[test]
    fn the_program_that_is_named_stands_in_the_text(text in text(), dialect in dialect()) {
        // what `$'…'` decodes stands there in other characters
        let text = text.replace("$'", "'");
        for part in analyze(&text, dialect).parts {
            let program = part.program().and_then(|program| program.literal());
            prop_assert!(program.is_none_or(|name| stands_in(name, &text)), "{program:?}");
        }
    }

    #[test]
    fn what_follows_on_another_line_is_found_whatever_stands_before(text in text()) {
        // a blank, so that no backslash joins the lines
        let analysis = analyze(&format!("{text} \nmarker"), Dialect::Bash);
        let found = analysis.parts.iter().any(|part| {
            part.program().and_then(|program| program.literal()) == Some("marker")
        });
        // or it is text in what stands before, which must have been closed then
        prop_assert!(found || !analysis.undecidable.is_empty(), "{text:?}");
    }

    #[test]
    fn a_quoted_text_is_data_whatever_it_is(text in "[^'\0]{0,40}") {
        let analysis = analyze(&format!("git commit -m '{text}'"), Dialect::Bash);
        prop_assert_eq!(analysis.parts.len(), 1);
        prop_assert_eq!(analysis.parts[0].arguments()[2].literal(), Some(&*text));
        prop_assert!(analysis.undecidable.is_empty());
    }
}

#[test]
fn a_text_that_is_too_long_is_not_read() {
    let longest = "a".repeat(MAX_BYTES);
    assert_eq!(analyze(&longest, Dialect::Bash).parts.len(), 1);
    let analysis = analyze(&format!("{longest}a"), Dialect::Bash);
    assert_eq!(constructs(&analysis), [Construct::Size]);
    assert!(analysis.parts.is_empty());
}

#[test]
fn a_text_with_too_many_commands_is_read_only_so_far() {
    let analysis = analyze(&"a;".repeat(MAX_PARTS + 1), Dialect::Bash);
    assert_eq!(constructs(&analysis), [Construct::Size]);
    assert_eq!(analysis.parts.len(), MAX_PARTS);
}

#[test]
fn a_text_that_is_too_deep_is_undecidable_and_one_that_just_isn_t_is_read() {
    let nestings: [(&str, &str); 8] = [
        ("$(a ", ")"),
        ("( ", " )"),
        ("{ ", "; }"),
        ("if ", "; then x; fi"),
        ("\"${a:-", "}\""),
        ("cat <(", ")"),
        ("env ", ""),
        ("case x in x) ", ";; esac"),
    ];
    for (open, close) in nestings {
        let nested = |depth| format!("echo; {}x{}", open.repeat(depth), close.repeat(depth));
        let analysis = analyze(&nested(MAX_DEPTH), Dialect::Bash);
        assert!(!constructs(&analysis).contains(&Construct::Depth), "{open}");
        let analysis = analyze(&nested(MAX_DEPTH + 2), Dialect::Bash);
        assert!(constructs(&analysis).contains(&Construct::Depth), "{open}");
    }
}

#[test]
fn texts_in_texts_are_bounded_together() {
    let text = format!("{}{}", "eval ".repeat(40), "a; ".repeat(10_000));
    let analysis = analyze(&format!("{} '{text}'", "eval ".repeat(20)), Dialect::Bash);
    assert!(constructs(&analysis).contains(&Construct::Size));
}

#[test]
fn no_piece_repeated_takes_long() {
    for piece in PIECES {
        for (before, after) in [
            ("", ""),
            ("a ", ""),
            ("a \"", "\""),
            ("a <<E\n", "\nE\n"),
            ("`", "`"),
        ] {
            for between in ["", " ", "\n"] {
                let count =
                    (MAX_BYTES - before.len() - after.len()) / (piece.len() + between.len());
                let text = format!(
                    "{before}{}{after}",
                    format!("{piece}{between}").repeat(count)
                );
                let start = Instant::now();
                drop(analyze(&text, Dialect::Bash));
                // linear time is a tenth of it, without optimization and on a busy machine
                assert!(
                    start.elapsed() < Duration::from_secs(5),
                    "{piece:?} in {before:?}"
                );
            }
        }
    }
}
