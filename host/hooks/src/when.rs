use regex::{Regex, RegexBuilder};
use spawnhook_model::{Call, Origin};
use wildmatch::WildMatch;

use crate::text::{SHOWN_BYTES, one_line};

/// How much memory a compiled pattern may take, in bytes: enough for some hundred alternatives.
const PATTERN_BYTES: usize = 1 << 20;

/// For which commands a hook is called at all; decided natively, before any WebAssembly. The
/// default is for all of them.
#[derive(Clone, Debug, Default)]
pub struct When {
    origins: Vec<WildMatch>,
    command: Option<Regex>,
}

/// Why there is no such condition.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WhenError {
    /// The pattern for commands is none, or too large.
    #[error("\"{pattern}\" is not a regular expression: {reason}")]
    Command {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl When {
    /// Commands from one of these origins, which are names such as `cli` or globs such as
    /// `agent:*` (from any if there are none), in which `command` matches somewhere.
    ///
    /// # Errors
    ///
    /// If `command` is not a regular expression.
    pub fn new(origins: &[String], command: Option<&str>) -> Result<Self, WhenError> {
        let compile = |pattern: &str| {
            let built = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build();
            built.map_err(|error| WhenError::Command {
                pattern: one_line(pattern, SHOWN_BYTES),
                reason: match error {
                    regex::Error::CompiledTooBig(limit) => {
                        format!("it takes more than {limit} bytes when it is compiled")
                    }
                    error => one_line(last_line(&error.to_string()), SHOWN_BYTES),
                },
            })
        };
        Ok(Self {
            origins: origins
                .iter()
                .map(|origin| WildMatch::new(origin))
                .collect(),
            command: command.map(compile).transpose()?,
        })
    }

    /// Whether it depends on the text of a command, which its author can word otherwise.
    pub fn depends_on_command(&self) -> bool {
        self.command.is_some()
    }

    /// Whether it holds for commands from there, as far as the origin matters.
    pub fn holds_for(&self, origin: &Origin) -> bool {
        let from_there = || {
            let origin = origin.to_string();
            self.origins.iter().any(|known| known.matches(&origin))
        };
        self.origins.is_empty() || from_there()
    }

    pub(crate) fn holds(&self, call: &Call, command: &str) -> bool {
        self.holds_for(&call.origin)
            && self
                .command
                .as_ref()
                .is_none_or(|pattern| pattern.is_match(command))
    }
}

/// The lines before it repeat the pattern and point into it.
fn last_line(text: &str) -> &str {
    let last = text.lines().last().unwrap_or(text);
    last.strip_prefix("error: ").unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::admission::no_call;

    fn holds(when: &When, origin: Origin, command: &str) -> bool {
        let call = Call {
            origin,
            ..Call::clone(&no_call())
        };
        when.holds(&call, command)
    }

    #[test]
    fn without_conditions_it_always_holds() {
        assert!(holds(&When::default(), Origin::Mcp, ""));
    }

    #[test]
    fn one_of_the_origins_is_enough() {
        let origins = ["cli".to_owned(), "agent:c*".to_owned()];
        let when = When::new(&origins, None).unwrap();
        for (origin, expected) in [
            (Origin::Cli, true),
            (Origin::Agent("claude".to_owned()), true),
            (Origin::Agent("gemini".to_owned()), false),
            (Origin::Mcp, false),
        ] {
            assert_eq!(holds(&when, origin.clone(), "ls"), expected, "{origin}");
        }
    }

    #[test]
    fn both_conditions_have_to_hold() {
        let when = When::new(&["cli".to_owned()], Some("^npm |cargo")).unwrap();
        assert!(holds(&when, Origin::Cli, "npm test"));
        assert!(holds(&when, Origin::Cli, "time cargo test"));
        assert!(!holds(&when, Origin::Cli, "ls"));
        assert!(!holds(&when, Origin::Mcp, "npm test"));
    }

    #[test]
    fn what_is_no_pattern_is_said() {
        let error = |pattern: &str| When::new(&[], Some(pattern)).unwrap_err().to_string();
        insta::assert_snapshot!(error("a("), @r#""a(" is not a regular expression: unclosed group"#);
        insta::assert_snapshot!(error(r"\w{500}{500}"), @r#""\w{500}{500}" is not a regular expression: it takes more than 1048576 bytes when it is compiled"#);
    }
}
