//! What a hook may see and do, in words.

use spawnhook_hooks::Rights;
use spawnhook_model::Stage;

use super::{HookEntry, WhenConfig};

/// One sentence a line: when it is called, what it sees, what it may do.
pub(super) fn of(hook: &HookEntry) -> Vec<String> {
    let mut words: Vec<String> = called(&hook.when).into_iter().collect();
    words.push(sees(&hook.may));
    words.push(may(hook.stage, &hook.may));
    words
}

fn called(when: &WhenConfig) -> Option<String> {
    let origin = (!when.origin.is_empty()).then(|| format!("from {}", list(&when.origin, "or")));
    let command = when
        .command
        .as_ref()
        .map(|pattern| format!("that match {pattern:?}"));
    let conditions: Vec<String> = origin.into_iter().chain(command).collect();
    (!conditions.is_empty())
        .then(|| format!("is called for commands {} only", conditions.join(" and ")))
}

fn sees(may: &Rights) -> String {
    let variables = match may.see_env.as_slice() {
        [] => "no variable".to_owned(),
        [all] if all == "*" => "every variable".to_owned(),
        names => format!("the variables {}", list(names, "and")),
    };
    format!(
        "sees the command, the directory, the names of all variables, and the values of {variables}"
    )
}

fn may(stage: Stage, may: &Rights) -> String {
    match stage {
        Stage::Guard => "may refuse the command or have a person asked; changes nothing".to_owned(),
        Stage::Audit => {
            "records the command and how it ended; changes and refuses nothing".to_owned()
        }
        Stage::Rewrite => {
            let mut rights = vec!["refuse the command".to_owned()];
            rights.extend(may.command.then(|| "change the command".to_owned()));
            rights.extend(may.cwd.then(|| "change the directory".to_owned()));
            rights.extend(variables("set", &may.set_env));
            rights.extend(variables("unset", &may.unset_env));
            format!("may {}; changes nothing else", list(&rights, "and"))
        }
    }
}

/// A glob never covers the names that make a shell or a loader run code.
fn variables(verb: &str, names: &[String]) -> Option<String> {
    let names = match names {
        [] => return None,
        [all] if all == "*" => "every variable".to_owned(),
        names => list(names, "and"),
    };
    let harmless = if names.contains(['*', '?']) || names == "every variable" {
        " (globs: harmless ones only)"
    } else {
        ""
    };
    Some(format!("{verb} {names}{harmless}"))
}

fn list(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
