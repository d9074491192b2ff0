//! Commands that run other commands, and builtins that change what commands mean.

mod builtin;
mod carriers;
mod environment;
mod fd;
mod find;
mod git;
mod options;
mod remote;
mod scripts;
mod shells;
mod table;
mod xargs;

use std::ops::Range;

use crate::{
    Construct, MAX_DEPTH, Part, Role, Step, Word, Words, builtins, parser::Parser,
    undecidable::excerpt,
};

/// The folders in which a program is what its name says.
pub const SYSTEM_FOLDERS: [&str; 6] = [
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
];

/// The name of a program by how it is called: a bare name, or a path in one of
/// [`SYSTEM_FOLDERS`]. Any other path has no name that could be trusted.
#[must_use]
pub fn program_name(called: &str) -> Option<&str> {
    match called.rsplit_once('/') {
        None => Some(called),
        Some((folder, name)) => SYSTEM_FOLDERS.contains(&folder).then_some(name),
    }
}

/// Whether a path leads to whatever program the system has there: `/proc/self/exe`, `/dev/fd/3`.
fn is_alias_of_a_program(called: &str) -> bool {
    called.starts_with("/proc/") || called.starts_with("/dev/")
}

/// Whether a file is the dynamic loader, which runs a program as the system itself would.
fn is_loader(file: &str) -> bool {
    ["ld-linux", "ld-musl", "ld.so", "ld64.so"]
        .iter()
        .any(|head| file.starts_with(head))
}

impl Parser<'_, '_> {
    /// Says what a command is to the shell, and adds the commands that it runs. `direct`: the
    /// shell itself looks up the program, functions and builtins included.
    #[inline(never)]
    pub(crate) fn classify(&mut self, part: usize, direct: bool) {
        let words = self.sink.parts[part].words.clone();
        let Some(program) = words.as_slice().first() else {
            return;
        };
        let Some(called) = program.literal() else {
            self.set_role(part, Role::Program);
            return self.undecided(Construct::Program, part);
        };
        if is_alias_of_a_program(called) {
            self.undecided(Construct::Program, part);
        }
        let name = program_name(called);
        let file = called.rsplit('/').next().unwrap_or(called);
        let arguments = words.as_slice().get(1..).unwrap_or_default();
        let role = self.unwrap(file, arguments, &words, part);
        let function = direct && self.sink.functions.contains(called);
        let builtin = name.is_some_and(builtins::changes_only_the_shell);
        self.set_role(
            part,
            match role {
                Some(Role::Wrapper) if name.is_none() => Role::Program,
                Some(role) => role,
                None if function => Role::Function,
                None if builtin => Role::Builtin,
                None => Role::Program,
            },
        );
    }

    /// Adds what a command runs; none if it is not known to run anything.
    fn unwrap(
        &mut self,
        name: &str,
        arguments: &[Word],
        words: &Words,
        part: usize,
    ) -> Option<Role> {
        let role = match name {
            "env" => self.environment(arguments, words, part),
            "fd" | "fdfind" => self.fd(arguments, words, part),
            "find" => self.find(arguments, words, part),
            "git" => self.git(arguments, words, part),
            "xargs" => self.xargs(arguments, words, part),
            "ssh" => self.remote(arguments, words, part),
            "parallel" => self.parallel(arguments, part),
            "su" | "runuser" => self.switch_user(arguments, words, part),
            "flock" => self.lock(arguments, words, part),
            "script" => self.typescript(arguments, part),
            _ if shells::is_shell(name) => self.shell(name, arguments, part),
            _ if table::is_opaque(name) => {
                self.undecided(Construct::Argument, part);
                Role::Program
            }
            _ if is_loader(name) => self.loader(arguments, words, part),
            _ => return self.unwrap_by_table(name, arguments, words, part),
        };
        Some(role)
    }

    /// The dynamic loader with a program; its options say where libraries come from.
    fn loader(&mut self, arguments: &[Word], words: &Words, part: usize) -> Role {
        match arguments.first().map(Word::head) {
            Some(head) if head.starts_with('-') => self.undecided(Construct::Option, part),
            Some(_) => self.wrapped(words, 0..arguments.len(), false, part),
            None if words.more() => self.undecided(Construct::Program, part),
            None => {}
        }
        Role::Program
    }

    fn unwrap_by_table(
        &mut self,
        name: &str,
        arguments: &[Word],
        words: &Words,
        part: usize,
    ) -> Option<Role> {
        if let Some(entry) = table::find(name) {
            return Some(self.by_table(entry, arguments, words, part));
        }
        if let Some(carrier) = carriers::find(name) {
            return Some(self.carrier(carrier, arguments, words.more(), part));
        }
        self.scripted(name, arguments, words.more(), part)
            .or_else(|| self.builtin(name, arguments, words, part))
    }

    fn set_role(&mut self, part: usize, role: Role) {
        self.sink.parts[part].role = role;
    }

    /// A part as a whole is undecidable.
    #[inline(never)]
    pub(super) fn undecided(&mut self, construct: Construct, part: usize) {
        let text = self.sink.parts[part].text.clone();
        self.sink.undecidable(construct, &text, Some(part));
    }

    /// Adds the command that these arguments of a command are.
    fn wrapped(&mut self, words: &Words, arguments: Range<usize>, more: bool, part: usize) {
        let words = words.part(arguments.start + 1..arguments.end + 1, more);
        self.add_wrapped(words, part);
    }

    #[inline(never)]
    fn add_wrapped(&mut self, words: Words, outer: usize) {
        if words.as_slice().is_empty() {
            if words.more() {
                self.undecided(Construct::Program, outer);
            }
            return;
        }
        let text = excerpt(&display(words.as_slice()));
        if self.depth >= MAX_DEPTH {
            return self.sink.undecidable(Construct::Depth, &text, Some(outer));
        }
        let mut place = self.sink.parts[outer].place.clone();
        place.push(Step::Wrapped);
        self.sink.parts.push(Part {
            parent: Some(outer),
            place,
            role: Role::Program,
            words,
            assignments: Vec::new(),
            redirections: Vec::new(),
            text,
        });
        self.depth += 1;
        self.classify(self.sink.parts.len() - 1, false);
        self.depth -= 1;
    }

    /// Adds the commands of a text that these words are when a shell gets them joined.
    #[inline(never)]
    fn joined(&mut self, words: &[Word], step: Step, part: usize, shell: bool) {
        let dialect = match shell {
            true => crate::Dialect::Common,
            false => self.dialect,
        };
        match join(words) {
            Some(text) => self.inner(&text, dialect, step, part, shell),
            None => self.undecided(Construct::Text, part),
        }
    }
}

/// The words with a blank between each two, if all are known.
fn join(words: &[Word]) -> Option<String> {
    let words: Option<Vec<&str>> = words.iter().map(Word::literal).collect();
    words.map(|words| words.join(" "))
}

/// How many words of a wrapped command are shown.
const SHOWN_WORDS: usize = 32;

/// The words for a person: an ellipsis for what is not known.
fn display(words: &[Word]) -> String {
    let mut text = String::new();
    for word in words.iter().take(SHOWN_WORDS) {
        if !text.is_empty() {
            text.push(' ');
        }
        match word.literal() {
            Some(literal) => text.push_str(literal),
            None => {
                text.push_str(word.head());
                text.push('…');
            }
        }
    }
    text
}
