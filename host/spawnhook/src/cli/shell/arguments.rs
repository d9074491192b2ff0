//! The arguments of a shell, as bash(1) has them under OPTIONS and ARGUMENTS.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use spawnhook_exec::Shell;

/// The names that make this program a shell whatever its arguments are.
const LINKS: [(&str, Shell); 3] = [
    ("sh", Shell::Sh),
    ("bash", Shell::Bash),
    ("spawnhook-sh", Shell::Bash),
];

/// Letters of options that the real shell is given as they are: those that set(1) has, and what
/// concerns how a shell starts.
const PASSED: &str = "abefhiklmnprtuvxBCEHPT";

/// Long options that the real shell is given as they are.
const PASSED_LONG: [&str; 7] = [
    "--login",
    "--noediting",
    "--noprofile",
    "--norc",
    "--posix",
    "--restricted",
    "--verbose",
];

/// Those after which a shell only says something of itself.
const QUESTIONS: [&str; 2] = ["--help", "--version"];

/// What this program does of a shell when it is called by its own name.
const HOW: &str = "give a command with -c; for script files and scripts on standard input call \
                   spawnhook through a link named spawnhook-sh, sh or bash";

/// A shell that was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) shell: Shell,
    /// For the real shell.
    pub(super) options: Vec<OsString>,
    pub(super) script: Script,
    pub(super) parameters: Vec<OsString>,
}

/// Where a shell has its commands from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Script {
    /// `-c TEXT NAME`
    Text(OsString, Option<OsString>),
    File(OsString),
    StandardInput,
    /// From nowhere: it answers a question.
    Question,
}

/// Why a shell cannot be had.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum Unusable {
    #[error("-c: there is no command behind it")]
    NoCommand,
    #[error("{option}: no option of a shell that commands can be passed through")]
    Option { option: String },
    #[error("{option}: the name of an option is missing behind it")]
    NoName { option: String },
    #[error("no command; {HOW}")]
    NotByThisName,
}

/// The shell that is asked for by the name that the program was called by, or by its first
/// argument; none if another of its commands is.
pub(super) fn shell(arguments: &[OsString]) -> Option<Result<Call, Unusable>> {
    let (name, rest) = arguments.split_first()?;
    if let Some((shell, is_login)) = named(name) {
        return Some(Reader::new(shell, is_login, rest).call());
    }
    let first = rest.first()?.to_str()?;
    let is_short = first.len() > 1 && first.starts_with(['-', '+']) && !first.starts_with("--");
    let is_own = ["-h", "-V"].contains(&first);
    if (!is_short || is_own) && !PASSED_LONG.contains(&first) {
        return None;
    }
    let call = Reader::new(Shell::Bash, false, rest).call();
    Some(call.and_then(|call| match call.script {
        Script::Text(..) => Ok(call),
        _ => Err(Unusable::NotByThisName),
    }))
}

/// Which shell a link stands for. A hyphen in front of the name is how login(1) asks for a login
/// shell.
fn named(name: &OsStr) -> Option<(Shell, bool)> {
    let (name, is_login) = match name.as_bytes().strip_prefix(b"-") {
        Some(name) => (OsStr::from_bytes(name), true),
        None => (name, false),
    };
    let name = Path::new(name).file_name()?;
    let (_, shell) = LINKS.into_iter().find(|(link, _)| name == *link)?;
    Some((shell, is_login))
}

struct Reader<'a> {
    shell: Shell,
    options: Vec<OsString>,
    rest: std::slice::Iter<'a, OsString>,
    has_command: bool,
    reads_input: bool,
    asks: bool,
}

impl<'a> Reader<'a> {
    fn new(shell: Shell, is_login: bool, arguments: &'a [OsString]) -> Self {
        Self {
            shell,
            options: if is_login {
                vec!["-l".into()]
            } else {
                Vec::new()
            },
            rest: arguments.iter(),
            has_command: false,
            reads_input: false,
            asks: false,
        }
    }

    fn call(mut self) -> Result<Call, Unusable> {
        while let Some(option) = self.next_option() {
            match option.as_bytes() {
                b"-" | b"--" => break,
                [b'-', b'-', ..] => self.long(option)?,
                _ => self.short(option)?,
            }
        }
        let mut rest = self.rest.cloned();
        let script = if self.asks {
            Script::Question
        } else if self.has_command {
            let text = rest.next().ok_or(Unusable::NoCommand)?;
            Script::Text(text, rest.next())
        } else if self.reads_input {
            Script::StandardInput
        } else {
            rest.next().map_or(Script::StandardInput, Script::File)
        };
        Ok(Call {
            shell: self.shell,
            options: self.options,
            script,
            parameters: rest.collect(),
        })
    }

    fn next_option(&mut self) -> Option<&'a OsString> {
        let next = self.rest.as_slice().first()?;
        let is_option = matches!(next.as_bytes(), [b'-', ..] | [b'+', _, ..]);
        is_option.then(|| self.rest.next()).flatten()
    }

    fn long(&mut self, option: &OsStr) -> Result<(), Unusable> {
        let is_among = |known: &[&str]| known.iter().any(|known| option == *known);
        self.asks |= is_among(&QUESTIONS);
        if !is_among(&PASSED_LONG) && !is_among(&QUESTIONS) {
            return Err(unknown(option));
        }
        self.options.push(option.to_owned());
        Ok(())
    }

    /// Letters behind `-` or `+`; `o` and `O` have a name as the next argument each.
    fn short(&mut self, option: &OsStr) -> Result<(), Unusable> {
        let text = option.to_str().ok_or_else(|| unknown(option))?;
        let (sign, letters) = text.split_at(1);
        let mut passed = sign.to_owned();
        let mut names = Vec::new();
        for letter in letters.chars() {
            match letter {
                'c' if sign == "-" => self.has_command = true,
                's' if sign == "-" => self.reads_input = true,
                'o' | 'O' => {
                    let option = format!("{sign}{letter}");
                    match self.rest.next() {
                        Some(name) => names.push((option, name.clone())),
                        None => return Err(Unusable::NoName { option }),
                    }
                }
                letter if PASSED.contains(letter) => passed.push(letter),
                letter => return Err(unknown(format!("{sign}{letter}").as_ref())),
            }
        }
        if passed != sign {
            self.options.push(passed.into());
        }
        for (option, name) in names {
            self.options.extend([option.into(), name]);
        }
        Ok(())
    }
}

fn unknown(option: &OsStr) -> Unusable {
    Unusable::Option {
        option: option.display().to_string(),
    }
}

#[cfg(test)]
mod tests;
