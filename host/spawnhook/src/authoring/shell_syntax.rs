use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

    /// Why the shell cannot parse `text`; none if it can.
    ///
    /// # Errors
    ///
    /// If the shell cannot be asked.
    pub fn problem(&self, text: &str) -> io::Result<Option<String>> {
        let mut child = Command::new(&self.shell)
            .args(["--noprofile", "--norc", "-n"])
            .env_clear()
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().expect("invariant: stdin is a pipe");
        // A shell that has found its error reads no further.
        let written = stdin.write_all(text.as_bytes());
        drop(stdin);
        let output = child.wait_with_output()?;
        if output.status.success() {
            written?;
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
    }
}
