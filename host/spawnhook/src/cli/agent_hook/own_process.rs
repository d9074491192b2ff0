//! The command line that an agent runs in place of a command, so that spawnhook runs that.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cli::{ambient, host};

/// `PROGRAM run --ticket PATH -- COMMAND`, for whoever approves it to read.
pub(super) fn line(ticket: &Path, command: &str) -> anyhow::Result<String> {
    let program = ambient::program()?;
    Ok(join(text(&program)?, text(ticket)?, command)?)
}

/// The ticket and the command of such a line; none if it is another.
pub(super) fn parse(line: &str) -> Option<(PathBuf, String)> {
    let program = ambient::program().ok()?;
    split(text(&program).ok()?, line)
}

fn join(program: &str, ticket: &str, command: &str) -> Result<String, shlex::QuoteError> {
    shlex::try_join([program, "run", "--ticket", ticket, "--", command])
}

fn split(program: &str, line: &str) -> Option<(PathBuf, String)> {
    let words = shlex::split(line)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["run", "--ticket", ticket, "--", command] = words.strip_prefix(&[program])? else {
        return None;
    };
    // A shell would read other spellings of these words in other ways.
    let is_ours = join(program, ticket, command).is_ok_and(|joined| joined == line);
    is_ours.then(|| (PathBuf::from(ticket), (*command).to_owned()))
}

fn text(path: &Path) -> anyhow::Result<&str> {
    let problem = || format!("the path {} is not UTF-8 text", path.display());
    path.to_str().with_context(problem)
}

/// A path of the command line that means the same from any directory.
pub(super) fn absolute(path: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let current = ambient::current_directory()?;
    Ok(path.map(|path| current.join(path)))
}

/// `STAGE:FILE` that mean the same from any directory.
pub(super) fn absolute_hooks(hooks: &[OsString]) -> anyhow::Result<Vec<OsString>> {
    let current = ambient::current_directory()?;
    let absolute = |hook: &OsString| match host::split(hook, b':') {
        None => hook.clone(),
        Some((mut stage, file)) => {
            stage.push(":");
            stage.push(current.join(file));
            stage
        }
    };
    Ok(hooks.iter().map(absolute).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_can_be_read_by_whoever_approves_it() {
        assert_eq!(
            join(
                "/usr/bin/spawnhook",
                "/run/tickets/9f2c",
                "npm test && echo 'it''s'"
            )
            .unwrap(),
            r#"/usr/bin/spawnhook run --ticket /run/tickets/9f2c -- "npm test && echo 'it''s'""#
        );
    }

    #[test]
    fn no_other_line_is_taken_for_one() {
        for line in [
            "",
            "npm test",
            "/other run --ticket /t -- x",
            "/p run --ticket /t -- x; rm y",
            "/p run --ticket /t -- x y",
            "/p run --json --ticket /t -- x",
            "/p run --ticket /t x",
            "FOO=1 /p run --ticket /t -- x",
            "/p run --ticket /t -- \"$(x)\"",
            "/p  run --ticket /t -- x",
        ] {
            assert_eq!(split("/p", line), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn what_is_joined_comes_apart_again(command in "[^\0]+", ticket in "/[^\0]+") {
            let line = join("/p q", &ticket, &command).unwrap();
            prop_assert_eq!(split("/p q", &line), Some((ticket.into(), command)));
        }
    }
}
