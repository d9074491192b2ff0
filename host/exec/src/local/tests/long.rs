use spawnhook_model::Ending;

use super::harness::*;
use crate::LocalBackend;

const LIMIT: usize = 131_072;

/// A comment that makes a command as long as told; it ends in a newline.
fn padded(bytes: usize, command: &str) -> String {
    let comment = bytes - command.len() - "#\n".len();
    format!("#{}\n{command}", "x".repeat(comment))
}

/// Runs a command as it is and behind a comment that needs several arguments; both must do the
/// same.
async fn same_as_short(command: &str) -> (Ending, String) {
    let short = run(spawn(&format!("#\n{command}"))).await;
    let long = run(spawn(&padded(4 * LIMIT, command))).await;
    assert_eq!(long.0.ending, short.0.ending, "{command}");
    assert_eq!(long.0.notices, short.0.notices, "{command}");
    assert_eq!(long.1, short.1, "{command}");
    (long.0.ending, long.1)
}

#[tokio::test]
async fn commands_around_the_limit_of_one_argument_and_up_to_a_mebibyte_run() {
    for bytes in [LIMIT - 2, LIMIT - 1, LIMIT, LIMIT + 1, 2 * LIMIT, 1 << 20] {
        let command = padded(bytes, "echo ran");
        assert_eq!(command.len(), bytes);
        assert_eq!(text_of(spawn(&command)).await, "ran\n", "{bytes}");
    }
}

#[tokio::test]
async fn the_length_of_a_command_does_not_show() {
    for command in [
        "echo \"$0 $# [$*] [$1] [${10}]\"",
        "exit 9",
        "kill -TERM $$",
        "cat; echo stdin $?",
        "echo $LINENO\necho $LINENO\n\necho $LINENO",
        "set -e; echo a; false; echo b",
        "f() { return 3; }; f; echo $?",
        "cat <<END\n$0 'quoted' \"$#\" `echo sub` \\$x\nEND",
        "cat <<'END'\n$0 'quoted' \"$#\" `echo sub` \\$x\nEND\necho after",
        "set -- one two; echo $# $2; shift; echo $1",
        "trap 'echo bye $?' EXIT; exit 4",
        "echo 'single $0' \"double \\\" $0\" \\$0 \\\\",
        "for i in 1 2; do\n  echo $i\ndone\nfalse || echo or",
        "echo $- ; echo ${#BASH_ARGV[@]}",
        "printf %s '${1}${2}'",
        "exec echo replaced",
        "(exit 3); echo $?",
        "echo before\nreturn 2>/dev/null; echo after $?",
        "alias x=y 2>/dev/null; shopt expand_aliases; set -u; echo ${undefined-unset}",
    ] {
        same_as_short(command).await;
    }
}

#[tokio::test]
async fn what_comes_before_a_syntax_error_has_run() {
    let (long, text) = run(spawn(&padded(2 * LIMIT, "echo first\necho (\necho never"))).await;
    assert_eq!(
        long.ending,
        run(spawn("#\necho first\necho (\necho never"))
            .await
            .0
            .ending
    );
    assert!(
        text.starts_with("first\n") && !text.contains("never\n"),
        "{text}"
    );
}

#[tokio::test]
async fn a_text_longer_than_one_argument_arrives_unchanged() {
    // Characters of three bytes, so that a cut at the limit would split one; in a heredoc, so
    // that nothing the shell does to words can touch them.
    let text = "\u{4e16}$'\"\\`*~\n".repeat(60_000);
    let command = format!("cat <<'END'\n{text}END\n");
    assert!(command.len() > 5 * LIMIT);
    assert!(text_of(spawn(&command)).await == text);
}

#[tokio::test]
async fn a_shell_other_than_bash_runs_long_commands_too() {
    let backend = LocalBackend::new(spawner(), Some("/bin/sh".into()), None);
    let command = padded(1 << 20, "echo \"$0 $#\"; exit 3");
    let (_canceller, cancel) = crate::Canceller::new();
    let (ran, text) = try_run(&backend, spawn(&command), cancel).await;
    assert_eq!(
        (ran.unwrap().ending, &*text),
        (Ending::Exited(3), "/bin/sh 0\n")
    );
}
