//! What a config says that an operator may not have meant.

use wildmatch::WildMatch;

use super::Config;
use crate::env_policy::{CORE_WORD, EXCLUDE, Inherit, overlap};

/// How many globs a warning names.
const NAMED: usize = 4;

impl Config {
    /// The rules that let commands or hooks have what is named like a secret, each in a sentence
    /// with its place.
    pub fn warnings(&self) -> Vec<String> {
        let open = self.open_globs();
        let mut warnings = Vec::new();
        warnings.extend(self.inherited_secrets(&open));
        warnings.extend(self.set_secrets());
        for hook in &self.hooks {
            let place = self.provenance.place(&format!("hook.{}", hook.name));
            for glob in &hook.may.see_env {
                if let Some(what) = self.seen_secrets(glob, &open) {
                    warnings.push(format!(
                        "hook `{}` ({place}) sees {what}: `may.see_env` has {glob:?}",
                        hook.name
                    ));
                }
            }
        }
        warnings
    }

    /// The globs of secrets that the exclusions no longer cover.
    fn open_globs(&self) -> Vec<&'static str> {
        let closed = |secret: &str| {
            // a glob that matches the other one's text, its stars by stars, matches all its names
            let covers = |glob: &String| {
                !glob.contains('?') && WildMatch::new_case_insensitive(glob).matches(secret)
            };
            self.env.exclude.iter().any(covers)
        };
        let globs = EXCLUDE.iter().copied();
        globs.filter(|secret| !closed(secret)).collect()
    }

    /// What `inherit` lets through of it.
    fn inherited<'a>(&'a self, open: &'a [&'static str]) -> Vec<(&'a str, &'static str)> {
        let rules: Vec<&str> = match &self.env.inherit {
            Inherit::Core => Vec::new(),
            Inherit::All => vec!["*"],
            Inherit::Globs(globs) => globs.iter().map(String::as_str).collect(),
        };
        let rules = rules.into_iter().filter(|rule| *rule != CORE_WORD);
        let pairs = rules.flat_map(|rule| open.iter().map(move |secret| (rule, *secret)));
        pairs
            .filter(|(rule, secret)| overlap(rule, secret) && !self.is_excluded(rule))
            .collect()
    }

    /// Whether all that a glob of `inherit` matches is excluded.
    fn is_excluded(&self, rule: &str) -> bool {
        let exclude = self.env.exclude.iter();
        let mut globs = exclude.filter(|glob| !glob.contains('?'));
        globs.any(|glob| WildMatch::new_case_insensitive(glob).matches(rule))
    }

    fn inherited_secrets(&self, open: &[&'static str]) -> Option<String> {
        let inherited = self.inherited(open);
        let (rule, _) = inherited.first()?;
        let rule = match self.env.inherit {
            Inherit::All => "all",
            _ => rule,
        };
        let mut globs: Vec<&str> = inherited.iter().map(|(_, secret)| *secret).collect();
        globs.dedup();
        let (inherit, exclude) = ("env.inherit", "env.exclude");
        Some(format!(
            "commands get variables named like secrets: {inherit} ({}) has {rule:?}, and {exclude} ({}) no \
             longer has {}",
            self.provenance.place(inherit),
            self.provenance.place(exclude),
            named(&globs)
        ))
    }

    fn set_secrets(&self) -> Option<String> {
        let names: Vec<&str> = self.secrets_that_are_set().collect();
        let first = names.first()?;
        Some(format!(
            "every command gets {}, named like a secret, from env.set ({})",
            named(&names),
            self.provenance.place(&format!("env.set.{first}"))
        ))
    }

    fn secrets_that_are_set(&self) -> impl Iterator<Item = &str> {
        let names = self.env.set.iter().map(|(name, _)| name.as_str());
        names.filter(|name| EXCLUDE.iter().any(|secret| overlap(secret, name)))
    }

    /// What a hook sees by a glob that it should not.
    fn seen_secrets(&self, glob: &str, open: &[&'static str]) -> Option<String> {
        if glob.chars().all(|char| matches!(char, '*' | '?')) {
            return Some("the values of all variables of every command".to_owned());
        }
        let set = self
            .secrets_that_are_set()
            .filter(|name| overlap(glob, name));
        let inherited = self.inherited(open);
        let inherited = inherited
            .iter()
            .filter(|(rule, secret)| overlap(glob, rule) && overlap(glob, secret));
        let mut names: Vec<&str> = set.chain(inherited.map(|(_, secret)| *secret)).collect();
        names.dedup();
        (!names.is_empty()).then(|| {
            format!(
                "the values of variables named like secrets ({})",
                named(&names)
            )
        })
    }
}

/// The first few, and how many more there are.
fn named(globs: &[&str]) -> String {
    let shown = globs.iter().take(NAMED).map(|glob| format!("{glob:?}"));
    let mut shown = shown.collect::<Vec<_>>().join(", ");
    if globs.len() > NAMED {
        shown += &format!(" and {} more", globs.len() - NAMED);
    }
    shown
}
