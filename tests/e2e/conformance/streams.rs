//! X30 to X32, X35 and X40: files that fail, characters, long commands, the order of the streams.

use serde_json::{Value, json};

use super::row::{Row, row};

pub(super) fn rows() -> Vec<Row> {
    [failing_files(), characters(), long_commands(), orders()]
        .into_iter()
        .flatten()
        .collect()
}

fn failing_files() -> Vec<Row> {
    let lost = |part: &str| -> Value {
        json!({
            "exit_code": 0, "full_output_path": null, "notices~": part,
            "footer": "[Showing lines 1001-3000 of 3000. The full output was not kept]",
            "output~": "\n3000",
        })
    };
    let why = "the result and a notice, not the end of the host";
    vec![
        row("X30", "a directory that nobody can write")
            .run("seq 3000")
            .env("TMPDIR", "/proc")
            .better(why, lost("/proc")),
        row("X30", "a directory that is a file")
            .run("seq 3000")
            .env("TMPDIR", "{machine}/config/spawnhook/config.toml")
            .better(why, lost("Not a directory")),
        row("X30", "the quota")
            .run("seq 3000")
            .config("[limits]\nspill_quota = \"100 B\"\n")
            .better(
                why,
                json!({
                    "exit_code": 0, "file_bytes": 100, "output~": "\n3000",
                    "notices~": "ends after 100 bytes: its quota is 100 bytes",
                    "footer": "[Showing lines 1001-3000 of 3000. Full output: FILE]",
                }),
            ),
    ]
}

fn characters() -> Vec<Row> {
    let halves = "python3 -c 'import os, time; b = \"🙂\".encode(); os.write(1, b[:1]); \
                  time.sleep(0.05); os.write({}, b\"e\\n\"); time.sleep(0.05); os.write(1, b[1:])'";
    vec![
        row("X31", "a character in two pieces with a stream of its own")
            .run(halves.replace("os.write({}, b\"e\\n\"); ", ""))
            .matches(json!({"output": "🙂"})),
        row(
            "X31",
            "a character in two pieces, and the other stream between",
        )
        .run(halves.replace("{}", "2"))
        .with(&["--streams=separate"])
        .better("each stream has a decoder", json!({"output": "e\n🙂"})),
        row("X31", "a colour in two pieces")
            .run(r"printf 'a\033[3'; sleep 0.1; printf '1mb\n'")
            .better("no residue is left of it", json!({"output": "ab\n"})),
        row("X32", "ANSI, NUL, CR and BEL, for a model")
            .run(r"printf 'a\0\033[31mred\033[0m\007\r\n10%%\r20%%\n'")
            .better(
                "one policy on every surface",
                json!({"output": "ared\n20%\n"}),
            ),
        row("X32", "ANSI, NUL, CR and BEL, with updates")
            .events(r"printf 'a\0\033[31mred\033[0m\007\r\n10%%\r20%%\n'")
            .better(
                "one policy on every surface",
                json!({"output": "ared\n20%\n"}),
            ),
        row("X32", "nothing but white space")
            .run(r"printf '\r\n'")
            .better(
                "providers reject a blank text",
                json!({"message": "(no output)"}),
            ),
    ]
}

fn long_commands() -> Vec<Row> {
    let filler = "x".repeat(200_000);
    vec![
        row("X35", "a command of 200 KB")
            .run("echo done; exit 5")
            .config(&format!("[shell]\nprefix = \": {filler}\"\n"))
            .code(5)
            .better("it runs", json!({"output": "done\n", "exit_code": 5})),
    ]
}

fn orders() -> Vec<Row> {
    vec![
        row("X40", "five lines on each stream in turn")
            .run("for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done")
            .better(
                "one pipe keeps the true order",
                json!({"output": "o1\ne1\no2\ne2\no3\ne3\no4\ne4\no5\ne5\n"}),
            ),
    ]
}
