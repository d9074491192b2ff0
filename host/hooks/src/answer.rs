#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use spawnhook_model::{Env, Failure, FailureClass, Field, Refusal, SpawnContext, Stage};

use crate::check::SpawnLimits;
use crate::rights::{self, Grants, Variables};
use crate::text::{SHOWN_BYTES, one_line};

/// What a hook is shown of a context.
#[derive(Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) command: &'a str,
    pub(crate) cwd: &'a str,
    pub(crate) env: rights::Shown<'a>,
}

/// What a hook returns of a context.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Returned {
    pub(crate) command: String,
    pub(crate) cwd: String,
    pub(crate) env: Variables,
}

impl<'a> Shown<'a> {
    /// What a hook with these rights is shown of a context.
    ///
    /// # Errors
    ///
    /// If the working directory is not UTF-8: the interface has no other paths.
    pub(crate) fn new(spawn: &'a SpawnContext, grants: &Grants) -> Result<Self, Failure> {
        let Some(cwd) = spawn.cwd.to_str() else {
            return Err(Failure {
                class: FailureClass::Host,
                message: format!(
                    "the working directory \"{}\" is not UTF-8, and hooks know no other paths; \
                     run the command somewhere else",
                    one_line(&spawn.cwd.to_string_lossy(), 200)
                ),
            });
        };
        Ok(Self {
            command: &spawn.command,
            cwd,
            env: grants.shown(&spawn.env),
        })
    }

    /// Bytes of all texts.
    pub(crate) fn bytes(&self) -> u64 {
        let env = self
            .env
            .iter()
            .map(|(name, value)| name.len() + value.len());
        (self.command.len() + self.cwd.len() + env.sum::<usize>()) as u64
    }

    /// The first field in which `returned`, whose variables are sorted, differs.
    fn differs_in(&self, returned: &Returned) -> Option<Field> {
        if self.command != returned.command {
            Some(Field::Command)
        } else if self.cwd != returned.cwd {
            Some(Field::Cwd)
        } else {
            (!self.has_env(&returned.env)).then_some(Field::Env)
        }
    }

    fn has_env(&self, env: &Variables) -> bool {
        let env = env.iter();
        self.env
            .iter()
            .copied()
            .eq(env.map(|(name, value)| (name.as_str(), value.as_str())))
    }
}

/// What a hook said to a command, once it was checked against its stage and its rights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// Let it run as it is.
    Unchanged,
    /// Let this run instead.
    Changed(Arc<SpawnContext>, Vec<Field>),
    /// Do not let it run as it stands.
    Refused(Refusal),
}

/// One call of a hook that is over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Called {
    /// From taking the call to having its checked answer.
    pub(crate) took: Duration,
    /// The answer, or how the call failed.
    pub(crate) answer: Result<Answer, Failure>,
    /// What the operator should know besides.
    pub(crate) notices: Vec<String>,
}

/// Checks what a hook returned for `spawn`, of which it was `shown` a part.
///
/// # Errors
///
/// If its stage or its rights do not allow it, or if no command can be like that.
pub(crate) fn judge(
    stage: Stage,
    grants: &Grants,
    spawn: &SpawnContext,
    shown: &Shown<'_>,
    returned: Result<Returned, Refusal>,
) -> Result<Answer, Failure> {
    match returned {
        Err(refusal) => judge_refusal(stage, refusal).map(Answer::Refused),
        Ok(returned) => judge_change(stage, grants, spawn, shown, returned),
    }
}

pub(crate) fn judge_refusal(stage: Stage, refusal: Refusal) -> Result<Refusal, Failure> {
    let tidy = |text: String| one_line(&text, SHOWN_BYTES);
    match (stage, refusal) {
        (Stage::Rewrite | Stage::Guard, Refusal::Deny(reason)) => Ok(Refusal::Deny(tidy(reason))),
        (Stage::Guard, Refusal::Ask(question)) => Ok(Refusal::Ask(tidy(question))),
        (Stage::Rewrite, Refusal::Ask(question)) => Err(refused(
            "asked a question",
            "only a hook of stage guard may, which sees the final command",
            &question,
        )),
        (Stage::Audit, Refusal::Deny(text) | Refusal::Ask(text)) => Err(refused(
            "refused the command",
            "a hook of stage audit only records; put it in stage guard",
            &text,
        )),
    }
}

fn refused(what: &str, fix: &str, said: &str) -> Failure {
    Failure {
        class: FailureClass::Refused,
        message: one_line(&format!("{what}, but {fix}; it said: {said}"), SHOWN_BYTES),
    }
}

fn judge_change(
    stage: Stage,
    grants: &Grants,
    spawn: &SpawnContext,
    shown: &Shown<'_>,
    mut returned: Returned,
) -> Result<Answer, Failure> {
    // The order of the variables means nothing.
    returned.env.sort();
    let Some(field) = shown.differs_in(&returned) else {
        return Ok(Answer::Unchanged);
    };
    if stage != Stage::Rewrite {
        return Err(overstepped(format!(
            "changed {}, but a hook of stage {stage} changes nothing; put it in stage rewrite",
            field.name()
        )));
    }
    let changed = change(grants, spawn, shown, &returned)?;
    let fields = fields_changed(spawn, &changed);
    if fields.is_empty() {
        return Ok(Answer::Unchanged);
    }
    SpawnLimits::default().env(&spawn.env, &changed.env, &changed.command)?;
    Ok(Answer::Changed(Arc::new(changed), fields))
}

fn change(
    grants: &Grants,
    spawn: &SpawnContext,
    shown: &Shown<'_>,
    returned: &Returned,
) -> Result<SpawnContext, Failure> {
    let limits = SpawnLimits::default();
    let mut changed = SpawnContext {
        command: spawn.command.clone(),
        cwd: spawn.cwd.clone(),
        env: Env::new(),
    };
    if returned.command != shown.command {
        limits.command(&returned.command)?;
        granted(grants.command, Field::Command)?;
        changed.command.clone_from(&returned.command);
    }
    if returned.cwd != shown.cwd {
        limits.cwd(&returned.cwd)?;
        granted(grants.cwd, Field::Cwd)?;
        changed.cwd = returned.cwd.clone().into();
    }
    changed.env = if shown.has_env(&returned.env) {
        spawn.env.clone()
    } else {
        grants.merge(&spawn.env, &shown.env, &returned.env)?
    };
    Ok(changed)
}

pub(crate) fn fields_changed(before: &SpawnContext, after: &SpawnContext) -> Vec<Field> {
    let fields = [
        (Field::Command, before.command != after.command),
        (Field::Cwd, before.cwd != after.cwd),
        (Field::Env, before.env != after.env),
    ];
    fields
        .into_iter()
        .filter_map(|(field, differs)| differs.then_some(field))
        .collect()
}

fn granted(right: bool, field: Field) -> Result<(), Failure> {
    if right {
        return Ok(());
    }
    let name = field.name();
    Err(overstepped(format!(
        "changed {name}, which its rights do not cover; grant it with may.{name} = true"
    )))
}

pub(crate) fn overstepped(message: String) -> Failure {
    Failure {
        class: FailureClass::Overstepped,
        message,
    }
}
