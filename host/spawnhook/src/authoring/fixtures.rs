//! Fixtures: commands that a hook is called with, and what it has to make of them, in a file
//! beside the hook.

mod check;
mod expect;
mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use spawnhook_model::Env;

use super::{Input, Invariants, Setup};
use crate::config::Component;

pub use self::check::{Fault, Tested};
pub use self::expect::{Change, Expect};

/// The name of the file.
pub const FILE_NAME: &str = "hook-tests.toml";

/// The directory of a command that a fixture does not place.
const CWD: &str = "/project";

/// One file of fixtures.
#[derive(Clone, Debug)]
pub struct Fixtures {
    /// The file.
    pub path: PathBuf,
    /// What is tested.
    pub setup: Setup,
    /// What the author wants to hold besides.
    pub invariants: Invariants,
    /// Settings that made-up cases are tried with: those above, those of tests, and more.
    pub settings: Vec<Value>,
    /// The tests.
    pub tests: Vec<Fixture>,
}

/// One command, and what is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixture {
    /// Names it in reports.
    pub name: String,
    /// The shell text.
    pub command: String,
    /// The directory; `/project` if nothing is said.
    pub cwd: PathBuf,
    /// The whole environment.
    pub env: BTreeMap<String, String>,
    /// In the place of the settings of the file.
    pub settings: Option<Value>,
    /// What the hook has to make of it.
    pub expect: Expect,
}

/// Why there are no fixtures, or no more of them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixturesError {
    /// The file cannot be read.
    #[error("cannot read {}; a file of fixtures is {FILE_NAME}, and `spawnhook plugin new` writes one", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is not one of fixtures.
    #[error("{}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// The file cannot be added to.
    #[error("cannot add a fixture to {}", path.display())]
    Append {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

impl Fixtures {
    /// Reads a file. Paths in it are relative to its folder.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not what is described here.
    pub fn read(path: &Path) -> Result<Self, FixturesError> {
        let text = fs::read_to_string(path).map_err(|source| FixturesError::Read {
            path: path.to_owned(),
            source,
        })?;
        let file: file::File = toml::from_str(&text).map_err(|error| FixturesError::Invalid {
            path: path.to_owned(),
            problem: error.to_string(),
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let fixtures = file.into_fixtures(path, folder);
        fixtures.map_err(|problem| FixturesError::Invalid {
            path: path.to_owned(),
            problem,
        })
    }

    /// Adds a fixture at the end of the file. What stands there stays as it is.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn append(&mut self, fixture: Fixture) -> Result<(), FixturesError> {
        let text = file::text(&fixture);
        let appended = OpenOptions::new()
            .append(true)
            .open(&self.path)
            .and_then(|mut file| file.write_all(text.as_bytes()));
        appended.map_err(|source| FixturesError::Append {
            path: self.path.clone(),
            source,
        })?;
        self.tests.push(fixture);
        Ok(())
    }

    /// A name that no test has yet: `stem`, or `stem` with a number.
    pub fn free_name(&self, stem: &str) -> String {
        let taken = |name: &str| self.tests.iter().any(|test| test.name == name);
        let numbered = (2..).map(|number| format!("{stem} {number}"));
        let mut names = std::iter::once(stem.to_owned()).chain(numbered);
        names
            .find(|name| !taken(name))
            .expect("invariant: numbers do not end")
    }
}

impl Fixture {
    /// What the hook is called with.
    pub fn input(&self) -> Input {
        let env = self.env.iter().collect::<Vec<_>>();
        let env: Env = env.into_iter().collect();
        Input::new(self.command.clone(), self.cwd.clone(), env)
    }
}

/// A component as such a file has it: `builtin:NAME`, or a path.
fn component(written: &str, folder: &Path) -> Component {
    match written.strip_prefix("builtin:") {
        Some(name) => Component::Builtin(name.to_owned()),
        None => Component::File(folder.join(written)),
    }
}
