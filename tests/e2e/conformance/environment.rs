//! T24 and T31 to T35: what the original's next harness asks for of its execution environment.

use serde_json::json;

use super::row::{Row, row};

pub(super) fn rows() -> Vec<Row> {
    [settings(), overlays(), endings(), files(), degraded()]
        .into_iter()
        .flatten()
        .collect()
}

fn settings() -> Vec<Row> {
    vec![
        row("T24", "an empty prefix is none")
            .run("echo x")
            .config("[shell]\nprefix = \"\"\n")
            .matches(json!({"output": "x\n", "command": "echo x"})),
        row("T24", "a shell that is missing is never replaced")
            .run("touch ran")
            .config("[shell]\npath = \"/no/such/shell\"\nprefix = \"true\"\n")
            .code(125)
            .matches(json!({"ran": false, "ending": "spawn-failed"})),
        row("T24", "an added hook leaves shell and prefix as they are")
            .run("echo $FROM")
            .config("[shell]\nprefix = \"FROM=prefix\"\n")
            .guest("good-guard")
            .matches(json!({"output": "prefix\n"})),
    ]
}

fn overlays() -> Vec<Row> {
    let show = "echo \"${LANG-unset}\"";
    vec![
        row("T31", "directory and variable of a request")
            .run("basename $PWD; echo $A")
            .with(&["--cwd=folder", "--env=A=1"])
            .matches(json!({"output": "folder\n1\n"})),
        row("T31", "a variable that is not named stays")
            .run(show)
            .env("LANG", "host")
            .matches(json!({"output": "host\n"})),
        row("T31", "an empty value shadows")
            .run(show)
            .env("LANG", "host")
            .with(&["--env=LANG="])
            .matches(json!({"output": "\n"})),
        row("T31", "a value replaces")
            .run(show)
            .env("LANG", "host")
            .with(&["--env=LANG=request"])
            .matches(json!({"output": "request\n"})),
        row("T31", "nothing is inherited")
            .run("echo \"${LANG-unset} ${HOME-unset} $A\"")
            .config("[env]\ninherit = []\n")
            .env("LANG", "host")
            .with(&["--env=A=1"])
            .matches(json!({"output": "unset unset 1\n"})),
    ]
}

fn endings() -> Vec<Row> {
    vec![
        row("T31", "a code is a result")
            .run("echo out; exit 3")
            .code(3)
            .matches(json!({"ending": "exited", "exit_code": 3, "output": "out\n"})),
        row("T31", "a signal is 128 and its number")
            .run("kill -KILL $$")
            .code(137)
            .matches(json!({"exit_code": 137})),
        row("T31", "a limit of 10 ms")
            .run("sleep 5")
            .with(&["--timeout=0.01"])
            .code(124)
            .at_most(500)
            .matches(json!({"message": "Command timed out after 0.01 seconds"})),
        row("T31", "both streams in one text")
            .run("echo out; echo err >&2")
            .matches(json!({"output": "out\nerr\n"})),
        row("T31", "an abort ends what runs")
            .run("touch started; sleep 60")
            .interrupted()
            .matches(json!({"ending": "cancelled", "message": "Command aborted"})),
        row("T33", "output and a code")
            .run("printf failed; exit 7")
            .code(7)
            .matches(json!({"message": "failed\n\nCommand exited with code 7", "exit_code": 7})),
    ]
}

fn files() -> Vec<Row> {
    vec![
        row("T32", "no file below the limits")
            .run("seq 2000")
            .matches(json!({"full_output_path": null, "temporary_files": 0})),
        row("T32", "the file has the bytes as they were written")
            .run(r"printf '\146\200\000\157'; seq 3000")
            .matches(json!({"file_head": "6680006f", "file_bytes": 13_897})),
        row("T32", "a file in spite of a time limit")
            .run("seq 3000; sleep 30")
            .with(&["--timeout=1"])
            .code(124)
            .at_most(1500)
            .better(
                "the result has the file in a field, not in prose alone",
                json!({"full_output_path": "FILE", "file_lines": 3000, "truncated": true}),
            ),
        row("T32", "half a million bytes")
            .run("head -c 500000 /dev/zero")
            .matches(json!({"file_bytes": 500_000})),
        row("T32", "15 000 lines, with updates")
            .events("seq 15000")
            .matches(json!({"file_lines": 15_000, "output~": "\n15000"})),
        row("T33", "over 2000 lines and a time limit")
            .run("seq 2500; sleep 30")
            .with(&["--timeout=1"])
            .code(124)
            .matches(json!({
                "footer": "[Showing lines 501-2500 of 2500. Full output: FILE]", "file_lines": 2500,
                "message~": "FILE]\n\nCommand timed out after 1 seconds",
            })),
        row("T33", "60 000 digits")
            .run("printf '%060000d' 0")
            .matches(json!({
                "footer": "[Showing last 50.0KB of line 1 (line is 58.6KB). Full output: FILE]",
            })),
        row("T33", "the last update has the end")
            .events("seq 3000")
            .matches(json!({"updates<": 25, "full_output_path": "FILE"})),
    ]
}

fn degraded() -> Vec<Row> {
    vec![
        row("T32", "a file that cannot be made is told")
            .run("seq 3000")
            .env("TMPDIR", "/no/such/directory")
            .better(
                "a lost file costs a notice, not the result",
                json!({"exit_code": 0, "notices~": "/no/such/directory", "output~": "\n3000"}),
            ),
        row("T35", "a file that cannot be made")
            .run("seq 3000")
            .env("TMPDIR", "/no/such/directory")
            .matches(json!({
                "full_output_path": null, "exit_code": 0, "truncated": true,
                "footer": "[Showing lines 1001-3000 of 3000. The full output was not kept]",
            })),
    ]
}
