use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The longest argument of a program with the NUL behind it: `MAX_ARG_STRLEN` of Linux.
const MAX_ARGUMENT_BYTES: usize = 131_072;

/// Asks a shell whether a text is one that it could run, without running it.
#[derive(Clone, Debug)]
pub struct ShellSyntax {
    shell: PathBuf,
}

impl ShellSyntax {
    /// Asks this shell, which has to know the options of bash.
    pub fn new(shell: impl AsRef<Path>) -> Self {
        Self {
            shell: shell.as_ref().to_owned(),
        }
    }

    /// Why the shell cannot parse `text`; none if it can, or if the text is longer than the one
    /// argument that a shell is given it as.
    ///
    /// # Errors
    ///
    /// If the shell cannot be asked.
    pub fn problem(&self, text: &str) -> io::Result<Option<String>> {
        if text.len() >= MAX_ARGUMENT_BYTES {
            return Ok(None);
        }
        // Read from a file or a pipe, a text may end in another way: with a backslash, for example.
        let output = Command::new(&self.shell)
            .args(["--noprofile", "--norc", "-n", "-c", text])
            .env_clear()
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()?;
        if output.status.success() {
            return Ok(None);
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(Some(said.lines().next().unwrap_or_default().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_does_not_parse_is_found_and_none_is_run() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let syntax = ShellSyntax::new("bash");
        let runs = format!("echo \"$(touch {0})\"; touch {0}", mark.display());
        assert_eq!(syntax.problem(&runs).unwrap(), None);
        assert!(!mark.exists());
        let problem = syntax.problem("echo 'lost").unwrap().unwrap();
        assert!(problem.contains("unexpected EOF"), "{problem}");
        // A backslash at the very end stands for itself.
        assert!(syntax.problem("if :; then :\nfi\\").unwrap().is_some());
    }
}
