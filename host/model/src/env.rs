use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// The environment of a command: names and values as the system has them, any bytes but NUL,
/// sorted by name, no name twice.
///
/// A clone shares the texts: each hook of a chain leaves one behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Env(BTreeMap<Arc<OsStr>, Arc<OsStr>>);

impl Env {
    /// An environment without variables.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of `name`, if it is set.
    pub fn get(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.0.get(name.as_ref()).map(AsRef::as_ref)
    }

    /// Sets `name`, and returns the value that it had.
    pub fn set(
        &mut self,
        name: impl Into<OsString>,
        value: impl Into<OsString>,
    ) -> Option<OsString> {
        let (name, value) = (name.into().into(), value.into().into());
        self.0.insert(name, value).map(|value| (*value).to_owned())
    }

    /// Unsets `name`, and returns the value that it had.
    pub fn unset(&mut self, name: impl AsRef<OsStr>) -> Option<OsString> {
        let value = self.0.remove(name.as_ref());
        value.map(|value| (*value).to_owned())
    }

    /// The variables in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_ref(), value.as_ref()))
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &OsStr> {
        self.0.keys().map(AsRef::as_ref)
    }

    /// How many variables are set.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no variable is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: Into<OsString>, V: Into<OsString>> FromIterator<(N, V)> for Env {
    /// Of a name that comes twice the last value stays.
    fn from_iter<I: IntoIterator<Item = (N, V)>>(variables: I) -> Self {
        Self(
            variables
                .into_iter()
                .map(|(name, value)| (name.into().into(), value.into().into()))
                .collect(),
        )
    }
}

/// Whether `name` is one that a shell can use: `[A-Za-z_][A-Za-z0-9_]*`, the form that POSIX
/// gives to names.
pub fn valid_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_shell() {
        for name in ["A", "_", "a1_B"] {
            assert!(valid_name(name), "{name}");
        }
        for name in ["", "1A", "A-B", "A=B", "Ä", "A B", "BASH_FUNC_ls%%"] {
            assert!(!valid_name(name), "{name}");
        }
    }

    #[test]
    fn the_last_value_of_a_name_stays() {
        let env: Env = [("B", "1"), ("A", "2"), ("B", "3")].into_iter().collect();
        let variables: Vec<_> = env.iter().collect();
        assert_eq!(
            variables,
            [
                (OsStr::new("A"), OsStr::new("2")),
                (OsStr::new("B"), OsStr::new("3"))
            ]
        );
    }
}
