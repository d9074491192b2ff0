//! What can't be told from a text.

use std::fmt;

/// A construct of a text that may run something which does not stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecidable {
    /// What it is.
    pub construct: Construct,
    /// The text of it, cut short if it is long.
    pub text: String,
    /// The index of the part that it belongs to, if to one.
    pub part: Option<usize>,
}

/// Why something can't be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Construct {
    /// The text is longer than it may be, or the texts inside it are when added up.
    Size,
    /// The text is nested more deeply than it may be.
    Depth,
    /// The text is not understood.
    Syntax,
    /// Shells read it differently.
    Dialect,
    /// The program is known only at run time.
    Program,
    /// The text that a shell is to run is known only at run time.
    Text,
    /// A shell reads its commands from its input.
    Input,
    /// A file is run by the shell itself.
    Source,
    /// A variable that decides how programs are found or what else runs.
    Variable,
    /// A name gets another meaning: an alias, a hashed path, a loaded builtin.
    Meaning,
    /// Arithmetic on text that may hold a substitution, which arithmetic runs.
    Arithmetic,
    /// An argument of a program that may make it run a command: in a language of its own, or known
    /// only at run time.
    Argument,
    /// An option that is unknown, so that it can't be told where the command starts.
    Option,
}

impl Construct {
    /// What it is, for a person: a noun without an article's context, such as
    /// `a program known only at run time`.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Size => "too long a text",
            Self::Depth => "too deep a nesting",
            Self::Syntax => "syntax that is not understood",
            Self::Dialect => "syntax that shells read differently",
            Self::Program => "a program known only at run time",
            Self::Text => "shell text known only at run time",
            Self::Input => "a shell that reads its commands from its input",
            Self::Source => "a file that the shell itself runs",
            Self::Variable => "a variable that decides what runs",
            Self::Meaning => "a name that gets another meaning",
            Self::Arithmetic => "arithmetic that may run a substitution",
            Self::Argument => "an argument that may make it run a command",
            Self::Option => "an option that is not known",
        }
    }
}

impl fmt::Display for Undecidable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.construct.describe(), self.text)
    }
}

/// How many bytes of a text are quoted.
const QUOTED_BYTES: usize = 120;

/// The head of `text`, whole characters, with an ellipsis if it was cut.
pub(crate) fn excerpt(text: &str) -> String {
    let text = text.trim();
    if text.len() <= QUOTED_BYTES {
        return text.to_owned();
    }
    let mut end = QUOTED_BYTES;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}
