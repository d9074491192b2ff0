//! Reading and changing the variables of a command.

use crate::SpawnContext;

impl SpawnContext {
    /// The value of a variable that this hook sees; none if it is unset or hidden.
    #[must_use]
    pub fn env(&self, name: &str) -> Option<&str> {
        self.position(name)
            .ok()
            .map(|index| self.env[index].1.as_str())
    }

    /// Sets a variable, seen or not. The deployment grants it with `set_env`.
    pub fn set_env(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.position(&name) {
            Ok(index) => self.env[index].1 = value,
            Err(index) => self.env.insert(index, (name, value)),
        }
    }

    /// Unsets a variable that this hook sees and returns its value. One that it doesn't see stays
    /// as it is. The deployment grants it with `see_env` and `unset_env`.
    pub fn unset_env(&mut self, name: &str) -> Option<String> {
        self.position(name)
            .ok()
            .map(|index| self.env.remove(index).1)
    }

    /// Where a variable is, or where it belongs: the host hands and expects the names sorted.
    fn position(&self, name: &str) -> Result<usize, usize> {
        self.env
            .binary_search_by(|(other, _)| other.as_str().cmp(name))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn context(env: &[(&str, &str)]) -> SpawnContext {
        let own = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        SpawnContext {
            command: "true".to_owned(),
            cwd: "/".to_owned(),
            env: env.iter().map(own).collect(),
        }
    }

    #[test]
    fn a_variable_that_is_not_there_is_none_and_unsetting_it_changes_nothing() {
        let mut spawn = context(&[("HOME", "/home")]);
        assert_eq!(spawn.env("USER"), None);
        assert_eq!(spawn.unset_env("USER"), None);
        assert_eq!(spawn, context(&[("HOME", "/home")]));
    }

    proptest! {
        #[test]
        fn setting_and_unsetting_agrees_with_a_sorted_map(
            steps in prop::collection::vec(("[A-C]{1,2}", prop::option::of("[a-z]{0,3}")), 0..40)
        ) {
            let mut spawn = context(&[]);
            let mut model = BTreeMap::new();
            for (name, value) in steps {
                match value {
                    Some(value) => {
                        spawn.set_env(name.clone(), value.clone());
                        model.insert(name, value);
                    }
                    None => prop_assert_eq!(spawn.unset_env(&name), model.remove(&name)),
                }
            }
            for (name, value) in &model {
                prop_assert_eq!(spawn.env(name), Some(value.as_str()));
            }
            prop_assert_eq!(spawn.env, model.into_iter().collect::<Vec<_>>());
        }
    }
}
