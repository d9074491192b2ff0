//! One rule.

use spawnhook_sdk::{
    Settings,
    settings::{FromSetting, Setting},
};
use spawnhook_shell::{Part, Word, program_name};

use crate::{
    Facts, Verdict,
    folders::{Area, Target},
    glob::{Glob, Match},
};

/// A rule: what it is about, and the verdict. What it doesn't name may be anything.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: Option<String>,
    pub(crate) programs: Vec<Glob>,
    arguments: Vec<Glob>,
    flags: Vec<Glob>,
    writes: Vec<Area>,
    origins: Vec<Glob>,
    pub(crate) verdict: Verdict,
    pub(crate) reason: Option<String>,
}

impl Rule {
    /// A rule about programs alone.
    pub(crate) fn of_programs(programs: Vec<Glob>, verdict: Verdict) -> Self {
        Self {
            name: None,
            programs,
            arguments: Vec::new(),
            flags: Vec::new(),
            writes: Vec::new(),
            origins: Vec::new(),
            verdict,
            reason: None,
        }
    }

    /// A rule that allows to write to places.
    pub(crate) fn of_places(writes: Vec<Area>) -> Self {
        Self {
            writes,
            ..Self::of_programs(Vec::new(), Verdict::Allow)
        }
    }

    /// Whether the rule is about a command. One about what is written is not.
    pub(crate) fn matches_command(&self, part: &Part, facts: &Facts<'_>) -> Match {
        if !self.writes.is_empty() {
            return Match::No;
        }
        self.matches_part(part, facts)
    }

    /// Whether the rule is about a place that a command writes to.
    pub(crate) fn matches_target(&self, part: &Part, target: &Target, facts: &Facts<'_>) -> Match {
        if self.writes.is_empty() {
            return Match::No;
        }
        target
            .is_in(&self.writes)
            .min(self.matches_part(part, facts))
    }

    fn matches_part(&self, part: &Part, facts: &Facts<'_>) -> Match {
        let origin = self.origins.is_empty() || any(&self.origins, facts.origin);
        if !origin {
            return Match::No;
        }
        let program = match part.program() {
            None => Match::of(self.programs.is_empty()),
            Some(program) => self.matches_program(program),
        };
        if program == Match::No {
            return Match::No;
        }
        program
            .min(self.matches_arguments(part))
            .min(self.matches_flags(part))
    }

    /// A bare name means the program by that name. What would be stricter than allowing it holds
    /// for a program of this name anywhere.
    fn matches_program(&self, program: &Word) -> Match {
        if self.programs.is_empty() {
            return Match::Yes;
        }
        let Some(called) = program.literal() else {
            return Match::Maybe;
        };
        let name = match self.verdict {
            Verdict::Allow => program_name(called),
            Verdict::Ask | Verdict::Deny => called.rsplit('/').next(),
        };
        let matches = self.programs.iter().any(|glob| {
            if glob.as_str().contains('/') {
                glob.matches(called)
            } else {
                name.is_some_and(|name| glob.matches(name))
            }
        });
        Match::of(matches)
    }

    /// The first arguments one by one. Behind a word that may become several, or none, any may
    /// stand in any place.
    fn matches_arguments(&self, part: &Part) -> Match {
        let mut words = part.arguments().iter();
        let mut matched = Match::Yes;
        for glob in &self.arguments {
            matched = matched.min(match words.next() {
                Some(word) if !word.is_single() => return Match::Maybe,
                Some(word) => glob.matches_word(word),
                None if part.words.more() => Match::Maybe,
                None => Match::No,
            });
        }
        matched
    }

    fn matches_flags(&self, part: &Part) -> Match {
        if self.flags.is_empty() {
            return Match::Yes;
        }
        let strict = self.verdict != Verdict::Allow;
        let words = part.arguments().iter();
        let matched = words
            .flat_map(|word| self.flags.iter().map(|flag| flag_in(flag, word, strict)))
            .max()
            .unwrap_or(Match::No);
        match part.words.more() {
            true => matched.max(Match::Maybe),
            false => matched,
        }
    }
}

fn any(globs: &[Glob], text: &str) -> bool {
    globs.iter().any(|glob| glob.matches(text))
}

/// Whether a word is a flag, or has it. `strict`: a letter among others counts, and a long option
/// cut short may be it.
fn flag_in(flag: &Glob, word: &Word, strict: bool) -> Match {
    let matched = flag.matches_word(word);
    let (Some(text), true) = (word.literal(), strict) else {
        return matched;
    };
    let name = text.split('=').next().unwrap_or(text);
    let letter = flag
        .as_str()
        .strip_prefix('-')
        .filter(|rest| rest.len() == 1);
    let clustered = letter.is_some_and(|letter| {
        letter != "-" && text.starts_with('-') && !text.starts_with("--") && text.contains(letter)
    });
    let cut = name.len() > 2 && name.starts_with("--") && flag.as_str().starts_with(name);
    matched
        .max(Match::of(clustered))
        .max(Match::of(flag.matches(name)))
        .max(Match::of(cut).uncertain())
}

/// One value or a list of them.
struct Many<T>(Vec<T>);

impl<T: FromSetting> FromSetting for Many<T> {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        if setting.as_str().is_some() {
            return T::from_setting(setting).map(|value| Self(vec![value]));
        }
        Vec::from_setting(setting).map(Self)
    }
}

fn many<T: FromSetting>(settings: &mut Settings<'_>, name: &'static str) -> Vec<T> {
    settings
        .optional::<Many<T>>(name)
        .map(|many| many.0)
        .unwrap_or_default()
}

impl FromSetting for Rule {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.object(|rule| {
            let mut programs = many(rule, "program");
            programs.extend(many(rule, "programs"));
            let read = Self {
                name: rule.optional("name"),
                programs,
                arguments: many(rule, "arguments"),
                flags: many(rule, "flags"),
                writes: many(rule, "writes"),
                origins: many(rule, "origin"),
                reason: rule.optional("reason"),
                verdict: rule.required("verdict")?,
            };
            if read.programs.is_empty() && !(read.arguments.is_empty() && read.flags.is_empty()) {
                rule.problem(
                    "program",
                    "expected a program whose arguments are meant, found none",
                );
            }
            Some(read)
        })
    }
}
