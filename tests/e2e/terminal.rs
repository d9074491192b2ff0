//! What a person sees of `run` on a terminal.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::case::{Case, Machine, in_tests};

/// A command that ends once somebody has created `go`.
const UNTIL_GO: &str = "until [ -e go ]; do sleep 0.02; done";

/// Runs a case on a terminal, does what `steps` say when what stands before them is shown, and
/// returns the exit code and all that was written to the terminal.
fn run(case: Case<'_>, steps: &[(&str, Value)]) -> (i32, String) {
    let command = case.into_command();
    let mut python = Command::new("python3");
    python
        .arg(in_tests("terminal.py"))
        .arg(serde_json::to_string(steps).unwrap())
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(command.get_current_dir().unwrap())
        .env_clear()
        .stdin(Stdio::null());
    for (name, value) in command.get_envs() {
        python.env(name, value.unwrap());
    }
    let output = python.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error, "", "of the terminal");
    let shown = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), shown)
}

/// As [`run`], where nothing is done but to type; what was shown is without carriage returns.
pub(crate) fn on_a_terminal(case: Case<'_>, steps: &[(&str, &str)]) -> (i32, String) {
    let steps: Vec<_> = steps
        .iter()
        .map(|(awaited, text)| (*awaited, json!(text)))
        .collect();
    let (code, shown) = run(case, &steps);
    (code, shown.replace('\r', ""))
}

/// A terminal of 40 columns and 24 rows, and what is to be done on it.
fn run_able(case: Case<'_>, steps: &[(&str, Value)]) -> (i32, String) {
    let mut all = vec![("", size(40, 24))];
    all.extend_from_slice(steps);
    run(case.env("TERM", "xterm"), &all)
}

fn size(columns: u16, rows: u16) -> Value {
    json!({"size": [columns, rows]})
}

fn go() -> Value {
    json!({"create": "go"})
}

/// What stands on a terminal in the end, with the time that a command took as `TIME`.
fn screen(shown: &str, columns: u16, rows: u16) -> String {
    let (rows, columns) = (rows.try_into().unwrap(), columns.try_into().unwrap());
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    terminal.process(shown.as_bytes());
    timeless(&terminal.screen().contents())
}

fn timeless(text: &str) -> String {
    let Some((before, rest)) = text.split_once("; took ") else {
        return text.to_owned();
    };
    let (_, after) = rest.split_once(", ").unwrap();
    format!("{before}; took TIME, {after}")
}

