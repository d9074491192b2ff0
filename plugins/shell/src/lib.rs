//! Finds the commands that a shell text would run, without running it.
//!
//! ```
//! use spawnhook_shell::{Dialect, analyze};
//!
//! let analysis = analyze("git status && env A=1 sh -c 'ls > out'", Dialect::Bash);
//! let programs: Vec<_> = analysis.parts.iter().filter_map(|part| part.program()?.literal()).collect();
//! assert_eq!(programs, ["git", "env", "sh", "ls"]);
//! assert!(analysis.undecidable.is_empty());
//! ```
//!
//! What a text runs can't always be told from the text. Whatever might hide a command is named in
//! [`Analysis::undecidable`]: an error of syntax, a program that a variable holds, a construct that
//! different shells read differently. A text without anything undecidable runs no program but
//! those of [`Analysis::parts`]; what these programs run in turn is theirs to say.
//!
//! The time is linear in the text for each level of nesting, and both are bounded.

mod builtins;
mod dollar_single;
mod parser;
mod part;
mod sink;
mod undecidable;
mod variables;
mod word;
mod wrappers;

pub use part::{Assignment, Operator, Part, Redirection, Role, Step, Words};
pub use undecidable::{Construct, Undecidable};
pub use variables::controls_the_shell;
pub use word::{Piece, Word};
pub use wrappers::{SYSTEM_FOLDERS, program_name};

use crate::{parser::Parser, sink::Sink};

/// How many bytes a text may have to be read at all.
pub const MAX_BYTES: usize = 64 * 1024;

/// How many levels deep a text may be: lists in lists, expansions in expansions, commands behind
/// wrappers, texts in texts.
pub const MAX_DEPTH: usize = 100;

/// How many commands a text may have: each costs, and a script has one in ten bytes at most.
pub const MAX_PARTS: usize = 8192;

/// Which shell reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// bash.
    Bash,
    /// Any shell of the family, as `sh` may be. What is not common to all of them is undecidable.
    Common,
}

/// What a text would run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// The commands, each before those inside it. They are complete only if nothing is
    /// undecidable.
    pub parts: Vec<Part>,
    /// What can't be told from the text.
    pub undecidable: Vec<Undecidable>,
}

/// The commands that `text` would run.
#[must_use]
pub fn analyze(text: &str, dialect: Dialect) -> Analysis {
    let mut sink = Sink::default();
    Parser::top(text, dialect, &mut sink).run();
    sink.finish()
}
