use std::fmt;

/// The way from the root of a document to one of its values.
///
/// Displays the names on it joined by dots. Positions in arrays are left out: whoever shows a key
/// shows a line as well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Key(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Name(String),
    Position(usize),
}

impl Key {
    pub(super) fn steps(&self) -> &[Step] {
        &self.0
    }

    /// The key of the entry `name` of the table here.
    pub(super) fn entry(&self, name: &str) -> Self {
        self.then(Step::Name(name.to_owned()))
    }

    /// The key of an element of the array here, counted from 0.
    pub(super) fn element(&self, position: usize) -> Self {
        self.then(Step::Position(position))
    }

    fn then(&self, step: Step) -> Self {
        Self(self.0.iter().cloned().chain([step]).collect())
    }
}

impl From<&str> for Key {
    /// Takes names that are joined by dots.
    fn from(names: &str) -> Self {
        Self(
            names
                .split('.')
                .map(|name| Step::Name(name.to_owned()))
                .collect(),
        )
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().filter_map(|step| match step {
            Step::Name(name) => Some(name.as_str()),
            Step::Position(_) => None,
        });
        for (index, name) in names.enumerate() {
            let dot = if index == 0 { "" } else { "." };
            write!(f, "{dot}{name}")?;
        }
        Ok(())
    }
}
