//! Shells.

use crate::{Construct, Dialect, Operator, Role, Step, Word, parser::Parser};

pub(super) fn is_shell(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash" | "dash" | "zsh" | "ash" | "ksh" | "mksh" | "rbash" | "ksh93" | "yash"
    )
}

/// What a shell was told by its options.
#[derive(Default)]
struct Told {
    /// The first operand is the text to run.
    text: bool,
    input: bool,
    /// It says something about itself and ends.
    idle: bool,
    /// The index of the first operand.
    operand: usize,
}

impl Parser<'_, '_> {
    pub(super) fn shell(&mut self, name: &str, arguments: &[Word], part: usize) -> Role {
        let told = match read_options(arguments) {
            Ok(told) => told,
            Err(construct) => {
                self.undecided(construct, part);
                return Role::Program;
            }
        };
        let operand = arguments.get(told.operand);
        match operand {
            _ if told.idle => return Role::Builtin,
            Some(text) if told.text => match text.literal() {
                Some(text) => self.inner(text, dialect(name), Step::Text, part, true),
                None => self.undecided(Construct::Text, part),
            },
            None if told.text => self.undecided(Construct::Text, part),
            // a file, which the policy judges by the name of the shell
            Some(file) if !told.input => {
                self.shell_file(file, part);
                return Role::Program;
            }
            _ => return self.shell_input(part),
        }
        Role::Wrapper
    }

    /// A shell that reads its commands from a file: not from one that the text may have filled.
    fn shell_file(&mut self, file: &Word, part: usize) {
        let filled = |path: &str| path.starts_with("/dev/") || path.starts_with("/proc/");
        if file.literal().is_none_or(filled) {
            self.undecided(Construct::Input, part);
        }
    }

    /// A shell that reads its commands from its input.
    fn shell_input(&mut self, part: usize) -> Role {
        match self.input_of(part) {
            Some(holder) => {
                let document = self.sink.parts[holder]
                    .redirections
                    .iter()
                    .rfind(|redirection| is_input(redirection.descriptor.as_deref()));
                match document.map(|redirection| redirection.operator) {
                    Some(Operator::HereDocument) => self.waiting.push(part),
                    _ => self.run_input(part),
                }
            }
            None => self.undecided(Construct::Input, part),
        }
        Role::Wrapper
    }

    /// The part whose redirections give a part its input.
    fn input_of(&self, part: usize) -> Option<usize> {
        let found = &self.sink.parts[part];
        let mut inputs = found.redirections.iter().filter(|redirection| {
            !redirection.operator.writes() && is_input(redirection.descriptor.as_deref())
        });
        if inputs.next_back().is_some() {
            return Some(part);
        }
        match (found.place.last(), found.parent) {
            (Some(Step::Wrapped), Some(parent)) => self.input_of(parent),
            _ => None,
        }
    }

    /// Adds the commands in the input of a shell, now that it is known.
    pub(crate) fn run_input(&mut self, part: usize) {
        let input = self.input_of(part).and_then(|holder| {
            let redirections = &self.sink.parts[holder].redirections;
            let last = redirections.iter().rfind(|redirection| {
                !redirection.operator.writes() && is_input(redirection.descriptor.as_deref())
            })?;
            match last.operator {
                Operator::HereDocument | Operator::HereString => last.target.literal(),
                _ => None,
            }
        });
        match input.map(str::to_owned) {
            Some(text) => self.inner(&text, Dialect::Common, Step::HereDocument, part, true),
            None => self.undecided(Construct::Input, part),
        }
    }
}

/// Whether a redirection that reads is one of the standard input.
fn is_input(descriptor: Option<&str>) -> bool {
    matches!(descriptor, None | Some("0"))
}

/// How the shell of a name reads its text.
fn dialect(name: &str) -> Dialect {
    match name {
        "bash" | "rbash" => Dialect::Bash,
        _ => Dialect::Common,
    }
}

fn read_options(arguments: &[Word]) -> Result<Told, Construct> {
    let mut told = Told::default();
    while let Some(word) = arguments.get(told.operand) {
        let Some(text) = word.literal() else {
            // what can't be an option is an operand
            return match word.head().starts_with(['-', '+']) || word.head().is_empty() {
                true if told.text || word.head().is_empty() && word.is_single() => Ok(told),
                true => Err(Construct::Text),
                false => Ok(told),
            };
        };
        if !text.starts_with(['-', '+']) {
            return Ok(told);
        }
        told.operand += 1;
        match text {
            "-" | "--" => return Ok(told),
            "--version" | "--help" => told.idle = true,
            "--login" | "--norc" | "--noprofile" | "--posix" | "--verbose" | "--restricted"
            | "--noediting" => {}
            _ if text.starts_with("--") => return Err(Construct::Option),
            _ => read_letters(text, &mut told)?,
        }
    }
    Ok(told)
}

fn read_letters(text: &str, told: &mut Told) -> Result<(), Construct> {
    for letter in text[1..].chars() {
        match letter {
            'c' => told.text = true,
            's' => told.input = true,
            // assignments anywhere in a command
            'k' => return Err(Construct::Meaning),
            // the name of an option is the next word
            'o' | 'O' => told.operand += 1,
            letter if letter.is_ascii_alphabetic() => {}
            _ => return Err(Construct::Option),
        }
    }
    Ok(())
}
