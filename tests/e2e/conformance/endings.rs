//! X21 to X29 and X38: how commands end.

use serde_json::json;

use super::row::{Row, row};

pub(super) fn rows() -> Vec<Row> {
    [
        codes(),
        limits(),
        attributes(),
        stops(),
        holders(),
        survivors(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn codes() -> Vec<Row> {
    let plain = |about, command: &str, code| {
        row("X21", about).run(command).code(code).matches(json!({
            "exit_code": code, "ending": "exited", "is_error": true,
            "message": format!("(no output)\n\nCommand exited with code {code}"),
        }))
    };
    let signal = |about, command: &str, code, name: &str| {
        row("X21", about).run(command).code(code).better(
            "the signal is named",
            json!({
                "exit_code": code, "ending": "signaled",
                "message": format!(
                    "(no output)\n\nCommand exited with code {code} (killed by signal {}, {name})",
                    code - 128
                ),
            }),
        )
    };
    vec![
        plain("a code without output", "exit 7", 7),
        plain("no executable", "/etc/passwd 2>/dev/null", 126),
        plain("no such command", "no-such-command 2>/dev/null", 127),
        signal("SIGKILL", "kill -KILL $$", 137, "SIGKILL"),
        signal("SIGSEGV", "kill -SEGV $$", 139, "SIGSEGV"),
        signal("SIGTERM", "kill -TERM $$", 143, "SIGTERM"),
    ]
}

fn limits() -> Vec<Row> {
    let refused = |option, message| {
        row("X22", option)
            .run("touch ran")
            .with(&[option])
            .code(125)
            .matches(json!({
                "ending": "invalid", "message": format!("Invalid timeout: {message} seconds"),
                "ran": false,
            }))
    };
    let elapses = |option: &'static str, number| {
        row("X22", option)
            .run("sleep 30")
            .with(&[option])
            .code(124)
            .at_most(500)
            .matches(json!({
                "ending": "timed-out", "exit_code": null,
                "message": format!("Command timed out after {number} seconds"),
            }))
    };
    let number = "must be a finite number of";
    vec![
        refused("--timeout=0", number),
        refused("--timeout=-1", number),
        refused("--timeout=NaN", number),
        refused("--timeout=inf", number),
        refused("--timeout=2147483.648", "maximum is 2147483.647"),
        row("X22", "the longest")
            .run("true")
            .with(&["--timeout=2147483.647"])
            .matches(json!({"ending": "exited", "exit_code": 0})),
        elapses("--timeout=1e-9", "1e-9"),
        elapses("--timeout=0.2", "0.2").at_least(200),
        elapses("--timeout=0.5", "0.5").at_least(500).at_most(1000),
    ]
}

fn attributes() -> Vec<Row> {
    vec![
        row("X23", "standard input is at its end")
            .run("cat; echo done $?")
            .matches(json!({"output": "done 0\n"})),
        row("X23", "no terminal")
            .run("(: < /dev/tty) 2>&1 | grep -o 'No such device or address'")
            .matches(json!({"output": "No such device or address\n"})),
        row("X23", "the shell leads its group and session")
            .run("read -r pid _ _ _ group session _ < /proc/$$/stat; echo $((pid == group && pid == session))")
            .matches(json!({"output": "1\n"})),
        row("X24", "closes its output and goes on")
            .run("exec >&- 2>&-; sleep 1")
            .at_least(1000)
            .matches(json!({"exit_code": 0, "notices": []})),
    ]
}

fn stops() -> Vec<Row> {
    let stubborn = "trap '' TERM; (while :; do sleep 0.05; done) & touch started; wait";
    vec![
        row("X25", "a shell that stops itself, and a time limit")
            .run("kill -STOP $$")
            .with(&["--timeout=0.3"])
            .code(124)
            .at_least(300)
            .at_most(900)
            .matches(json!({"ending": "timed-out", "leftovers": []})),
        row("X25", "a group that ignores TERM, and an abort")
            .run(stubborn)
            .interrupted()
            .at_most(600)
            .matches(json!({"message": "Command aborted", "leftovers": []})),
        row("T3", "a time limit")
            .run("sleep 5")
            .with(&["--timeout=1"])
            .code(124)
            .at_least(1000)
            .at_most(1500)
            .matches(json!({"message": "Command timed out after 1 seconds", "is_error": true})),
        row("T20", "a background process that holds the output")
            .run("printf DONE; (sleep 30) &")
            .at_most(2000)
            .better(
                "what remains is told",
                json!({"exit_code": 0, "output": "DONE", "leftovers~": "sleep 30"}),
            ),
        row("T20", "a background process that writes meanwhile")
            .run("echo S; (for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.05; echo t$i; done) &")
            .in_real_time()
            .matches(json!({"output": "S\nt1\nt2\nt3\nt4\nt5\nt6\nt7\nt8\nt9\nt10\n"})),
    ]
}

fn holders() -> Vec<Row> {
    let endless =
        "setsid sh -c 'while :; do echo t; sleep 0.03; done' & echo x; touch started; wait";
    vec![
        row("X27", "a background process that writes every 150 ms")
            .run("(for i in 1 2 3 4 5 6; do sleep 0.15; echo t$i; done) & echo x")
            .in_real_time()
            .at_most(500)
            .better(
                "it is told that something held the output open, and what",
                json!({"output": "x\n", "notices~": "kept the output open", "leftovers~": "for i in"}),
            ),
        row("T33", "what is written after the end")
            .run("(sleep 1; echo late) & echo x")
            .at_most(900)
            .matches(json!({"output": "x\n"})),
        row("X28", "an endless writer in its own session, and a time limit")
            .run(endless)
            .with(&["--timeout=0.5"])
            .code(124)
            .at_least(500)
            .at_most(1250)
            .better("it settles", json!({"ending": "timed-out", "message~": "x\n"})),
        row("X28", "an endless writer in its own session, and an abort")
            .run(endless)
            .interrupted()
            .at_most(1250)
            .better("it settles", json!({"ending": "cancelled", "message~": "Command aborted"})),
    ]
}

/// Each starts a process that beats, waits for its first beat, and is stopped.
fn survivors() -> Vec<Row> {
    // Ends with the machine of its row at the latest.
    let beats = "while echo beat >> $BEATS; do sleep 0.02; done";
    let wait = "until [ -s $BEATS ]; do sleep 0.01; done; touch started; wait";
    let command = |start: String| format!("export BEATS=$PWD/beats; {start} {wait}");
    let detached = [
        ("setsid", format!("setsid sh -c '{beats}' &")),
        ("a job of set -m", format!("set -m; ({beats}) & set +m;")),
        (
            "a child in a new session",
            format!(
                "export LOOP='{beats}'; python3 -c 'import os; os.setsid(); \
                 os.execvp(\"sh\", [\"sh\", \"-c\", os.environ[\"LOOP\"]])' &"
            ),
        ),
    ];
    let detached = detached.map(|(about, start)| {
        row("X29", about).run(command(start)).interrupted().better(
            "nothing survives",
            json!({"ending": "cancelled", "beating": false}),
        )
    });
    let host = |signal| {
        row("X38", signal)
            .run(command(format!("({beats}) &")))
            .signalled(signal)
            .code(130)
    };
    let gone = json!({"beating": false});
    let hosts = [
        host("TERM").matches(gone.clone()),
        host("HUP").matches(gone.clone()),
        host("INT").better("an interrupted host leaves nothing behind", gone.clone()),
        host("KILL")
            .code(-9)
            .better("nor does one that is killed", gone),
    ];
    detached.into_iter().chain(hosts).collect()
}
