//! How what hooks have changed gets into the tool's input. Nothing is written into the text of the
//! command that no hook has written there.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use spawnhook_exec::visible;
use spawnhook_model::{Env, SpawnContext};

use super::dialect::ShellCall;

/// What an agent cannot be told.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum Cannot {
    #[error(
        "runs no other command than the one it asks about here, and hooks changed it; \
         `spawnhook agent-hook install` has it ask where it does"
    )]
    Command,
    #[error(
        "cannot be told another directory, and hooks changed it to {0}; \
         with --own-process it need not be"
    )]
    Cwd(String),
    #[error(
        "cannot be told other variables, and hooks changed {}; with --own-process it need not be",
        .0.join(", ")
    )]
    Env(Vec<String>),
}

/// The tool's whole input for the command as it is to run; none if it is as it came.
pub(super) fn carry(
    call: &ShellCall,
    requested: &SpawnContext,
    spawn: &SpawnContext,
) -> Result<Option<Map<String, Value>>, Cannot> {
    let variables = differing(&requested.env, &spawn.env);
    if !variables.is_empty() {
        return Err(Cannot::Env(variables));
    }
    let mut arguments = call.arguments.clone();
    if spawn.command != call.command {
        arguments.insert("command".to_owned(), spawn.command.clone().into());
    }
    if spawn.cwd != requested.cwd {
        let cannot = || Cannot::Cwd(visible(&spawn.cwd.display().to_string()).into_owned());
        let name = call.event.cwd_argument().ok_or_else(cannot)?;
        let cwd = spawn.cwd.to_str().ok_or_else(cannot)?;
        arguments.insert(name.to_owned(), cwd.into());
    }
    let is_changed = arguments != call.arguments;
    if is_changed && !call.event.rewrites() {
        return Err(Cannot::Command);
    }
    Ok(is_changed.then_some(arguments))
}

/// The names of the variables that differ.
fn differing(before: &Env, after: &Env) -> Vec<String> {
    let names: BTreeSet<_> = before.names().chain(after.names()).collect();
    let differing = names
        .into_iter()
        .filter(|name| before.get(name) != after.get(name));
    differing
        .map(|name| visible(&name.to_string_lossy()).into_owned())
        .collect()
}

#[cfg(test)]
mod tests;
