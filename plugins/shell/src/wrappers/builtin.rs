//! Builtins that run text, or that change what names mean.

use crate::{
    Assignment, Construct, Role, Step, Word, Words, builtins,
    parser::Parser,
    variables::{self, split_assignment},
};

impl Parser<'_, '_> {
    /// Looks at a command that is no wrapper; none if nothing is special about it.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        arguments: &[Word],
        words: &Words,
        part: usize,
    ) -> Option<Role> {
        match name {
            "eval" => {
                if words.more() {
                    self.undecided(Construct::Text, part);
                }
                self.joined(after_dashes(arguments), Step::Text, part, false);
                return Some(Role::Wrapper);
            }
            "trap" => self.trap(arguments, part),
            "." | "source" => {
                self.undecided(Construct::Source, part);
                return Some(Role::Program);
            }
            _ if changes_meaning(name, arguments) => self.undecided(Construct::Meaning, part),
            "unset" => {
                self.sink.unsets = true;
                self.names(arguments, part);
            }
            "read" | "getopts" | "mapfile" | "readarray" => self.names(arguments, part),
            "wait" if arguments.iter().any(|word| word.head().starts_with("-p")) => {
                self.names(arguments, part);
            }
            "printf" => self.printf(arguments, part),
            "let" => self.saw_arithmetic("let"),
            "test" | "[" => {
                let evaluates = |word: &Word| matches!(word.literal(), Some("-v" | "-R"));
                if arguments.iter().any(evaluates) {
                    self.saw_arithmetic(name);
                }
            }
            _ if builtins::declares(name) => self.declaration(arguments, part),
            _ => {}
        }
        None
    }

    /// `trap TEXT SIGNAL…`.
    fn trap(&mut self, arguments: &[Word], part: usize) {
        let arguments = after_dashes(arguments);
        let Some(text) = arguments.first() else {
            return;
        };
        match text.literal() {
            Some("-" | "" | "-p" | "-l" | "-P") => {}
            // a lone signal is reset
            Some(_) if arguments.len() == 1 && text.is_single() => {}
            Some(text) => self.inner(text, self.dialect, Step::Trap, part, false),
            None => self.undecided(Construct::Text, part),
        }
    }

    /// Arguments that name variables.
    fn names(&mut self, arguments: &[Word], part: usize) {
        for word in arguments {
            match word.literal() {
                Some(text) => {
                    if text.contains('[') {
                        self.saw_arithmetic(text);
                    }
                    if variables::is_number(text) {
                        self.saw_arithmetic(text);
                    }
                    if decides(text.split('[').next().unwrap_or(text)) {
                        self.sink.undecidable(Construct::Variable, text, Some(part));
                    }
                }
                // a prompt or a file can't be told from a name
                None if word.head().is_empty() => self.undecided(Construct::Variable, part),
                None => {}
            }
        }
    }

    /// `printf -v NAME`, of which the last one counts.
    fn printf(&mut self, arguments: &[Word], part: usize) {
        let mut rest = arguments;
        while let Some((first, behind)) = rest.split_first() {
            rest = behind;
            match first.literal() {
                Some("-v") => {
                    self.names(rest.get(..1).unwrap_or_default(), part);
                    rest = rest.get(1..).unwrap_or_default();
                }
                Some(text) if text.starts_with("-v") => {
                    let name = Word::Literal(text[2..].to_owned());
                    self.names(&[name], part);
                }
                Some(_) => return,
                // an option and a name may be in one expansion
                None if first.head().is_empty() && first.splits() => {
                    return self.undecided(Construct::Variable, part);
                }
                None => return,
            }
        }
    }

    /// `export NAME=VALUE` and its kin.
    fn declaration(&mut self, arguments: &[Word], part: usize) {
        for word in arguments {
            let head = word.head();
            if head.starts_with(['-', '+']) {
                if head.contains('i') {
                    self.saw_arithmetic(head);
                }
                continue;
            }
            match split_assignment(head) {
                Some((name, value)) => {
                    if head[..value].contains('[') {
                        self.saw_arithmetic(head);
                    }
                    let value = match word.literal() {
                        Some(text) => Word::Literal(text[value..].to_owned()),
                        None => Word::unknown(false),
                    };
                    let assignment = Assignment {
                        name: name.to_owned(),
                        value,
                    };
                    self.judge_variable(&assignment, part);
                    if self.dialect == crate::Dialect::Common && word.splits() {
                        self.undecided(Construct::Variable, part);
                    }
                }
                None if word.literal().is_none() => self.undecided(Construct::Variable, part),
                None if head.contains('[') => self.saw_arithmetic(head),
                None => {}
            }
        }
    }
}

/// Whether a name decides what runs.
fn decides(name: &str) -> bool {
    variables::controls_the_shell(name) || variables::holds_a_command(name)
}

fn after_dashes(arguments: &[Word]) -> &[Word] {
    match arguments.first().and_then(Word::literal) {
        Some("--") => &arguments[1..],
        _ => arguments,
    }
}

/// Whether a builtin gives a name another meaning, or runs text that is hidden in its options.
fn changes_meaning(name: &str, arguments: &[Word]) -> bool {
    let option = |letters: &[char]| {
        let before = arguments
            .iter()
            .take_while(|word| word.literal() != Some("--"));
        before.into_iter().any(|word| {
            let head = word.head();
            let option = head.starts_with(['-', '+']) && !head.starts_with("--");
            option && head.contains(letters) || head.is_empty() && word.literal().is_none()
        })
    };
    match name {
        "alias" => {
            let defines = |word: &Word| word.literal().is_none_or(|text| text.contains('='));
            arguments.iter().any(defines)
        }
        "hash" => option(&['p']),
        "enable" | "complete" | "bind" => !arguments.is_empty(),
        "compgen" => option(&['C', 'F', 'W']),
        "mapfile" | "readarray" => option(&['C']),
        "declare" | "local" | "typeset" => arguments.iter().any(|word| {
            let head = word.head();
            head.starts_with('-') && head.contains('n')
        }),
        "set" => {
            option(&['k'])
                || arguments
                    .iter()
                    .any(|word| word.literal() == Some("keyword"))
        }
        _ => false,
    }
}
