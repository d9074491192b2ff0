//! X1 to X20: what stays of outputs around the limits.

use serde_json::{Value, json};

use super::row::{Row, row};

const Y: &str = "/dev/zero | tr '\\0' y";

pub(super) fn rows() -> Vec<Row> {
    [
        around_the_bytes(),
        around_the_lines(),
        long_lines(),
        characters(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn untouched(bytes: u64) -> Value {
    json!({"output_bytes": bytes, "truncated": false, "truncation": null, "footer": null})
}

/// Cut by bytes, and its last line over the limit by itself.
fn partial(shown: u64, footer: &str, file: u64) -> Value {
    json!({"output_bytes": shown, "footer": footer, "file_bytes": file, "exit_code": 0})
}

fn around_the_bytes() -> Vec<Row> {
    vec![
        row("X1", "51 200 bytes without newline")
            .run(format!("head -c 51200 {Y}"))
            .matches(untouched(51_200)),
        row("X2", "51 199 bytes and a newline")
            .run(format!("head -c 51199 {Y}; echo"))
            .matches(untouched(51_200)),
        row("X3", "51 201 bytes without newline")
            .run(format!("head -c 51201 {Y}"))
            .matches(partial(
                51_200,
                "[Showing last 50.0KB of line 1 (line is 50.0KB). Full output: FILE]",
                51_201,
            )),
        row("X4", "51 200 bytes and a newline")
            .run(format!("head -c 51200 {Y}; echo"))
            .better(
                "a text is not cut for the sake of its final newline, nor called lines 1-1 of 1",
                untouched(51_201),
            ),
    ]
}

fn around_the_lines() -> Vec<Row> {
    vec![
        row("X5", "2000 lines")
            .run("seq 2000")
            .matches(untouched(8893)),
        row("X6", "2000 lines without the last newline")
            .run("seq 1999; printf 2000")
            .matches(untouched(8892)),
        row("X7", "2001 lines").run("seq 2001").matches(json!({
            "footer": "[Showing lines 2-2001 of 2001. Full output: FILE]",
            "file_bytes": 8898, "output_bytes": 8895,
            "truncation": {"by": "lines", "total_lines": 2001, "total_bytes": 8898,
                           "shown_lines": 2000, "shown_bytes": 8895, "first_line": 2,
                           "last_line_partial": false},
        })),
        row("X8", "2000 lines and an unterminated one")
            .run("seq 2000; printf tail")
            .matches(json!({"footer": "[Showing lines 2-2001 of 2001. Full output: FILE]"})),
        row("X9", "3000 blank lines")
            .run("yes '' | head -n 3000")
            .matches(json!({
                "footer": "[Showing lines 1001-3000 of 3000. Full output: FILE]",
                "output_bytes": 1999,
            })),
        row("X10", "600 lines of 206 bytes")
            .run("for i in $(seq 600); do printf '%0206d\\n' $i; done")
            .matches(json!({
                "footer": "[Showing lines 354-600 of 600 (50.0KB limit). Full output: FILE]",
                "output_bytes": 51_128,
            })),
    ]
}

fn long_lines() -> Vec<Row> {
    let whole = "[Showing last 50.0KB of line 1 (line is 976.6KB). Full output: FILE]";
    vec![
        row("X11", "a million bytes without newline")
            .run(format!("head -c 1000000 {Y}"))
            .matches(partial(51_200, whole, 1_000_000)),
        row("X12", "a million bytes and a newline")
            .run(format!("head -c 1000000 {Y}; echo"))
            .better(
                "the size of the line is told, not 0B",
                partial(51_200, whole, 1_000_001),
            ),
        row("X13", "a line, then 300 000 bytes and a newline")
            .run(format!("echo head; head -c 300000 {Y}; echo"))
            .better(
                "the size of the line is told, not 0B",
                partial(
                    51_200,
                    "[Showing last 50.0KB of line 2 (line is 293.0KB). Full output: FILE]",
                    300_006,
                ),
            ),
        row("X14", "300 000 bytes and three short lines")
            .run(format!("head -c 300000 {Y}; printf '\\na\\nb\\nc\\n'"))
            .better(
                "a cut text ends without its newline whatever the length of the lines before",
                json!({
                    "footer": "[Showing lines 2-4 of 4 (50.0KB limit). Full output: FILE]",
                    "output": "a\nb\nc",
                }),
            ),
    ]
}

fn characters() -> Vec<Row> {
    let python = |text: &str| format!("python3 -c 'import sys; sys.stdout.buffer.write({text})'");
    vec![
        row("X15", "20 000 characters of 3 bytes")
            .run(python("\"世\".encode() * 20000"))
            .matches(json!({"output_bytes": 51_198, "file_bytes": 60_000})),
        row("X16", "a letter and 15 000 characters of 4 bytes")
            .run(python("b\"a\" + \"🙂\".encode() * 15000"))
            .matches(json!({"output_bytes": 51_200, "file_bytes": 60_001})),
        row("X17", "60 000 random bytes")
            .run("head -c 60000 /dev/urandom")
            .matches(json!({
                "truncated": true, "output_bytes<": 51_201, "file_bytes": 60_000, "exit_code": 0,
            })),
        row("X18", "NUL and BEL").run(r"printf 'a\0b\007c'").better(
            "no NUL reaches a provider",
            json!({"output": "abc", "truncated": false}),
        ),
        row("X19", "colours, CR LF and a progress bar")
            .run(r"printf '\033[31mred\033[0m\r\n10%%\r20%%'")
            .better(
                "a model sees what a person would",
                json!({"output": "red\n20%"}),
            ),
        row("X20", "bytes that are no text")
            .run(r"printf '\377\376\303(\342\202'")
            .matches(json!({"output": "\u{fffd}\u{fffd}\u{fffd}(\u{fffd}"})),
    ]
}
