use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::SpawnError;

/// Where bash is looked for first.
pub(crate) const DEFAULT_SHELL: &str = "/bin/bash";

/// The most bytes of one argument, without the NUL that ends it: Linux has MAX_ARG_STRLEN, which
/// is 32 pages of 4 KiB and counts the NUL, execve(2).
const MAX_ARGUMENT_BYTES: usize = 131_072 - 1;

/// The shell that is configured, which nothing replaces, or else the default one, or else bash
/// and then sh on the search path. Directories of the search path that are relative are left out,
/// since the command's own directory must not decide which shell it gets.
pub(crate) fn find(
    configured: Option<&Path>,
    default: &Path,
    search_path: Option<&OsStr>,
) -> Result<PathBuf, SpawnError> {
    if let Some(path) = configured {
        return match std::path::absolute(path) {
            Ok(absolute) if absolute.exists() => Ok(absolute),
            _ => Err(SpawnError::CustomShellNotFound {
                path: path.to_owned(),
            }),
        };
    }
    if default.exists() {
        return Ok(default.to_owned());
    }
    let search_path = search_path.unwrap_or_default();
    ["bash", "sh"]
        .into_iter()
        .find_map(|name| on_path(name, search_path))
        .ok_or_else(|| SpawnError::NoShell {
            default: default.to_owned(),
            search_path: search_path.to_string_lossy().into_owned(),
        })
}

fn on_path(name: &str, search_path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search_path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name))
        .find(|path| is_executable(path))
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
pub(crate) fn arguments(shell: &Path, command: &str) -> Vec<OsString> {
    if command.len() <= MAX_ARGUMENT_BYTES {
        return vec!["-c".into(), command.into()];
    }
    let parts = parts(command, MAX_ARGUMENT_BYTES);
    let joined: String = (1..=parts.len())
        .map(|number| format!("${{{number}}}"))
        .collect();
    let mut arguments = vec!["-c".into(), format!("eval \"set --; {joined}\"").into()];
    arguments.push(shell.into());
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
