//! X33: what hooks may get wrong.

use serde_json::json;

use super::row::{Row, row};

pub(super) fn rows() -> Vec<Row> {
    [faults(), environments()].into_iter().flatten().collect()
}

fn faults() -> Vec<Row> {
    let fault = |about, guest, part: &str| {
        row("X33", about)
            .run("touch ran")
            .guest(guest)
            .code(125)
            .better(
                "a failure of its own, and nothing runs",
                json!({"ending": "hook-failed", "ran": false, "message~": part}),
            )
    };
    vec![
        fault("it traps", "panics", "index 7 is out of range"),
        fault(
            "a name with an equals sign",
            "sets-odd-name",
            "a variable named \"A=B\"",
        ),
        fault(
            "NUL in a value",
            "sets-nul",
            "the variable A to a value with a NUL",
        ),
        fault(
            "NUL in the command",
            "command-with-nul",
            "a command with a NUL at byte",
        ),
        fault(
            "more than a program can be given",
            "command-too-long",
            "command",
        ),
        fault(
            "a relative directory",
            "cwd-relative",
            "which is not an absolute path",
        ),
        fault(
            "a variable of the loader",
            "sets-ld-preload",
            "by its exact name",
        ),
        fault(
            "no right to the environment",
            "sets-without-right",
            "hook `guest` failed",
        ),
        row("X33", "it refuses")
            .run("touch ran")
            .guest("rewrite-denies")
            .code(126)
            .better(
                "a refusal is no failure",
                json!({"ending": "denied", "ran": false, "message~": "not on my watch"}),
            ),
    ]
}

fn environments() -> Vec<Row> {
    vec![
        row("X33", "a hook that returns no variable")
            .run("echo ${LANG-unset} ${OPENAI_API_KEY-unset}")
            .env("LANG", "host")
            .env("OPENAI_API_KEY", "secret")
            .guest("good-guard")
            .better(
                "what it does not see stays as it is, and nothing of the host comes in",
                json!({"output": "host unset\n"}),
            ),
        row("X33", "BASH_ENV of the host")
            .run("echo own")
            .env("BASH_ENV", "{machine}/config/spawnhook/config.toml")
            .config("# not shell text (\n")
            .better("it does not reach the command", json!({"output": "own\n"})),
        row("X33", "an exported function of the host")
            .run("basename /a/b")
            .env("BASH_FUNC_basename%%", "() { echo hijacked; }")
            .better("it does not reach the command", json!({"output": "b\n"})),
    ]
}
