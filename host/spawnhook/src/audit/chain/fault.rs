/// The first thing that is wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number that the line has or should have in the chain, counted from 1 over all files.
    pub line: u64,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// It isn't what it was when the next one was written.
    #[error("it was changed: the line behind it was written after another text")]
    Changed,
    /// It follows the line before and has another number.
    #[error("it was changed: it says that it is record {0}")]
    Renumbered(u64),
    /// Another record stands in its place.
    #[error("records {from} to {to} are missing: they were removed or moved")]
    Missing {
        /// The first.
        from: u64,
        /// The last.
        to: u64,
    },
    /// Lines stand between two records that follow each other.
    #[error("it was inserted, with what follows up to line {to}")]
    Inserted {
        /// The last line that doesn't belong there.
        to: u64,
    },
    /// A record of before stands there.
    #[error("it was moved or copied here: it is record {0}")]
    Moved(u64),
    /// It is no record, and no beginning of one.
    #[error("it was changed or inserted: it is no record")]
    NoRecord,
    /// It is not the one that the head is of.
    #[error(
        "it is not the one of the head: it was changed, or the log was written anew from here or \
         from before"
    )]
    NotTheHead,
    /// The log ends before its head.
    #[error("the log ends before it, and its head is record {head}: the end was cut off")]
    Cut {
        /// The number of the record that should be there.
        head: u64,
    },
}

impl Problem {
    /// One word for it: `changed`, `missing`, `inserted`, `moved`, `no-record`, `not-the-head`, `cut`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Changed | Self::Renumbered(_) => "changed",
            Self::Missing { .. } => "missing",
            Self::Inserted { .. } => "inserted",
            Self::Moved(_) => "moved",
            Self::NoRecord => "no-record",
            Self::NotTheHead => "not-the-head",
            Self::Cut { .. } => "cut",
        }
    }
}
