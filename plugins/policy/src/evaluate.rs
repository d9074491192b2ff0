//! Judging.

use spawnhook_shell::{Part, Redirection, Role, Undecidable, analyze};

use crate::{
    Facts, Finding, Judgement, Policy, Subject, Verdict, folders::Folders, glob::Match,
    judgement::DEFAULT, policy::NamedRule,
};

/// What the rules say.
struct Decision<'a> {
    verdict: Verdict,
    /// None for what no rule is about.
    rule: Option<&'a NamedRule>,
    /// The rule is about it only if something turns out so at run time.
    uncertain: bool,
}

impl Policy {
    /// Judges `command`, except the operator's `prefix` at its head.
    #[must_use]
    pub fn judge(&self, command: &str, prefix: &str, facts: &Facts<'_>) -> Judgement {
        let text = command.strip_prefix(prefix).unwrap_or(command);
        let analysis = analyze(text, self.dialect);
        let folders = Folders::new(&analysis.parts, facts);
        let mut findings = Vec::new();
        for (index, part) in analysis.parts.iter().enumerate() {
            findings.extend(self.judge_command(index, part, facts));
            for (number, redirection) in part.redirections.iter().enumerate() {
                let subject = Subject::Target(index, number);
                let finding = self.judge_target(subject, part, redirection, &folders, facts);
                findings.extend(finding);
            }
        }
        for (index, unknown) in analysis.undecidable.iter().enumerate() {
            findings.push(self.judge_undecidable(index, unknown));
        }
        let verdicts = findings.iter().map(|finding| finding.verdict);
        Judgement {
            verdict: verdicts.max().unwrap_or(Verdict::Allow),
            findings,
            analysis,
            allowed: self.allowed.clone(),
        }
    }

    /// The first rule that matches for certain decides; one before it that may match makes the
    /// verdict stricter, but not stricter than for what is undecidable.
    fn decide(&self, role: Role, matches: impl Fn(&NamedRule) -> Match) -> Decision<'_> {
        let mut strictest: Option<Decision<'_>> = None;
        for named in &self.rules {
            let matched = matches(named);
            if matched == Match::No {
                continue;
            }
            let uncertain = matched == Match::Maybe;
            let verdict = match uncertain {
                true => named.rule.verdict.min(self.undecidable),
                false => named.rule.verdict,
            };
            let decision = Decision {
                verdict,
                rule: Some(named),
                uncertain,
            };
            strictest = Some(match strictest {
                Some(found) if found.verdict >= verdict => found,
                _ => decision,
            });
            if !uncertain {
                return strictest.unwrap_or_else(|| self.without_rule(role));
            }
        }
        let otherwise = self.without_rule(role);
        match strictest {
            Some(found) if found.verdict > otherwise.verdict => found,
            _ => otherwise,
        }
    }

    fn judge_command(&self, index: usize, part: &Part, facts: &Facts<'_>) -> Option<Finding> {
        // what has no name is undecidable, and judged as such
        let program = part.program()?;
        program.literal()?;
        let decision = self.decide(part.role, |named| named.rule.matches_command(part, facts));
        Some(Self::finding(
            Subject::Command(index),
            &decision,
            part.role,
            &part.text,
            "",
        ))
    }

    fn without_rule(&self, role: Role) -> Decision<'_> {
        Decision {
            verdict: match role {
                Role::Program => self.default,
                Role::Builtin | Role::Function | Role::Wrapper | Role::Bare => Verdict::Allow,
            },
            rule: None,
            uncertain: false,
        }
    }

    fn judge_target(
        &self,
        subject: Subject,
        part: &Part,
        redirection: &Redirection,
        folders: &Folders,
        facts: &Facts<'_>,
    ) -> Option<Finding> {
        let target = folders.target(redirection)?;
        let matches = |named: &NamedRule| named.rule.matches_target(part, &target, facts);
        let decision = self.decide(Role::Program, matches);
        let file = match redirection.target.literal() {
            Some(file) => format!("writing to {file} by "),
            None => format!("writing to {}… by ", redirection.target.head()),
        };
        Some(Self::finding(
            subject,
            &decision,
            Role::Program,
            &part.text,
            &file,
        ))
    }

    fn judge_undecidable(&self, index: usize, unknown: &Undecidable) -> Finding {
        Finding {
            subject: Subject::Undecidable(index),
            verdict: self.undecidable,
            rule: "undecidable".to_owned(),
            why: format!(
                "`{}`: what it runs can't be told ({})",
                unknown.text,
                unknown.construct.describe()
            ),
        }
    }

    fn finding(
        subject: Subject,
        decision: &Decision<'_>,
        role: Role,
        text: &str,
        what: &str,
    ) -> Finding {
        let rule = match decision.rule {
            Some(named) => named.name.clone(),
            None => role_rule(role).to_owned(),
        };
        let why = match decision.rule {
            // what is allowed needs no reason, and is most of what is judged
            _ if decision.verdict == Verdict::Allow => String::new(),
            Some(named) => format!("{what}`{text}`: {}", because(named, decision)),
            None => format!("{what}`{text}`: no rule allows it"),
        };
        Finding {
            subject,
            verdict: decision.verdict,
            rule,
            why,
        }
    }
}

/// What stands for a rule where none is needed.
const fn role_rule(role: Role) -> &'static str {
    match role {
        Role::Program => DEFAULT,
        Role::Builtin | Role::Bare => "builtin",
        Role::Function => "function",
        Role::Wrapper => "wrapper",
    }
}

/// Why a rule decided as it did.
fn because(named: &NamedRule, decision: &Decision<'_>) -> String {
    let about = match decision.uncertain {
        true => "may be what is meant by",
        false => match decision.verdict {
            Verdict::Allow => "allowed by",
            Verdict::Ask => "to be asked about, by",
            Verdict::Deny => "denied by",
        },
    };
    match &named.rule.reason {
        Some(reason) => format!("{about} {} ({reason})", named.name),
        None => format!("{about} {}", named.name),
    }
}
