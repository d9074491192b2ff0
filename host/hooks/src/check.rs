#[cfg(test)]
mod tests;

use std::ffi::OsStr;

use spawnhook_model::{Env, Failure, FailureClass};

use crate::text::one_line;

/// Sizes beyond which no command can be started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpawnLimits {
    /// Bytes of the shell text.
    pub(crate) command_bytes: usize,
    /// Bytes of the working directory's path: `PATH_MAX` of Linux.
    pub(crate) cwd_bytes: usize,
    /// Bytes of one variable as `NAME=value` with the NUL behind it: `MAX_ARG_STRLEN` of Linux.
    pub(crate) variable_bytes: usize,
    /// Bytes of the command and all variables together.
    pub(crate) total_bytes: usize,
}

impl Default for SpawnLimits {
    fn default() -> Self {
        Self {
            command_bytes: 1 << 20,
            cwd_bytes: 4096,
            variable_bytes: 131_072,
            // Linux allows a quarter of the stack's limit, which is 8 MiB by default, less what
            // the loader and the names of the shell need.
            total_bytes: (2 << 20) - (64 << 10),
        }
    }
}

impl SpawnLimits {
    /// Checks a shell text that a hook returned.
    pub(crate) fn command(&self, command: &str) -> Result<(), Failure> {
        if command.trim().is_empty() {
            return bad("returned an empty command".to_owned());
        }
        if let Some(position) = command.find('\0') {
            return bad(format!(
                "returned a command with a NUL at byte {position}: \"{}\"",
                one_line(command, 200)
            ));
        }
        if command.len() > self.command_bytes {
            return bad(format!(
                "returned a command of {} bytes; the limit is {}",
                command.len(),
                self.command_bytes
            ));
        }
        Ok(())
    }

    /// Checks a working directory that a hook returned. Whether it exists is the system's matter.
    pub(crate) fn cwd(&self, cwd: &str) -> Result<(), Failure> {
        let problem = if !cwd.starts_with('/') {
            "is not an absolute path".to_owned()
        } else if cwd.contains('\0') {
            "holds a NUL".to_owned()
        } else if cwd.len() > self.cwd_bytes {
            format!("has {} bytes; the limit is {}", cwd.len(), self.cwd_bytes)
        } else {
            return Ok(());
        };
        bad(format!(
            "returned the working directory \"{}\", which {problem}",
            one_line(cwd, 200)
        ))
    }

    /// Checks the variables that a hook set, and then all of them with the command.
    pub(crate) fn env(&self, before: &Env, after: &Env, command: &str) -> Result<(), Failure> {
        let mut before = before.iter().peekable();
        let set = after.iter().filter(|variable| {
            while before.next_if(|(name, _)| *name < variable.0).is_some() {}
            before.peek() != Some(variable)
        });
        for (name, value) in set {
            self.variable(name, value)?;
        }
        let total = command.len() + after.iter().map(|(n, v)| entry_bytes(n, v)).sum::<usize>();
        if total > self.total_bytes {
            return bad(format!(
                "returned a command and an environment of {total} bytes together; the limit is {}",
                self.total_bytes
            ));
        }
        Ok(())
    }

    fn variable(&self, name: &OsStr, value: &OsStr) -> Result<(), Failure> {
        let shown = one_line(&name.to_string_lossy(), 100);
        let bytes = entry_bytes(name, value);
        if value.as_encoded_bytes().contains(&0) {
            bad(format!("set the variable {shown} to a value with a NUL"))
        } else if bytes >= self.variable_bytes {
            bad(format!(
                "set the variable {shown} to {bytes} bytes with its name; the limit is below {}",
                self.variable_bytes
            ))
        } else {
            Ok(())
        }
    }
}

/// The bytes of one variable as a process is started with it: `NAME=value` and a NUL.
fn entry_bytes(name: &OsStr, value: &OsStr) -> usize {
    name.len() + value.len() + 2
}

fn bad<T>(message: String) -> Result<T, Failure> {
    Err(Failure {
        class: FailureClass::BadResult,
        message,
    })
}
