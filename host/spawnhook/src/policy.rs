//! What the policies of a deployment say about a command, without running it: judged by the code
//! of the guard `builtin:command-policy` itself.

use serde::Serialize;
use spawnhook_hooks::When;
use spawnhook_model::Origin;
use spawnhook_policy::{Explanation, Facts, Policy, Verdict};

use crate::config::{Component, Config, HookEntry};

mod tree;

/// The name of the component whose policies are judged by.
const COMPONENT: &str = "command-policy";

/// A command, and where it would come from.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// Shell source text, without the operator's prefix.
    pub command: String,
    /// The front end.
    pub origin: Origin,
    /// The working directory, an absolute path.
    pub cwd: String,
}

/// What the policies say.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The strictest of their verdicts.
    pub verdict: Verdict,
    /// One for each policy, in the order of the hooks. Where no hook has one it is that of a hook
    /// without settings.
    pub policies: Vec<PolicyAnswer>,
    /// The hooks that may change the command before the policies see it; here they do not.
    pub rewritten_by: Vec<String>,
}

/// What one policy says.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyAnswer {
    /// The hook; none if none is configured.
    pub hook: Option<String>,
    /// What it says; none if the hook is not called for commands from there.
    #[serde(flatten)]
    pub explanation: Option<Explanation>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The hook would not load either.
    #[error("hook `{hook}`: bad settings: {}", problems.join("; "))]
    Settings {
        /// The hook.
        hook: String,
        /// What is wrong, each as `path: what was expected`.
        problems: Vec<String>,
    },
}

/// Judges a command by every policy of the deployment.
///
/// # Errors
///
/// If the settings of a hook are no policy.
pub fn explain(config: &Config, inquiry: &Inquiry) -> Result<Answer, ExplainError> {
    let guards = config.hooks.iter().filter(|hook| has_policy(hook));
    let mut policies = guards
        .map(|hook| by_hook(config, hook, inquiry))
        .collect::<Result<Vec<_>, _>>()?;
    if policies.is_empty() {
        policies.push(PolicyAnswer {
            hook: None,
            explanation: Some(judge(config, &Policy::default(), inquiry)),
        });
    }
    let verdicts = policies.iter().filter_map(PolicyAnswer::verdict);
    Ok(Answer {
        verdict: verdicts.max().unwrap_or(Verdict::Allow),
        rewritten_by: rewriters(config, inquiry),
        policies,
    })
}

impl PolicyAnswer {
    fn verdict(&self) -> Option<Verdict> {
        let explanation = self.explanation.as_ref()?;
        Some(explanation.verdict)
    }
}

fn has_policy(hook: &HookEntry) -> bool {
    matches!(&hook.component, Component::Builtin(name) if name == COMPONENT)
}

fn by_hook(
    config: &Config,
    hook: &HookEntry,
    inquiry: &Inquiry,
) -> Result<PolicyAnswer, ExplainError> {
    let policy = Policy::from_json(&hook.settings.to_string());
    let policy = policy.map_err(|problems| ExplainError::Settings {
        hook: hook.name.clone(),
        problems,
    })?;
    let called = is_called(hook, &inquiry.origin);
    Ok(PolicyAnswer {
        hook: Some(hook.name.clone()),
        explanation: called.then(|| judge(config, &policy, inquiry)),
    })
}

fn judge(config: &Config, policy: &Policy, inquiry: &Inquiry) -> Explanation {
    let facts = Facts {
        origin: &inquiry.origin.to_string(),
        workspace: &config.workspace.root.to_string_lossy(),
        cwd: &inquiry.cwd,
    };
    policy.judge(&inquiry.command, "", &facts).explain()
}

fn is_called(hook: &HookEntry, origin: &Origin) -> bool {
    let when = When::new(&hook.when.origin, None);
    when.is_ok_and(|when| when.holds_for(origin))
}

fn rewriters(config: &Config, inquiry: &Inquiry) -> Vec<String> {
    let hooks = config.hooks.iter();
    hooks
        .filter(|hook| hook.may.command && is_called(hook, &inquiry.origin))
        .map(|hook| hook.name.clone())
        .collect()
}

#[cfg(test)]
mod tests;
