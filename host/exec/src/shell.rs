use std::ffi::{OsStr, OsString};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::SpawnError;

/// The most bytes of one argument, without the NUL that ends it: Linux has MAX_ARG_STRLEN, which
/// is 32 pages of 4 KiB and counts the NUL, execve(2).
const MAX_ARGUMENT_BYTES: usize = 131_072 - 1;

/// How the shell is called for a command: `SHELL OPTIONS -c COMMAND NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Which shell, where the deployment names none.
    pub shell: Shell,
    /// What stands before `-c`.
    pub options: Vec<OsString>,
    /// What the command has as `$0`, the shell's own path if nothing is said.
    pub name: Option<OsString>,
}

/// The shells that are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shell {
    /// /bin/bash, or else the first `bash`, or else the first `sh` of the search path.
    #[default]
    Bash,
    /// /bin/sh, or else the first `sh`, or else the first `bash` of the search path.
    Sh,
}

impl Shell {
    fn default_path(self) -> &'static Path {
        Path::new(match self {
            Self::Bash => "/bin/bash",
            Self::Sh => "/bin/sh",
        })
    }

    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Bash => ["bash", "sh"],
            Self::Sh => ["sh", "bash"],
        }
    }
}

/// Where shells are looked for, and which file is none, whatever it is called.
#[derive(Clone, Debug)]
pub struct ShellSearch {
    configured: Option<PathBuf>,
    search_path: Option<OsString>,
    program: PathBuf,
}

impl ShellSearch {
    /// The shell that is configured, which nothing replaces, or else one from its usual place, or
    /// else from `search_path`, which has the form of PATH. Directories of that which are
    /// relative are left out, since the command's own directory must not decide which shell it
    /// gets. `program` itself, which may stand there under the name of a shell, is none.
    pub fn new(
        configured: Option<PathBuf>,
        search_path: Option<OsString>,
        program: impl Into<PathBuf>,
    ) -> Self {
        Self {
            configured,
            search_path,
            program: program.into(),
        }
    }

    /// The path of the shell.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn find(&self, shell: Shell) -> Result<PathBuf, SpawnError> {
        self.find_or(shell, shell.default_path())
    }

    fn find_or(&self, shell: Shell, default: &Path) -> Result<PathBuf, SpawnError> {
        if let Some(path) = &self.configured {
            return self.check(path);
        }
        if default.exists() && !self.is_program(default) {
            return Ok(default.to_owned());
        }
        let search_path = self.search_path.as_deref().unwrap_or_default();
        let names = shell.names().into_iter();
        let mut found = names.filter_map(|name| self.on_path(name, search_path));
        found.next().ok_or_else(|| SpawnError::NoShell {
            default: default.to_owned(),
            search_path: search_path.to_string_lossy().into_owned(),
        })
    }

    fn check(&self, path: &Path) -> Result<PathBuf, SpawnError> {
        let path = path.to_owned();
        match std::path::absolute(&path) {
            Ok(absolute) if self.is_program(&absolute) => Err(SpawnError::ShellIsProgram { path }),
            Ok(absolute) if absolute.exists() => Ok(absolute),
            _ => Err(SpawnError::CustomShellNotFound { path }),
        }
    }

    fn on_path(&self, name: &str, search_path: &OsStr) -> Option<PathBuf> {
        std::env::split_paths(search_path)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join(name))
            .find(|path| is_executable(path) && !self.is_program(path))
    }

    /// Whether it is the very file, over whatever links.
    fn is_program(&self, path: &Path) -> bool {
        let file = |path: &Path| path.metadata().map(|file| (file.dev(), file.ino())).ok();
        file(path).is_some_and(|found| file(&self.program) == Some(found))
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// The arguments that make `shell` run `command`.
///
/// A command too long for one argument is passed in parts that the shell joins again. They are
/// its positional parameters, which are unset before the text runs; `$0` is what it would be
/// otherwise. The shell says `eval` in its messages of such a command, and BASH_EXECUTION_STRING
/// is not the command.
pub(crate) fn arguments(shell: &Path, invocation: &Invocation, command: &str) -> Vec<OsString> {
    let mut arguments = invocation.options.clone();
    arguments.push("-c".into());
    if command.len() <= MAX_ARGUMENT_BYTES {
        arguments.push(command.into());
        arguments.extend(invocation.name.clone());
        return arguments;
    }
    let parts = parts(command, MAX_ARGUMENT_BYTES);
    let joined: String = (1..=parts.len())
        .map(|number| format!("${{{number}}}"))
        .collect();
    arguments.push(format!("eval \"set --; {joined}\"").into());
    arguments.push(invocation.name.clone().unwrap_or_else(|| shell.into()));
    arguments.extend(parts.into_iter().map(OsString::from));
    arguments
}

/// Cuts a text into parts of at most `max_bytes`, at characters.
fn parts(text: &str, max_bytes: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(rest.floor_char_boundary(max_bytes));
        parts.push(part);
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests;
