//! What came out.

use spawnhook_shell::Analysis;

use crate::{Verdict, shown::shown};

/// The judgement of a text.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The strictest verdict of all findings.
    pub verdict: Verdict,
    /// What was judged: every command, every place that is written to, everything undecidable.
    pub findings: Vec<Finding>,
    /// The commands.
    pub analysis: Analysis,
    /// The programs that a list of the policy allows.
    pub(crate) allowed: Vec<String>,
}

/// The verdict about one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub subject: Subject,
    /// The verdict.
    pub verdict: Verdict,
    /// The rule that decided: its name, `rules[N]`, `allowed`, `default` and the like.
    pub rule: String,
    /// Why, for a person or a model; empty if it is allowed.
    pub why: String,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A command, by its index.
    Command(usize),
    /// A redirection that writes: the index of its command, and its own there.
    Target(usize, usize),
    /// Something undecidable, by its index.
    Undecidable(usize),
}

/// The name of the rule for what no other is about.
pub(crate) const DEFAULT: &str = "default";

/// How many findings a reason names.
const NAMED_FINDINGS: usize = 3;

impl Judgement {
    /// Why the verdict is not to allow; empty if it is.
    #[must_use]
    pub fn reason(&self) -> String {
        if self.verdict == Verdict::Allow {
            return String::new();
        }
        let mut named: Vec<&Finding> = Vec::new();
        let mut more = false;
        for finding in &self.findings {
            let known = named.iter().any(|other| other.why == finding.why);
            if finding.verdict == self.verdict && !known {
                more = named.len() == NAMED_FINDINGS;
                if more {
                    break;
                }
                named.push(finding);
            }
        }
        let mut reasons: Vec<&str> = named.iter().map(|finding| finding.why.as_str()).collect();
        if more {
            reasons.push("and more");
        }
        let allowed = self.allowed.join(", ");
        let hint = format!("the allowed programs are {allowed}");
        if !allowed.is_empty() && named.iter().any(|finding| finding.wants_permission()) {
            reasons.push(&hint);
        }
        // Commands and settings are quoted in it.
        shown(&reasons.join("; "))
    }
}

impl Finding {
    /// Whether it is about a program that no rule is about.
    fn wants_permission(&self) -> bool {
        matches!(self.subject, Subject::Command(_)) && self.rule == DEFAULT
    }
}
