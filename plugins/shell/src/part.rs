//! One command that a text would run.

use std::{ops::Range, rc::Rc};

use crate::Word;

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The index of the command that this one is inside of: as a substitution in one of its words,
    /// or as what it runs.
    pub parent: Option<usize>,
    /// The way from the top of the text to it; empty for a command at the top.
    pub place: Vec<Step>,
    /// What it is to the shell.
    pub role: Role,
    /// The program and its arguments.
    pub words: Words,
    /// The assignments before the program, or those that a wrapper makes.
    pub assignments: Vec<Assignment>,
    /// The redirections, in their order.
    pub redirections: Vec<Redirection>,
    /// How it stands in the text, cut short if it is long.
    pub text: String,
}

impl Part {
    /// The program; none for assignments and redirections alone.
    #[must_use]
    pub fn program(&self) -> Option<&Word> {
        self.words.as_slice().first()
    }

    /// The arguments as far as they stand in the text.
    #[must_use]
    pub fn arguments(&self) -> &[Word] {
        self.words.as_slice().get(1..).unwrap_or_default()
    }
}

/// What a command is to the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A program, or a builtin that does more than change the shell.
    Program,
    /// A builtin that starts nothing and changes nothing but the shell: `cd`, `echo`, `test`.
    Builtin,
    /// A call of a function that the text defines for certain; its body is in the parts.
    Function,
    /// A program that does nothing of its own but run the parts inside it: `env`, `nohup`, `sh -c`.
    Wrapper,
    /// No program at all: assignments, or the redirections of a compound command.
    Bare,
}

/// One step on the way to a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Behind `&&` or `||`.
    AndOr,
    /// In a pipeline of several commands.
    Pipeline,
    /// In `( … )`.
    Subshell,
    /// In `$( … )` or backquotes.
    Substitution,
    /// In the text that `${name:-…}` and its kin may use.
    Alternative,
    /// In `<( … )` or `>( … )`.
    ProcessSubstitution,
    /// In the body of a function.
    Function,
    /// In the condition of `if`, `while` or `until`.
    Condition,
    /// In a branch of `if` or `case`.
    Branch,
    /// In the body of a loop.
    Loop,
    /// In `coproc`.
    Coprocess,
    /// In the input of a shell.
    HereDocument,
    /// In a text that a shell, `eval` or a program of another host runs.
    Text,
    /// In a text that `trap` keeps for later.
    Trap,
    /// In the value of a variable that programs run.
    Variable,
    /// Run by the program before it: `env`, `xargs`.
    Wrapped,
}

impl Step {
    /// A word or two for it.
    #[must_use]
    pub const fn describe(&self) -> &'static str {
        match self {
            Self::AndOr => "and-or",
            Self::Pipeline => "pipeline",
            Self::Subshell => "subshell",
            Self::Substitution => "substitution",
            Self::Alternative => "alternative",
            Self::ProcessSubstitution => "process substitution",
            Self::Function => "function",
            Self::Condition => "condition",
            Self::Branch => "branch",
            Self::Loop => "loop",
            Self::Coprocess => "coprocess",
            Self::HereDocument => "here-document",
            Self::Text => "text",
            Self::Trap => "trap",
            Self::Variable => "variable",
            Self::Wrapped => "wrapped",
        }
    }
}

/// A variable gets a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable's name, without a subscript.
    pub name: String,
    /// The value; unknown for an array.
    pub value: Word,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirection {
    /// What it does.
    pub operator: Operator,
    /// The descriptor that stands before the operator.
    pub descriptor: Option<String>,
    /// The file, the descriptor behind `>&`, or the text of a here-document.
    pub target: Word,
}

/// What a redirection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `<`.
    Read,
    /// `>`, `>|`, `&>`.
    Write,
    /// `>>`, `&>>`.
    Append,
    /// `<>`.
    ReadWrite,
    /// `<&`, or `>&` with a descriptor.
    Duplicate,
    /// `<<` or `<<-`.
    HereDocument,
    /// `<<<`.
    HereString,
}

impl Operator {
    /// Whether the target is a file that is written.
    #[must_use]
    pub const fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Append | Self::ReadWrite)
    }
}

/// Words of a command, shared with the commands that it wraps.
#[derive(Clone, Debug)]
pub struct Words {
    all: Rc<[Word]>,
    range: Range<usize>,
    more: bool,
}

impl Words {
    pub(crate) fn new(words: Vec<Word>) -> Self {
        let range = 0..words.len();
        Self {
            all: words.into(),
            range,
            more: false,
        }
    }

    /// Those of this range within these; `more` if others follow at run time.
    pub(crate) fn part(&self, range: Range<usize>, more: bool) -> Self {
        Self {
            all: Rc::clone(&self.all),
            range: self.range.start + range.start..self.range.start + range.end,
            more: more || (self.more && range.end == self.range.len()),
        }
    }

    /// The words that stand in the text.
    #[must_use]
    pub fn as_slice(&self) -> &[Word] {
        &self.all[self.range.clone()]
    }

    /// Whether other words follow at run time, as behind `xargs`.
    #[must_use]
    pub const fn more(&self) -> bool {
        self.more
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        self.more == other.more && self.as_slice() == other.as_slice()
    }
}

impl Eq for Words {}
