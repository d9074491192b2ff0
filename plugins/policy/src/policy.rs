//! The settings.

use spawnhook_sdk::{
    Settings,
    settings::{self, FromSetting, Setting},
};
use spawnhook_shell::Dialect;

use crate::{Verdict, folders::Area, glob::Glob, rule::Rule};

/// A policy, as its settings say. Nothing is allowed by the default one, and everything is asked
/// about.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) rules: Vec<NamedRule>,
    pub(crate) default: Verdict,
    pub(crate) undecidable: Verdict,
    pub(crate) dialect: Dialect,
    /// The programs that a list allows, for the reasons.
    pub(crate) allowed: Vec<String>,
}

/// A rule and what it is called in a reason.
#[derive(Clone, Debug)]
pub(crate) struct NamedRule {
    pub(crate) rule: Rule,
    pub(crate) name: String,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            rules: Vec::new(),
            default: Verdict::Ask,
            undecidable: Verdict::Ask,
            dialect: Dialect::Bash,
            allowed: Vec::new(),
        }
    }
}

impl Policy {
    /// Reads the text of the settings, a JSON object.
    ///
    /// # Errors
    ///
    /// All problems, each as `path: what was expected`.
    pub fn from_json(settings: &str) -> Result<Self, Vec<String>> {
        settings::read(settings, Self::read)
    }

    /// Reads the settings of the hook. What is wrong is reported in `settings`.
    pub fn read(settings: &mut Settings<'_>) -> Self {
        let rules: Vec<Rule> = settings.optional("rules").unwrap_or_default();
        let mut policy = Self {
            rules: rules.into_iter().enumerate().map(named).collect(),
            ..Self::default()
        };
        policy.read_list(settings, "denied", Verdict::Deny);
        policy.read_list(settings, "asked", Verdict::Ask);
        policy.read_list(settings, "allowed", Verdict::Allow);
        if let Some(areas) = settings.optional::<Vec<Area>>("writable") {
            policy.rules.push(NamedRule {
                rule: Rule::of_places(areas),
                name: "writable".to_owned(),
            });
        }
        policy.default = settings.optional("default").unwrap_or(policy.default);
        policy.undecidable = settings
            .optional("undecidable")
            .unwrap_or(policy.undecidable);
        if let Some(Shell(dialect)) = settings.optional("shell") {
            policy.dialect = dialect;
        }
        policy
    }

    fn read_list(&mut self, settings: &mut Settings<'_>, name: &'static str, verdict: Verdict) {
        let Some(programs) = settings.optional::<Vec<Glob>>(name) else {
            return;
        };
        if verdict == Verdict::Allow {
            self.allowed = programs
                .iter()
                .map(|glob| glob.as_str().to_owned())
                .collect();
        }
        if !programs.is_empty() {
            self.rules.push(NamedRule {
                rule: Rule::of_programs(programs, verdict),
                name: name.to_owned(),
            });
        }
    }
}

fn named((index, rule): (usize, Rule)) -> NamedRule {
    let name = rule.name.clone();
    NamedRule {
        name: name.unwrap_or_else(|| format!("rules[{index}]")),
        rule,
    }
}

/// The shell that runs the commands.
struct Shell(Dialect);

impl FromSetting for Shell {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        setting.parse(|text| match text {
            "bash" => Ok(Self(Dialect::Bash)),
            "sh" => Ok(Self(Dialect::Common)),
            _ => Err("bash, or sh for any other shell"),
        })
    }
}