#[test]
fn the_time_is_told_while_the_command_runs_and_is_gone_in_the_end() {
    let machine = Machine::new();
    let case = machine.run(&format!("echo one; printf tw; {UNTIL_GO}; echo o"));
    let steps = [("s, limit 2m 0s", go())];
    let (code, shown) = run_able(case, &steps);
    assert_eq!(code, 0, "{shown}");
    insta::assert_snapshot!(screen(&shown, 100, 24), @r"
    one
    two
    spawnhook: Command exited with code 0; took TIME, wrote 8B in 2 lines
    ");
}

#[test]
fn the_last_line_sums_up() {
    let config = r#"
        [[hook]]
        name = "strict"
        component = "builtin:command-rewrite"
        stage = "rewrite"
        may = { command = true }
        settings = { prepend = ["set -e"] }

        [[hook]]
        name = "mark"
        component = "builtin:env-inject"
        stage = "rewrite"
        may = { set_env = ["MARK"] }
        settings = { set = { MARK = "1" } }
    "#;
    for (command, options, code, line) in [
        (
            "false; echo on",
            &[][..],
            1,
            "Command exited with code 1; took TIME, wrote nothing, changed by `strict` (command), `mark` (env)",
        ),
        (
            "printf 12345; kill -9 $$",
            &[],
            137,
            "Command exited with code 137 (killed by signal 9, SIGKILL); took TIME, wrote 5B in 1 line, changed by `strict` (command), `mark` (env)",
        ),
        (
            "sleep 100",
            &["--timeout", "0.5"],
            124,
            "Command timed out after 0.5 seconds; took TIME, wrote nothing, changed by `strict` (command), `mark` (env)",
        ),
    ] {
        let machine = Machine::with_config(config);
        let case = machine.run(command).with(options);
        let (ended, shown) = run_able(case, &[("", size(200, 24))]);
        assert_eq!(ended, code, "{shown}");
        let screen = screen(&shown, 200, 24);
        assert_eq!(screen.lines().last().unwrap(), format!("spawnhook: {line}"));
    }
}

#[test]
fn of_a_folded_output_the_last_rows_are_left() {
    let machine = Machine::new();
    let case = machine.run("seq 100").with(&["--fold"]);
    let (_, shown) = run_able(case, &[]);
    insta::assert_snapshot!(screen(&shown, 100, 24), @r"
    … 95 lines above
    96
    97
    98
    99
    100
    spawnhook: Command exited with code 0; took TIME, wrote 292B in 100 lines
    ");
}

#[test]
fn rows_of_a_folded_output_are_those_of_the_terminal() {
    let machine = Machine::new();
    let wide = "漢".repeat(30);
    let case = machine.run(&format!("seq 10; echo {wide}; printf end"));
    let (_, shown) = run_able(case.with(&["--fold"]), &[]);
    let rows = screen(&shown, 40, 24);
    let (first, second) = wide.split_at(20 * "漢".len());
    let expected = format!("… 8 lines above\n9\n10\n{first}\n{second}\nend\nspawnhook: ");
    assert!(rows.starts_with(&expected), "{rows}");
}

#[test]
fn a_terminal_may_get_another_size() {
    let machine = Machine::new();
    let line = "x".repeat(60);
    let command = format!("echo {line}; {UNTIL_GO}; seq 3");
    let case = machine.run(&command).with(&["--fold"]);
    let steps = [
        ("Elapsed ", size(30, 10)),
        // Drawn anew, in rows as long as they are now.
        (&*format!("{}\r\n{}", &line[..30], &line[30..]), go()),
    ];
    let (code, shown) = run_able(case, &steps);
    assert_eq!(code, 0, "{shown}");
    let rows = screen(&shown, 100, 24);
    assert!(
        rows.contains(&format!(
            "{}\n{}\n1\n2\n3\nspawnhook: ",
            &line[..30],
            &line[30..]
        )),
        "{rows}"
    );
}

#[test]
fn without_colors_nothing_is_colored() {
    let machine = Machine::new();
    for (value, colored) in [("1", false), ("", true)] {
        let case = machine.run(&format!("rm -f go; {UNTIL_GO}"));
        let (_, shown) = run_able(case.env("NO_COLOR", value), &[("Elapsed ", go())]);
        assert_eq!(shown.contains("\u{1b}[2m"), colored, "{shown:?}");
    }
}

#[test]
fn a_terminal_that_moves_no_cursor_is_only_written_to() {
    for name in ["dumb", ""] {
        let machine = Machine::new();
        let case = machine
            .run(&format!(
                "printf 'one\\n10%%'; {UNTIL_GO}; printf '\\r20%%\\n'"
            ))
            .env("TERM", name);
        let (_, shown) = run(case, &[("10%", go())]);
        assert_eq!(
            timeless(&shown),
            "one\r\n10%\r\n20%\r\nspawnhook: Command exited with code 0; took TIME, wrote 12B in \
             2 lines\r\n"
        );
    }
}

#[test]
fn what_goes_to_a_file_has_nothing_of_ours_in_it() {
    let machine = Machine::new();
    let command = format!("printf 'a\\e[1m\\n'; {UNTIL_GO}");
    let case = machine.run(&command).with(&["--fold"]).under("exec >out");
    let (code, shown) = run_able(case, &[("Elapsed ", go())]);
    assert_eq!(code, 0, "{shown}");
    let out = fs::read(machine.path("workspace/out")).unwrap();
    assert_eq!(out, b"a\x1b[1m\n");
    assert_eq!(
        screen(&shown, 100, 24),
        "spawnhook: Command exited with code 0; took TIME, wrote 6B in 1 line"
    );
}

#[test]
fn where_stderr_is_no_terminal_nothing_is_told() {
    let machine = Machine::new();
    let case = machine.run("echo one; sleep 1.2").under("exec 2>err");
    let (_, shown) = run_able(case, &[]);
    assert_eq!(shown, "one\r\n");
    assert_eq!(fs::read(machine.path("workspace/err")).unwrap(), b"");
}

#[test]
fn in_the_background_nothing_is_drawn_over_what_somebody_types() {
    let machine = Machine::new();
    let case = machine.run("echo one; sleep 1.5; echo two");
    let case = case.under("set -m; \"$0\" \"$@\" & wait; exit");
    let (code, shown) = run_able(case, &[]);
    assert_eq!(code, 0, "{shown}");
    // Behind it the shell tells that its job is done.
    let shown = timeless(&shown);
    let expected = "one\r\ntwo\r\nspawnhook: Command exited with code 0; took TIME, wrote 8B";
    assert!(shown.starts_with(expected), "{shown}");
}

#[test]
fn streams_that_are_kept_apart_meet_on_the_terminal() {
    let machine = Machine::new();
    let command = format!("echo out; echo err >&2; {UNTIL_GO}");
    let case = machine.run(&command).with(&["--streams", "separate"]);
    let (_, shown) = run_able(case, &[("Elapsed ", go())]);
    let screen = screen(&shown, 100, 24);
    let mut rows: Vec<_> = screen.lines().take(2).collect();
    rows.sort_unstable();
    assert_eq!(rows, ["err", "out"], "{screen}");
}

#[test]
fn only_a_terminal_is_folded() {
    let machine = Machine::new();
    machine
        .run("seq 7")
        .with(&["--fold"])
        .stdout("1\n2\n3\n4\n5\n6\n7\n")
        .check();
    let object = machine.json("true").with(&["--fold"]).code(125).object();
    assert!(
        object["message"].as_str().unwrap().contains("--fold"),
        "{object}"
    );
}
