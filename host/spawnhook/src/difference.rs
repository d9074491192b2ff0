use std::ffi::OsStr;
use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};
use spawnhook_exec::visible;
use spawnhook_model::SpawnContext;

/// What differs between two contexts, for people: one line for each line of the command and each
/// variable that differs, `-` before what went and `+` before what came.
pub fn difference(before: &SpawnContext, after: &SpawnContext) -> String {
    described(before, after, variable)
}

/// As [`difference`], without the values of variables, which may be secrets of the deployment.
pub(crate) fn difference_without_values(before: &SpawnContext, after: &SpawnContext) -> String {
    described(before, after, |name, _| name.to_string_lossy().into_owned())
}

/// How a variable is told.
type Told = fn(&OsStr, &OsStr) -> String;

fn described(before: &SpawnContext, after: &SpawnContext, told: Told) -> String {
    let mut text = String::new();
    if before.command != after.command {
        text.push_str("command\n");
        for change in TextDiff::from_lines(&before.command, &after.command).iter_all_changes() {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            line(&mut text, sign, change.value().trim_end_matches('\n'));
        }
    }
    if before.cwd != after.cwd {
        text.push_str("cwd\n");
        line(&mut text, '-', &before.cwd.to_string_lossy());
        line(&mut text, '+', &after.cwd.to_string_lossy());
    }
    if before.env != after.env {
        text.push_str("env\n");
        variables(&mut text, before, after, told);
    }
    text
}

fn variables(text: &mut String, before: &SpawnContext, after: &SpawnContext, told: Told) {
    for (name, value) in before.env.iter() {
        if after.env.get(name) != Some(value) {
            line(text, '-', &told(name, value));
        }
    }
    for (name, value) in after.env.iter() {
        if before.env.get(name) != Some(value) {
            line(text, '+', &told(name, value));
        }
    }
}

fn variable(name: &OsStr, value: &OsStr) -> String {
    format!("{}={}", name.to_string_lossy(), value.to_string_lossy())
}

fn line(text: &mut String, sign: char, value: &str) {
    writeln!(text, "  {sign} {}", visible(value)).expect("invariant: a String takes all text");
}

#[cfg(test)]
mod tests {
    use spawnhook_model::Env;

    use super::*;

    fn context(command: &str, cwd: &str, env: &[(&str, &str)]) -> SpawnContext {
        SpawnContext {
            command: command.to_owned(),
            cwd: cwd.into(),
            env: env.iter().copied().collect::<Env>(),
        }
    }

    #[test]
    fn every_line_and_variable_that_differs_is_told() {
        let before = context("cd a\nls", "/w", &[("A", "1"), ("B", "2")]);
        let after = context("set -e\ncd a\nls\u{1b}", "/", &[("A", "1"), ("C", "3")]);
        insta::assert_snapshot!(difference(&before, &after), @r"
        command
          + set -e
            cd a
          - ls
          + ls\u{1b}
        cwd
          - /w
          + /
        env
          - B=2
          + C=3
        ");
        let names = difference_without_values(&before, &after);
        assert!(names.ends_with("env\n  - B\n  + C\n"), "{names}");
    }

    #[test]
    fn of_what_is_the_same_nothing_is_told() {
        let context = context("ls", "/", &[("A", "1")]);
        assert_eq!(difference(&context, &context), "");
    }
}
