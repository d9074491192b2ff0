//! A judgement as a tree, for `policy explain`.

use serde::Serialize;
use spawnhook_shell::Role;

use crate::{Finding, Judgement, Subject, Verdict};

/// A judgement.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The verdict about all of it.
    pub verdict: Verdict,
    /// Why it is not to allow; empty if it is.
    pub reason: String,
    /// The commands at the top of the text.
    pub parts: Vec<ExplainedPart>,
    /// What can't be told and belongs to no command.
    pub undecidable: Vec<ExplainedUnknown>,
}

/// A command and those inside it.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedPart {
    /// How it stands in the text.
    pub text: String,
    /// Where it stands: `subshell`, `pipeline` and the like, from the top.
    pub place: Vec<&'static str>,
    /// `program`, `builtin`, `function`, `wrapper` or `bare`.
    pub role: &'static str,
    /// The verdict; none for what runs nothing or can't be told.
    pub verdict: Option<Verdict>,
    /// The rule that decided.
    pub rule: Option<String>,
    /// The files that it writes to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<ExplainedTarget>,
    /// What of it can't be told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecidable: Vec<ExplainedUnknown>,
    /// The commands in its words, and those that it runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inside: Vec<ExplainedPart>,
}

/// A file that is written to.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedTarget {
    /// The file as it is called; what is not known of it is an ellipsis.
    pub file: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The rule that decided.
    pub rule: String,
}

/// Something undecidable.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedUnknown {
    /// The construct: `a program known only at run time`.
    pub construct: &'static str,
    /// The text of it.
    pub text: String,
    /// The verdict.
    pub verdict: Verdict,
}

impl Judgement {
    /// The judgement part by part.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        let mut children = vec![Vec::new(); self.analysis.parts.len()];
        let mut parts = Vec::new();
        // a part stands behind the one that it is inside of
        for index in (0..self.analysis.parts.len()).rev() {
            let mut inside: Vec<ExplainedPart> = std::mem::take(&mut children[index]);
            inside.reverse();
            let explained = self.explain_part(index, inside);
            match self.analysis.parts[index].parent {
                Some(parent) => children[parent].push(explained),
                None => parts.push(explained),
            }
        }
        parts.reverse();
        Explanation {
            verdict: self.verdict,
            reason: self.reason(),
            parts,
            undecidable: self.explain_undecidable(None),
        }
    }

    fn explain_part(&self, index: usize, inside: Vec<ExplainedPart>) -> ExplainedPart {
        let part = &self.analysis.parts[index];
        let command = self.find(Subject::Command(index));
        let writes = part.redirections.iter().enumerate();
        let writes = writes.filter_map(|(number, redirection)| {
            let finding = self.find(Subject::Target(index, number))?;
            let file = match redirection.target.literal() {
                Some(file) => file.to_owned(),
                None => format!("{}…", redirection.target.head()),
            };
            Some(ExplainedTarget {
                file,
                verdict: finding.verdict,
                rule: finding.rule.clone(),
            })
        });
        ExplainedPart {
            text: part.text.clone(),
            place: part.place.iter().map(|step| step.describe()).collect(),
            role: describe(part.role),
            verdict: command.map(|finding| finding.verdict),
            rule: command.map(|finding| finding.rule.clone()),
            writes: writes.collect(),
            undecidable: self.explain_undecidable(Some(index)),
            inside,
        }
    }

    /// What can't be told of a part, or of none.
    fn explain_undecidable(&self, part: Option<usize>) -> Vec<ExplainedUnknown> {
        let unknowns = self.analysis.undecidable.iter().enumerate();
        unknowns
            .filter(|(_, unknown)| unknown.part == part)
            .filter_map(|(index, unknown)| {
                Some(ExplainedUnknown {
                    construct: unknown.construct.describe(),
                    text: unknown.text.clone(),
                    verdict: self.find(Subject::Undecidable(index))?.verdict,
                })
            })
            .collect()
    }

    fn find(&self, subject: Subject) -> Option<&Finding> {
        self.findings
            .iter()
            .find(|finding| finding.subject == subject)
    }
}

const fn describe(role: Role) -> &'static str {
    match role {
        Role::Program => "program",
        Role::Builtin => "builtin",
        Role::Function => "function",
        Role::Wrapper => "wrapper",
        Role::Bare => "bare",
    }
}
