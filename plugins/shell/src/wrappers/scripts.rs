//! Programs with a small language of their own in which commands can be run: `awk`, `sed`. Their
//! scripts are read as far as it takes to see that they run none.

mod awk;
mod sed;

use super::carriers::may_be_an_option;
use crate::{Construct, Role, Word, parser::Parser};

/// How a program is told its script.
struct Language {
    /// Letters of options with a value.
    values: &'static str,
    /// Long options with a value in the next word.
    long_values: &'static [&'static str],
    /// Letters and long names of options whose value is script.
    scripts: &'static [&'static str],
    /// Those that load what is not looked at.
    opaque: &'static [&'static str],
    /// Those whose value is a file with the script, which is not looked at.
    files: &'static [&'static str],
    is_harmless: fn(&str) -> bool,
}

const AWK: Language = Language {
    values: "Fv",
    long_values: &["field-separator", "assign"],
    scripts: &["e", "source"],
    opaque: &["E", "exec", "i", "include", "l", "load", "D", "debug", "W"],
    files: &["f", "file"],
    is_harmless: awk::is_harmless,
};

const SED: Language = Language {
    values: "l",
    long_values: &["line-length"],
    scripts: &["e", "expression"],
    opaque: &[],
    files: &["f", "file"],
    is_harmless: sed::is_harmless,
};

/// What a word with options does.
enum Effect<'a> {
    Nothing,
    TakesNext,
    /// None if the script is known only at run time, or not looked at.
    Script(Option<&'a str>),
    NextIsScript,
    /// A file with script, if it is known and not one that the text may have filled.
    File(bool),
    NextIsFile,
}

impl Parser<'_, '_> {
    /// Looks at the scripts of a program; none if it is no such program.
    pub(super) fn scripted(
        &mut self,
        name: &str,
        arguments: &[Word],
        more: bool,
        part: usize,
    ) -> Option<Role> {
        let language = match name {
            "awk" | "gawk" | "mawk" | "nawk" => &AWK,
            "sed" | "gsed" => &SED,
            _ => return None,
        };
        let sandboxed = |word: &Word| word.literal() == Some("--sandbox");
        if !arguments.first().is_some_and(sandboxed) && !are_harmless(language, arguments, more) {
            self.undecided(Construct::Argument, part);
        }
        Some(Role::Program)
    }
}

/// Whether every script in the arguments is known and runs nothing.
fn are_harmless(language: &Language, arguments: &[Word], more: bool) -> bool {
    let known = |script: Option<&str>| script.is_some_and(language.is_harmless);
    let mut has_script = false;
    let mut at = 0;
    let mut only_operands = false;
    while let Some(word) = arguments.get(at) {
        at += 1;
        let text = word.head();
        if word.literal() == Some("--") {
            only_operands = true;
            continue;
        }
        if only_operands || !text.starts_with('-') || text == "-" {
            // the first operand is the script, if no option was
            let harmless = match has_script {
                false => known(word.literal()),
                true => only_operands || !may_be_an_option(word),
            };
            if !harmless {
                return false;
            }
            has_script = true;
            continue;
        }
        let next = arguments.get(at);
        match language.effect(word) {
            Effect::Nothing => {}
            Effect::TakesNext => at += 1,
            Effect::Script(script) if !known(script) => return false,
            Effect::File(false) => return false,
            Effect::Script(_) | Effect::File(true) => has_script = true,
            Effect::NextIsScript => {
                if !known(next.and_then(Word::literal)) {
                    return false;
                }
                has_script = true;
                at += 1;
            }
            Effect::NextIsFile => {
                if !next.and_then(Word::literal).is_some_and(is_file) {
                    return false;
                }
                has_script = true;
                at += 1;
            }
        }
    }
    has_script || !more
}

/// Whether a path is that of a file, and not of an input.
fn is_file(path: &str) -> bool {
    path != "-" && !path.starts_with("/dev/") && !path.starts_with("/proc/")
}

impl Language {
    fn effect<'a>(&self, word: &'a Word) -> Effect<'a> {
        let text = word.head();
        match text.strip_prefix("--") {
            Some(long) => self.long(long, word),
            None => self.short(&text[1..], word),
        }
    }

    fn long<'a>(&self, long: &'a str, word: &Word) -> Effect<'a> {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        let means = |names: &[&str]| {
            names
                .iter()
                .any(|known| known.len() > 1 && known.starts_with(name))
        };
        let known = word.literal().is_some();
        if !known && value.is_none() || means(self.opaque) {
            Effect::Script(None)
        } else if means(self.scripts) {
            value.map_or(Effect::NextIsScript, |value| {
                Effect::Script(known.then_some(value))
            })
        } else if means(self.files) {
            value.map_or(Effect::NextIsFile, |value| {
                Effect::File(known && is_file(value))
            })
        } else if means(self.long_values) && value.is_none() {
            Effect::TakesNext
        } else {
            Effect::Nothing
        }
    }

    fn short<'a>(&self, letters: &'a str, word: &Word) -> Effect<'a> {
        let known = word.literal().is_some();
        for (index, letter) in letters.char_indices() {
            let name = &letters[index..index + letter.len_utf8()];
            let attached = &letters[index + letter.len_utf8()..];
            let is_last = attached.is_empty() && known;
            if self.opaque.contains(&name) {
                return Effect::Script(None);
            } else if self.scripts.contains(&name) && is_last {
                return Effect::NextIsScript;
            } else if self.scripts.contains(&name) {
                return Effect::Script(known.then_some(attached));
            } else if self.files.contains(&name) && is_last {
                return Effect::NextIsFile;
            } else if self.files.contains(&name) {
                return Effect::File(known && is_file(attached));
            } else if self.values.contains(letter) {
                return if is_last {
                    Effect::TakesNext
                } else {
                    Effect::Nothing
                };
            } else if letter == 'i' {
                // the rest is the ending of a copy
                return Effect::Nothing;
            }
        }
        if known {
            Effect::Nothing
        } else {
            Effect::Script(None)
        }
    }
}
