//! Which variables of the host a command gets.
//!
//! Pure: the host's environment comes in as a value, the command's goes out as one. The order is
//! `inherit`, then `exclude`, then `set`, then the session variables; what a request adds itself
//! comes after all of it.

mod names;
mod overlap;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;

use spawnhook_model::{Env, Session};
use wildmatch::WildMatch;

pub use names::{CORE, EXCLUDE};
pub(crate) use overlap::overlap;

/// The word that stands for [`CORE`] in a config, alone or among globs.
pub const CORE_WORD: &str = "core";

/// The deployment's policy on the environment.
#[derive(Clone, PartialEq, Eq)]
pub struct EnvPolicy {
    /// Which variables of the host are passed on.
    pub inherit: Inherit,
    /// Globs of names that are never inherited, in any case. They beat [`Self::inherit`] and do
    /// not concern [`Self::set`].
    pub exclude: Vec<String>,
    /// Names and values that every command gets, sorted by name.
    pub set: Vec<(String, String)>,
}

impl Default for EnvPolicy {
    /// Inherits the core without what looks like a credential, and sets nothing.
    fn default() -> Self {
        Self {
            inherit: Inherit::Core,
            exclude: EXCLUDE.iter().map(|&glob| glob.to_owned()).collect(),
            set: Vec::new(),
        }
    }
}

impl fmt::Debug for EnvPolicy {
    /// Without the values, which may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.set.iter().map(|(name, _)| name).collect();
        f.debug_struct("EnvPolicy")
            .field("inherit", &self.inherit)
            .field("exclude", &self.exclude)
            .field("set", &names)
            .finish()
    }
}

/// Which variables of the host are passed on, before the exclusions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inherit {
    /// Those of [`CORE`].
    Core,
    /// All, even those whose names are not UTF-8.
    All,
    /// Those that one of these globs matches, in the case as written; [`CORE_WORD`] among them
    /// stands for all of [`CORE`].
    Globs(Vec<String>),
}

/// The environment that comes of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inherited {
    /// What the command gets.
    pub env: Env,
    /// The names of the host's variables that the command does not get, sorted; what is not UTF-8
    /// in them is replaced.
    pub removed: Vec<String>,
}

/// Applies `policy` to the environment of the host.
pub fn inherit(policy: &EnvPolicy, host: &Env) -> Inherited {
    let inherited = Names::inherited(&policy.inherit);
    let excluded = Names::excluded(&policy.exclude);
    let mut env: Env = host
        .iter()
        .filter(|(name, _)| inherited.contain(name) && !excluded.contain(name))
        .collect();
    for (name, value) in &policy.set {
        env.set(name, value);
    }
    let removed = removed(host, &env);
    Inherited { env, removed }
}

/// The names of the host's variables that `env` does not have, sorted; what is not UTF-8 in them is
/// replaced.
pub(crate) fn removed(host: &Env, env: &Env) -> Vec<String> {
    let names = host.names().filter(|name| env.get(name).is_none());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

/// A set of names, given by globs.
enum Names<'a> {
    All,
    /// Names that are not UTF-8 are never in it.
    Exactly {
        /// The globs without a wildcard, which most are.
        names: HashSet<&'a str>,
        globs: Vec<WildMatch>,
    },
    /// What is not UTF-8 in a name is replaced before it is compared.
    Resembling(Vec<WildMatch>),
}

impl<'a> Names<'a> {
    fn inherited(inherit: &'a Inherit) -> Self {
        match inherit {
            Inherit::All => Self::All,
            Inherit::Core => Self::exactly(CORE.iter().copied()),
            Inherit::Globs(globs) => {
                Self::exactly(globs.iter().flat_map(|glob| match glob.as_str() {
                    CORE_WORD => CORE.to_vec(),
                    glob => vec![glob],
                }))
            }
        }
    }

    fn exactly(globs: impl Iterator<Item = &'a str>) -> Self {
        let (globs, names): (Vec<_>, Vec<_>) = globs.partition(|glob| glob.contains(['*', '?']));
        Self::Exactly {
            names: names.into_iter().collect(),
            globs: globs.into_iter().map(WildMatch::new).collect(),
        }
    }

    fn excluded(globs: &[String]) -> Self {
        Self::Resembling(
            globs
                .iter()
                .map(|glob| WildMatch::new_case_insensitive(glob))
                .collect(),
        )
    }

    fn contain(&self, name: &OsStr) -> bool {
        match self {
            Self::All => true,
            Self::Exactly { names, globs } => name.to_str().is_some_and(|name| {
                names.contains(name) || globs.iter().any(|glob| glob.matches(name))
            }),
            Self::Resembling(globs) => {
                let name = name.to_string_lossy();
                globs.iter().any(|glob| glob.matches(&name))
            }
        }
    }
}

/// How a command learns which agent session it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionVariables {
    /// Whether commands get the variables. Copies that the host inherited go in any case.
    pub expose: bool,
    /// What the names start with.
    pub prefix: String,
}

impl Default for SessionVariables {
    /// Exposed as `PI_…`, the names of the bash tool that this contract comes from.
    fn default() -> Self {
        Self {
            expose: true,
            prefix: "PI_".to_owned(),
        }
    }
}

impl SessionVariables {
    /// The name of the variable for a fact of [`Session::FACTS`]: `SESSION_ID`, `SESSION_FILE`,
    /// `PROVIDER`, `MODEL` or `REASONING_LEVEL` after the prefix.
    fn name(&self, fact: &str) -> String {
        let suffix = match fact {
            "id" => "SESSION_ID".to_owned(),
            "file" => "SESSION_FILE".to_owned(),
            fact => fact.to_ascii_uppercase().replace('-', "_"),
        };
        format!("{}{suffix}", self.prefix)
    }

    /// The facts of the session that a process with this environment belongs to.
    pub fn session(&self, environment: &Env) -> Session {
        let mut session = Session::default();
        for name in Session::FACTS {
            let value = environment.get(self.name(name));
            let fact = session.fact_mut(name);
            *fact.expect("invariant: every fact has a place") =
                value.and_then(OsStr::to_str).map(str::to_owned);
        }
        session
    }
}

/// Removes the session variables that `env` inherited, and sets those that are known if the
/// deployment exposes them.
pub fn session_variables(config: &SessionVariables, session: &Session, env: &mut Env) {
    for fact in Session::FACTS {
        let name = config.name(fact);
        match session.fact(fact) {
            Some(value) if config.expose => env.set(name, value),
            _ => env.unset(name),
        };
    }
}
