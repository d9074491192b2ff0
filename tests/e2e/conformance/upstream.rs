//! T1 to T22: what the original's own tests of its tool ask for.

use serde_json::{Value, json};

use super::row::{Row, row};

pub(super) fn rows() -> Vec<Row> {
    [results(), shells(), prefixes(), outputs(), guards()]
        .into_iter()
        .flatten()
        .collect()
}

fn results() -> Vec<Row> {
    vec![
        row("T1", "a simple echo").run("echo hello").matches(json!({
            "message": "hello\n", "output": "hello\n", "truncation": null, "exit_code": 0,
            "is_error": false, "full_output_path": null,
        })),
        row("T2", "a code that is not 0").run("exit 1").code(1).matches(json!({
            "message": "(no output)\n\nCommand exited with code 1", "exit_code": 1, "is_error": true,
        })),
        row("T5", "a directory that is missing")
            .run("touch ran")
            .with(&["--cwd=missing"])
            .code(125)
            .matches(json!({
                "message": "Working directory does not exist: WORKSPACE/missing\n\
                            Cannot execute bash commands.",
                "ran": false,
            })),
        row("T16", "the variables of a request, twice over")
            .run("echo $FIRST-$SECOND")
            .with(&["--env=FIRST=a b", "--env=SECOND=c=d"])
            .matches(json!({"output": "a b-c=d\n"})),
    ]
}

fn shells() -> Vec<Row> {
    let missing = json!({
        "ending": "spawn-failed", "ran": false,
        "message": "Custom shell path not found: /no/such/shell",
    });
    let config = "[shell]\npath = \"/no/such/shell\"\n";
    vec![
        row("T6", "the shell is missing")
            .run("touch ran")
            .config(config)
            .code(125)
            .matches(missing),
        row("T6", "the shell is no program")
            .run("touch ran")
            .config("[shell]\npath = \"/etc/passwd\"\n")
            .code(125)
            .better(
                "the error says what to look at, not EACCES alone",
                json!({"ran": false, "message~": "/etc/passwd cannot be executed"}),
            ),
        row("T8", "a long script arrives as it is written")
            .run("echo \"$x\" $(seq 3) $# $0")
            // What the program itself is given in one argument is limited alike.
            .config(&format!(
                "[shell]\nprefix = \"x='a  b'; : {}\"\n",
                "y".repeat(200_000)
            ))
            .matches(json!({"output": "a  b 1 2 3 0 /bin/bash\n"})),
    ]
}

fn prefixes() -> Vec<Row> {
    vec![
        row("T10", "the prefix exports")
            .run("echo $FROM")
            .config("[shell]\nprefix = \"export FROM=prefix\"\n")
            .matches(json!({
                "output": "prefix\n", "requested": "echo $FROM",
                "command": "export FROM=prefix\necho $FROM",
            })),
        row("T11", "the prefix writes first")
            .run("echo second")
            .config("[shell]\nprefix = \"echo first\"\n")
            .matches(json!({"output": "first\nsecond\n"})),
        row("T12", "there is no prefix")
            .run("echo alone")
            .matches(json!({"output": "alone\n", "command": "echo alone"})),
    ]
}

fn outputs() -> Vec<Row> {
    let cut = json!({
        "footer": "[Showing lines 1001-3000 of 3000. Full output: FILE]",
        "file_lines": 3000, "file_bytes": 13_893, "truncated": true, "exit_code": 0,
    });
    vec![
        row("T13", "5000 pieces of output")
            .events("for i in $(seq 5000); do echo piece $i; done")
            .matches(json!({"updates<": 25, "output~": "\npiece 5000"})),
        row("T14", "4000 lines").run("seq 4000").matches(json!({
            "footer": "[Showing lines 2001-4000 of 4000. Full output: FILE]",
            "truncation": {"by": "lines", "total_lines": 4000, "total_bytes": 18_893,
                           "shown_lines": 2000, "shown_bytes": 9999, "first_line": 2001,
                           "last_line_partial": false},
        })),
        row("T15", "a character in two pieces")
            .run(r"printf '\342'; sleep 0.1; printf '\202\254\n'")
            .matches(json!({"output": "€\n"})),
        row("T17", "colours and CR LF")
            .run(r"printf '\033[31mred\033[0m\r\n'")
            .matches(json!({"output": "red\n", "message": "red\n"})),
        row("T18", "3000 lines, for a model")
            .run("seq 3000")
            .matches(cut.clone()),
        row("T19", "3000 lines, with updates")
            .events("seq 3000")
            .matches(cut),
    ]
}

fn guards() -> Vec<Row> {
    let stopped = |ending: &str| -> Value { json!({"ending": ending, "ran": false}) };
    vec![
        row("T21", "a guard that fails")
            .run("touch ran")
            .guest("panics")
            .code(125)
            .matches(stopped("hook-failed")),
        row("T21", "a guard that answers nonsense")
            .run("touch ran")
            .guest("bad-discriminant")
            .code(125)
            .matches(stopped("hook-failed")),
        row("T21", "a guard that lets it pass")
            .run("touch ran")
            .guest("good-guard")
            .matches(json!({"ending": "exited", "exit_code": 0, "ran": true})),
    ]
}
