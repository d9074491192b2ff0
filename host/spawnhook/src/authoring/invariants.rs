use std::io;

use spawnhook_exec::visible;
use spawnhook_model::{FailureClass, Stage};

use super::{Decision, Input, Observation, ShellSyntax, Workbench};

/// What has to hold of a hook whatever it is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Invariant {
    /// No call fails: the hook stays within its limits and its rights.
    Works,
    /// The same command gets the same decision in another call.
    Repeatable,
    /// Reasons and questions say something, without characters that a terminal would obey.
    Printable,
    /// The hook leaves alone what it returned.
    Idempotent,
    /// An empty command does not become one that does something.
    KeepsEmpty,
    /// What a shell can parse it can parse afterwards.
    Parses,
}

impl Invariant {
    /// The name that reports use, and `[fuzz]` in a file of fixtures where it is there.
    pub fn name(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::Repeatable => "repeatable",
            Self::Printable => "printable",
            Self::Idempotent => "idempotent",
            Self::KeepsEmpty => "keeps_empty",
            Self::Parses => "parses",
        }
    }
}

/// Which invariants are checked. That calls do not fail and that reasons are printable always is.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    /// Whether [`Invariant::Repeatable`] is.
    pub repeatable: bool,
    /// Whether [`Invariant::Idempotent`] is.
    pub idempotent: bool,
    /// Whether [`Invariant::KeepsEmpty`] is.
    pub keeps_empty: bool,
    /// Who is asked for [`Invariant::Parses`], if it is checked.
    pub parses: Option<ShellSyntax>,
}

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which one.
    pub invariant: Invariant,
    /// The class of the failure, where a call failed.
    pub class: Option<FailureClass>,
    /// What happened.
    pub message: String,
}

/// Whose settings a hook has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settings {
    /// Those that its author wrote: all that is asked of the hook has to hold.
    Authored,
    /// Some that were made up and that it accepted: what they tell it to do may be against its
    /// rights, or make no sense.
    MadeUp,
}

impl Invariants {
    /// Calls a hook as often as it takes, and tells the first invariant that does not hold.
    ///
    /// # Errors
    ///
    /// If the shell cannot be asked.
    pub fn check(
        &self,
        bench: &Workbench,
        input: &Input,
    ) -> io::Result<(Observation, Option<Violation>)> {
        self.check_with(bench, input, Settings::Authored)
    }

    pub(super) fn check_with(
        &self,
        bench: &Workbench,
        input: &Input,
        settings: Settings,
    ) -> io::Result<(Observation, Option<Violation>)> {
        let observation = bench.call(input);
        let mut violation = works(&observation.decision, settings)
            .or_else(|| printable(&observation))
            .or_else(|| self.repeatable(bench, input, &observation.decision));
        let rewrites = bench.stage() == Stage::Rewrite && settings == Settings::Authored;
        if violation.is_none() && rewrites {
            violation = self.rewriter(bench, input, &observation.decision)?;
        }
        Ok((observation, violation))
    }

    fn repeatable(&self, bench: &Workbench, input: &Input, first: &Decision) -> Option<Violation> {
        if !self.repeatable || matches!(first, Decision::Failed(_)) {
            return None;
        }
        let second = bench.call(&input.again()).decision;
        (second != *first).then(|| {
            violated(
                Invariant::Repeatable,
                format!(
                    "another call of the same command came out differently: first {}, then {}",
                    shown(first),
                    shown(&second)
                ),
            )
        })
    }

    /// What its author may ask of a hook that changes commands.
    fn rewriter(
        &self,
        bench: &Workbench,
        input: &Input,
        decision: &Decision,
    ) -> io::Result<Option<Violation>> {
        let Decision::Changed(after) = decision else {
            return Ok(None);
        };
        let is_empty = input.spawn.command.trim().is_empty();
        if self.keeps_empty && is_empty && !after.command.trim().is_empty() {
            let message = format!("an empty command became {:?}", after.command);
            return Ok(Some(violated(Invariant::KeepsEmpty, message)));
        }
        if self.idempotent {
            let again = bench.call(&input.followed_by(after)).decision;
            if again != Decision::Unchanged {
                let message = format!(
                    "called with what it had returned, {}, the hook did not leave it alone: {}",
                    shown(decision),
                    shown(&again)
                );
                return Ok(Some(violated(Invariant::Idempotent, message)));
            }
        }
        self.parses(&input.spawn.command, &after.command)
    }

    fn parses(&self, before: &str, after: &str) -> io::Result<Option<Violation>> {
        let Some(syntax) = self.parses.as_ref().filter(|_| before != after) else {
            return Ok(None);
        };
        // With a backslash at the very end, bash accepts with -n what it does not run.
        if before.ends_with('\\') {
            return Ok(None);
        }
        // What no shell could parse before need not become better.
        let Some(problem) = syntax.problem(after)? else {
            return Ok(None);
        };
        Ok(syntax.problem(before)?.is_none().then(|| {
            violated(
                Invariant::Parses,
                format!("a shell could parse the command, and not what became of it: {problem}"),
            )
        }))
    }
}

fn works(decision: &Decision, settings: Settings) -> Option<Violation> {
    let Decision::Failed(failure) = decision else {
        return None;
    };
    let told_to = matches!(
        failure.class,
        FailureClass::Overstepped
            | FailureClass::Refused
            | FailureClass::BadResult
            | FailureClass::DataLimit
    );
    (settings == Settings::Authored || !told_to).then(|| Violation {
        invariant: Invariant::Works,
        class: Some(failure.class),
        message: format!("{}: {failure}", failure.class.name()),
    })
}

fn printable(observation: &Observation) -> Option<Violation> {
    let said = observation.trial.said.as_deref()?;
    let hidden = said.lines().any(|line| visible(line) != line);
    let message = if said.trim().is_empty() {
        "the hook refused without a reason".to_owned()
    } else if hidden {
        format!("the reason holds characters that are not shown: {said:?}")
    } else {
        return None;
    };
    Some(violated(Invariant::Printable, message))
}

fn violated(invariant: Invariant, message: String) -> Violation {
    Violation {
        invariant,
        class: None,
        message,
    }
}

fn shown(decision: &Decision) -> String {
    let details = match decision {
        Decision::Changed(spawn) => Some(format!(
            "{:?} in {:?} with {} variables",
            spawn.command,
            spawn.cwd,
            spawn.env.len()
        )),
        other => other.text(),
    };
    match details {
        Some(details) => format!("{} ({details})", decision.name()),
        None => decision.name().to_owned(),
    }
}
