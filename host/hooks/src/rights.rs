mod dangerous;
#[cfg(test)]
mod tests;

use spawnhook_model::{Env, Failure, FailureClass, Stage, valid_name};
use wildmatch::WildMatch;

use crate::Rights;
use crate::text::one_line;

pub(crate) use self::dangerous::is_dangerous;

/// The variables that a hook is shown: names and values, sorted by name, no name twice.
pub(crate) type Shown<'a> = Vec<(&'a str, &'a str)>;

/// The variables that a hook returns: names and values.
pub(crate) type Variables = Vec<(String, String)>;

/// Rights that were checked, ready to be applied.
#[derive(Clone, Debug)]
pub(crate) struct Grants {
    see: Names,
    set: Names,
    unset: Names,
    pub(crate) command: bool,
    pub(crate) cwd: bool,
}

impl Grants {
    /// Checks rights against the stage that they are for.
    ///
    /// # Errors
    ///
    /// All problems: globs that can match no name, and rights that the stage cannot use.
    pub(crate) fn new(rights: &Rights, stage: Stage) -> Result<Self, Vec<String>> {
        let mut problems = unusable(rights, stage);
        let lists = [
            ("see_env", &rights.see_env),
            ("set_env", &rights.set_env),
            ("unset_env", &rights.unset_env),
        ];
        for (list, globs) in lists {
            problems.extend(globs.iter().filter_map(|glob| malformed(list, glob)));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Self {
            see: Names::new(&rights.see_env),
            set: Names::new(&rights.set_env),
            unset: Names::new(&rights.unset_env),
            command: rights.command,
            cwd: rights.cwd,
        })
    }

    /// What of an environment a hook sees, sorted by name. Names and values that are not UTF-8
    /// have no form in the interface.
    pub(crate) fn shown<'a>(&self, env: &'a Env) -> Shown<'a> {
        env.iter()
            .filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)))
            .filter(|(name, _)| self.see.matches(name))
            .collect()
    }

    /// The environment after a hook that was `shown` a part of it has `returned` another.
    ///
    /// What was not shown stays. A shown name that is missing is unset, an unshown or changed one
    /// is set.
    ///
    /// # Errors
    ///
    /// If a name comes twice or is none, or if a right is missing.
    pub(crate) fn merge(
        &self,
        env: &Env,
        shown: &Shown<'_>,
        returned: &Variables,
    ) -> Result<Env, Failure> {
        let mut merged = env.clone();
        let mut kept = vec![false; shown.len()];
        let mut sorted: Vec<&(String, String)> = returned.iter().collect();
        sorted.sort_by_key(|(name, _)| name);
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(twice(&pair[0].0));
        }
        for (name, value) in returned {
            if let Ok(index) = shown.binary_search_by_key(&name.as_str(), |(name, _)| name) {
                kept[index] = true;
                if shown[index].1 == value {
                    continue;
                }
            }
            self.may_set(name)?;
            merged.set(name.as_str(), value.as_str());
        }
        let left = shown.iter().zip(kept).filter(|(_, kept)| !kept);
        for ((name, _), _) in left {
            if !self.unset.grants(name) {
                return Err(overstepped("unset", name, "unset_env"));
            }
            merged.unset(name);
        }
        Ok(merged)
    }

    fn may_set(&self, name: &str) -> Result<(), Failure> {
        if !valid_name(name) {
            Err(Failure {
                class: FailureClass::BadResult,
                message: format!(
                    "set a variable named \"{}\": a name is letters, digits and _, and starts \
                     with no digit",
                    one_line(name, 100)
                ),
            })
        } else if self.set.grants(name) {
            Ok(())
        } else {
            Err(overstepped("set", name, "set_env"))
        }
    }
}

/// A list of names and globs.
#[derive(Clone, Debug)]
struct Names {
    globs: Vec<WildMatch>,
    exact: Vec<String>,
}

impl Names {
    fn new(entries: &[String]) -> Self {
        let (globs, exact) = entries
            .iter()
            .cloned()
            .partition::<Vec<_>, _>(|entry| is_glob(entry));
        Self {
            globs: globs.iter().map(|glob| WildMatch::new(glob)).collect(),
            exact,
        }
    }

    fn matches(&self, name: &str) -> bool {
        self.exact.iter().any(|exact| exact == name)
            || self.globs.iter().any(|glob| glob.matches(name))
    }

    /// As [`Self::matches`], but a glob never covers a dangerous name.
    fn grants(&self, name: &str) -> bool {
        self.exact.iter().any(|exact| exact == name) || !is_dangerous(name) && self.matches(name)
    }
}

fn is_glob(entry: &str) -> bool {
    entry.contains(['*', '?'])
}

fn malformed(list: &str, glob: &str) -> Option<String> {
    let problem = if glob.is_empty() {
        "is empty"
    } else if glob.contains(['=', '\0']) {
        "holds = or NUL, which no name does"
    } else {
        return None;
    };
    Some(format!(
        "{list}: \"{}\" {problem}; use a name, or a glob with * and ?",
        one_line(glob, 100)
    ))
}

fn unusable(rights: &Rights, stage: Stage) -> Vec<String> {
    if stage == Stage::Rewrite {
        return Vec::new();
    }
    let asked = [
        ("set_env", !rights.set_env.is_empty()),
        ("unset_env", !rights.unset_env.is_empty()),
        ("command", rights.command),
        ("cwd", rights.cwd),
    ];
    asked
        .into_iter()
        .filter(|(_, asked)| *asked)
        .map(|(right, _)| {
            format!("{right}: a hook of stage {stage} changes nothing; only stage rewrite may")
        })
        .collect()
}

fn twice(name: &str) -> Failure {
    Failure {
        class: FailureClass::BadResult,
        message: format!("returned the variable {} twice", one_line(name, 100)),
    }
}

fn overstepped(verb: &str, name: &str, right: &str) -> Failure {
    let name = one_line(name, 100);
    let exactly = if is_dangerous(&name) {
        " by its exact name, since it can change what a shell or a loader runs"
    } else {
        ""
    };
    Failure {
        class: FailureClass::Overstepped,
        message: format!(
            "{verb} the variable {name}, which its rights do not cover; grant it in \
             may.{right}{exactly}"
        ),
    }
}
