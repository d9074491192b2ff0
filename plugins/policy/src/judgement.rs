//! What came out.

use spawnhook_shell::Analysis;

use crate::Verdict;

/// The judgement of a text.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The strictest verdict of all findings.
    pub verdict: Verdict,
    /// What was judged: every command, every place that is written to, everything undecidable.
    pub findings: Vec<Finding>,
    /// The commands.
    pub analysis: Analysis,
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

/// How many findings a reason names.
const NAMED_FINDINGS: usize = 3;

impl Judgement {
    /// Why the verdict is not to allow; empty if it is.
    #[must_use]
    pub fn reason(&self) -> String {
        if self.verdict == Verdict::Allow {
            return String::new();
        }
        let mut reasons: Vec<&str> = Vec::new();
        for finding in &self.findings {
            if finding.verdict == self.verdict && !reasons.contains(&finding.why.as_str()) {
                reasons.push(&finding.why);
            }
            if reasons.len() > NAMED_FINDINGS {
                break;
            }
        }
        if reasons.len() > NAMED_FINDINGS {
            reasons[NAMED_FINDINGS] = "and more";
        }
        reasons.join("; ")
    }
}
