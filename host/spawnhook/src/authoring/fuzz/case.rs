use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::authoring::Input;
use crate::authoring::fixtures::Fixture;

/// One made-up case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it is like.
    pub class: Class,
    /// The shell text.
    pub command: String,
    /// The directory.
    pub cwd: PathBuf,
    /// The environment.
    pub env: BTreeMap<String, String>,
    /// What the hook is configured with.
    pub settings: CaseSettings,
}

/// Where the settings of a case come from.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseSettings {
    /// The author: those of the fixtures with this index.
    Authored(usize),
    /// Chance: some of the author's, changed.
    MadeUp(Value),
}

/// What a case is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Blank text, or a comment alone.
    Empty,
    /// One command with its words.
    Words,
    /// Lists, pipelines, compound commands, substitutions; now and then cut off.
    Script,
    /// Text in many scripts, with characters that combine, hide or reorder.
    Unicode,
    /// Here-documents, closed or not.
    Heredoc,
    /// Commands of 16 to 128 KiB.
    Huge,
    /// Things that look like credentials, in the text and in variables.
    Secrets,
    /// Up to 400 variables.
    Variables,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 8] = [
        Self::Empty,
        Self::Words,
        Self::Script,
        Self::Unicode,
        Self::Heredoc,
        Self::Huge,
        Self::Secrets,
        Self::Variables,
    ];

    /// The classes of sixteen cases in a row: none is rarer than one in sixteen, 6.25 %.
    const ROUND: [Self; 16] = [
        Self::Words,
        Self::Unicode,
        Self::Script,
        Self::Heredoc,
        Self::Secrets,
        Self::Words,
        Self::Unicode,
        Self::Script,
        Self::Huge,
        Self::Variables,
        Self::Empty,
        Self::Words,
        Self::Unicode,
        Self::Script,
        Self::Heredoc,
        Self::Secrets,
    ];

    /// The class of the case with this number.
    pub fn of(number: u64) -> Self {
        let place = number % Self::ROUND.len() as u64;
        Self::ROUND[usize::try_from(place).expect("invariant: below sixteen")]
    }

    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Words => "words",
            Self::Script => "script",
            Self::Unicode => "unicode",
            Self::Heredoc => "heredoc",
            Self::Huge => "huge",
            Self::Secrets => "secrets",
            Self::Variables => "variables",
        }
    }
}

impl Case {
    /// What the hook is called with.
    pub fn input(&self) -> Input {
        Input::new(
            self.command.clone(),
            self.cwd.clone(),
            self.env.iter().collect(),
        )
    }

    /// The same as a fixture; `authored` are the settings that the author wrote.
    pub(super) fn fixture(&self, name: String, authored: &[Value]) -> Fixture {
        Fixture {
            name,
            command: self.command.clone(),
            cwd: self.cwd.clone(),
            env: self.env.clone(),
            settings: match &self.settings {
                CaseSettings::Authored(0) => None,
                CaseSettings::Authored(index) => authored.get(*index).cloned(),
                CaseSettings::MadeUp(settings) => Some(settings.clone()),
            },
            expect: crate::authoring::fixtures::Expect::Sound,
        }
    }
}
