//! The commands, and how each of them is known to end.

use super::Seen;

pub(super) struct Command {
    pub(super) about: &'static str,
    pub(super) text: String,
    /// A directory of the workspace.
    pub(super) cwd: Option<&'static str>,
    /// Whether it is cancelled once it has created `started`.
    pub(super) is_cancelled: bool,
    ending: &'static str,
    output: Option<String>,
}

fn command(about: &'static str, text: impl Into<String>, ending: &'static str) -> Command {
    Command {
        about,
        text: text.into(),
        cwd: None,
        is_cancelled: false,
        ending,
        output: None,
    }
}

impl Command {
    fn output(mut self, text: impl Into<String>) -> Self {
        self.output = Some(text.into());
        self
    }

    fn cwd(mut self, cwd: &'static str) -> Self {
        self.cwd = Some(cwd);
        self
    }

    fn cancelled(mut self) -> Self {
        self.is_cancelled = true;
        self
    }

    /// Whether what is compared is what it should be.
    pub(super) fn check(&self, seen: &Seen) {
        let last = seen.records.last().unwrap();
        let status = &last["entry"]["status"];
        let ending = match status["code"].as_i64() {
            Some(code) => format!("exited {code}"),
            None => last["ending"].as_str().unwrap().to_owned(),
        };
        assert_eq!(ending, self.ending, "{}", self.about);
        let was_spawned = last["event"] == "exit";
        assert_eq!(seen.records.len(), 1 + usize::from(was_spawned));
        assert_eq!(seen.ran.is_empty(), !was_spawned, "{}", self.about);
        if was_spawned {
            let ran = String::from_utf8_lossy(&seen.ran);
            let text = format!("\0umask 077\nset -o pipefail\n{}\0", self.text);
            assert!(ran.contains(&text), "{ran}");
        }
        if let Some(output) = &self.output {
            let object = seen.object.as_ref().expect("the first one tells it");
            assert_eq!(object["output"], **output, "{}", self.about);
        }
    }
}

pub(super) fn ordinary() -> Vec<Command> {
    [endings(), texts(), outputs(), surroundings(), refusals()]
        .into_iter()
        .flatten()
        .collect()
}

/// Commands that run into a time limit of three seconds.
pub(super) fn endless() -> Vec<Command> {
    vec![
        command("sleeps", "echo one; sleep 1000", "timed-out").output("one\n"),
        command(
            "hears no TERM",
            "trap '' TERM; while :; do sleep 1; done",
            "timed-out",
        ),
        command(
            "leaves its session",
            "setsid sleep 1000 & wait",
            "timed-out",
        ),
    ]
}

fn endings() -> Vec<Command> {
    let cancelled = "trap 'exit 7' USR1; echo one; touch started; while :; do sleep 1; done";
    vec![
        command("nothing", "true", "exited 0").output(""),
        command("a code", "exit 3", "exited 3"),
        command("the highest code", "exit 255", "exited 255"),
        command("a signal", "echo before; kill -KILL $$", "signaled").output("before\n"),
        command("a signal of its own accord", "kill -TERM $$", "signaled"),
        command("no such program", "no-such-program", "exited 127"),
        command("no program", "/etc/passwd", "exited 126"),
        command("a syntax error", "echo 'open", "exited 2"),
        command("a failing pipe", "false | true", "exited 1"),
        command("a trap", "trap 'echo bye' EXIT; exit 4", "exited 4").output("bye\n"),
        command("cancelled", cancelled, "cancelled")
            .output("one\n")
            .cancelled(),
    ]
}

fn texts() -> Vec<Command> {
    let heredoc = "cat <<'END'\n$HOME `date`\n\tend\nEND";
    let long = format!(": {}; echo done", "x".repeat(100_000));
    vec![
        command("lines", "echo one\n\n\techo two\n", "exited 0").output("one\ntwo\n"),
        command("a here document", heredoc, "exited 0").output("$HOME `date`\n\tend\n"),
        command(
            "quotes",
            r#"printf '<%s>' "a b" 'c\d' $'e\tf' it\'s"#,
            "exited 0",
        )
        .output("<a b><c\\d><e\tf><it's>"),
        command("letters", "printf %s 'größer 漢字 🙂'", "exited 0").output("größer 漢字 🙂"),
        command(
            "separators",
            "printf %s 'a\u{2028}b\u{85}c\u{feff}'",
            "exited 0",
        ),
        command("spaces around", "  echo in  ", "exited 0").output("in\n"),
        command("a comment at the end", "echo in # out", "exited 0").output("in\n"),
        command("a dash in front", "-x 2>/dev/null; echo $?", "exited 0").output("127\n"),
        command("a hundred kilobytes", long, "exited 0").output("done\n"),
    ]
}

fn outputs() -> Vec<Command> {
    vec![
        command(
            "both streams",
            "echo one; echo two >&2; echo three",
            "exited 0",
        )
        .output("one\ntwo\nthree\n"),
        command("no newline", "printf end", "exited 0").output("end"),
        command("bytes", r"printf 'a\0\377\r\n'", "exited 0"),
        command(
            "colours",
            r"printf '\033[31mred\033[0m\n10%%\r20%%\n'",
            "exited 0",
        )
        .output("red\n20%\n"),
        command("too many lines", "seq 3000", "exited 0"),
        command(
            "too many bytes",
            "head -c 100000 /dev/zero | tr '\\0' y",
            "exited 0",
        ),
        command("closed streams", "exec >&- 2>&-; true", "exited 0").output(""),
    ]
}

fn surroundings() -> Vec<Command> {
    let left = "sleep 1000 >/dev/null 2>&1 & echo $! > left; \
                until grep -q sleep /proc/$!/comm; do :; done; echo done";
    vec![
        command("a directory", "basename \"$PWD\"", "exited 0")
            .output("folder\n")
            .cwd("folder"),
        command("the end of the input", "cat; echo $?", "exited 0").output("0\n"),
        command("a variable of a hook", "echo \"$MARK\"", "exited 0").output("made\n"),
        command(
            "no terminal",
            "[ -t 0 ] || [ -t 1 ] || (: </dev/tty) 2>/dev/null",
            "exited 1",
        ),
        command("something left", left, "exited 0").output("done\n"),
    ]
}

fn refusals() -> Vec<Command> {
    vec![
        command("denied", "touch ran; git push origin", "denied"),
        command(
            "denied behind others",
            "true && (git push origin)",
            "denied",
        ),
    ]
}
