//! What is done to a command: read from the settings, applied to its text.

use std::fmt;

use spawnhook_sdk::{Settings, pattern::Letters};

use crate::{lines, rule::Rule};

/// How many bytes a command may have, by the interface.
const COMMAND_BYTES: usize = 1024 * 1024;

/// The rules, then the lines around.
#[derive(Default)]
pub(crate) struct Rewrite {
    prepend: Vec<String>,
    append: Vec<String>,
    rules: Vec<Rule>,
}

/// The rule with this index makes the command too long.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong {
    rule: usize,
}

impl fmt::Display for TooLong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "rules[{}] of the command rewriting makes the command longer than {COMMAND_BYTES} bytes",
            self.rule
        )
    }
}

impl Rewrite {
    pub(crate) fn read(settings: &mut Settings<'_>) -> Self {
        Self {
            prepend: settings.optional("prepend").unwrap_or_default(),
            append: settings.optional("append").unwrap_or_default(),
            rules: settings.optional("rules").unwrap_or_default(),
        }
    }

    /// `command` rewritten, except the operator's `prefix` at its head.
    pub(crate) fn apply(&self, command: &str, prefix: &str) -> Result<String, TooLong> {
        let body = command.strip_prefix(prefix);
        let (head, body) = body.map_or(("", command), |body| (prefix, body));
        let mut body = self.replace(body)?;
        lines::prepend(&self.prepend, &mut body);
        lines::append(&mut body, &self.append);
        body.insert_str(0, head);
        Ok(body)
    }

    fn replace(&self, body: &str) -> Result<String, TooLong> {
        let mut body = body.to_owned();
        let mut letters = Letters::of(&body);
        for (index, rule) in self.rules.iter().enumerate() {
            if rule.may_match(letters) {
                body = rule
                    .apply(&body, COMMAND_BYTES)
                    .map_err(|_| TooLong { rule: index })?;
                letters = Letters::of(&body);
            }
        }
        Ok(body)
    }
}

#[cfg(test)]
mod tests;
