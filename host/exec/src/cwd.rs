use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use crate::output::visible_path;
use crate::sys;

/// A working directory that was opened once. What was checked is the open directory and not a
/// path, and a command enters that very directory, so nothing can be swapped in between.
#[derive(Debug)]
pub struct Cwd {
    path: PathBuf,
    directory: OwnedFd,
}

/// Why a path is no working directory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CwdError {
    /// Not an absolute path.
    #[error(
        "Working directory is not an absolute path: {}\nCannot execute bash commands.",
        visible_path(path)
    )]
    Relative {
        /// The path as it was given.
        path: PathBuf,
    },
    /// Nothing is there.
    #[error(
        "Working directory does not exist: {}\nCannot execute bash commands.",
        visible_path(path)
    )]
    Missing {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It, or something on the way to it, is not a directory.
    #[error(
        "Working directory is not a directory: {}\nCannot execute bash commands.",
        visible_path(path)
    )]
    NotADirectory {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It may not be entered.
    #[error(
        "Working directory cannot be entered, permission denied: {}\nCannot execute bash commands.",
        visible_path(path)
    )]
    NoPermission {
        /// The path as it was given.
        path: PathBuf,
    },
    /// It is not where commands are confined to.
    #[error(
        "Working directory is outside the workspace {}: {} leads to {}\nCannot execute bash commands.",
        visible_path(workspace),
        visible_path(path),
        visible_path(real)
    )]
    OutsideWorkspace {
        /// The path as it was given.
        path: PathBuf,
        /// Where it leads to.
        real: PathBuf,
        /// The root of the workspace, without symbolic links.
        workspace: PathBuf,
    },
    /// The workspace itself cannot be found.
    #[error("the workspace {} cannot be resolved", visible_path(workspace))]
    Workspace {
        /// The root as it was given.
        workspace: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Anything else. The reason is part of the first line, since the second ends the message.
    #[error(
        "Working directory cannot be opened: {}: {reason}\nCannot execute bash commands.",
        visible_path(path)
    )]
    Other {
        /// The path as it was given.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
}

impl Cwd {
    /// Opens a directory, and checks that it can be entered and, if confined, that it lies in (or
    /// is) the directory `confine_to`, symbolic links resolved on both sides.
    ///
    /// # Errors
    ///
    /// If the path is relative, or does not lead to such a directory.
    pub fn open(path: &Path, confine_to: Option<&Path>) -> Result<Self, CwdError> {
        let path = path.to_owned();
        if path.is_relative() {
            return Err(CwdError::Relative { path });
        }
        match sys::directory::open(&path) {
            Ok(directory) => Self { path, directory }.confined(confine_to),
            Err(source) => Err(CwdError::from_system(path, source)),
        }
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A second handle to the same open directory.
    ///
    /// # Errors
    ///
    /// If this process has as many open files as it may have.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(Self {
            path: self.path.clone(),
            directory: self.directory.try_clone()?,
        })
    }

    fn confined(self, workspace: Option<&Path>) -> Result<Self, CwdError> {
        let Some(workspace) = workspace else {
            return Ok(self);
        };
        let workspace = fs::canonicalize(workspace).map_err(|source| CwdError::Workspace {
            workspace: workspace.to_owned(),
            source,
        })?;
        let link = format!("/proc/self/fd/{}", self.directory.as_raw_fd());
        match fs::read_link(link) {
            Ok(real) if real.starts_with(&workspace) => Ok(self),
            Ok(real) => Err(CwdError::OutsideWorkspace {
                path: self.path,
                real,
                workspace,
            }),
            Err(source) => Err(CwdError::from_system(self.path, source)),
        }
    }
}

impl AsFd for Cwd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.directory.as_fd()
    }
}

impl CwdError {
    fn from_system(path: PathBuf, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            io::ErrorKind::NotADirectory => Self::NotADirectory { path },
            io::ErrorKind::PermissionDenied => Self::NoPermission { path },
            _ => Self::Other {
                path,
                reason: source,
            },
        }
    }
}

#[cfg(test)]
mod tests;
