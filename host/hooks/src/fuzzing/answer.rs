use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use arbitrary::{Result, Unstructured};
use spawnhook_model::{Env, Refusal, SpawnContext, Stage};

use crate::Rights;
use crate::answer::{Answer, Returned, Shown, judge};
use crate::rights::{Grants, is_dangerous};

const NAMES: [&str; 8] = ["A", "B", "BB", "_c", "PATH", "LD_PRELOAD", "0", "a b"];
const GLOBS: [&str; 8] = ["A", "B", "B*", "?", "*", "PATH", "LD_*", "*_*"];

/// What is made of any answer of a hook is what simpler code makes of it.
pub fn answer(bytes: &[u8]) {
    // Bytes that end early are an answer of none.
    check(&mut Unstructured::new(bytes)).ok();
}

fn check(bytes: &mut Unstructured<'_>) -> Result<()> {
    let stage = *bytes.choose(&Stage::ALL)?;
    let rights = rights(bytes, stage)?;
    let grants = Grants::new(&rights, stage).expect("the stage can use these rights");
    let spawn = SpawnContext {
        command: bytes.arbitrary()?,
        cwd: "/project".into(),
        env: env(bytes)?,
    };
    let shown = Shown::new(&spawn, &grants).expect("the working directory is UTF-8");
    let same = returned_as_shown(&shown);
    let returned = returned(bytes, &same)?;
    let judged = judge(stage, &grants, &spawn, &shown, returned.clone());
    let expected = expected(stage, &rights, &spawn, &same, returned);
    match judged {
        Err(failure) => {
            assert_eq!(expected, None, "{failure}");
            assert!(!failure.message.contains(char::is_control), "{failure}");
        }
        Ok(Answer::Unchanged) => assert_eq!(expected, Some(Ok(spawn))),
        Ok(Answer::Changed(changed, fields)) => {
            assert!(!fields.is_empty() && *changed != spawn);
            assert_eq!(expected, Some(Ok((*changed).clone())));
        }
        Ok(Answer::Refused(refusal)) => {
            let (Refusal::Deny(text) | Refusal::Ask(text)) = &refusal;
            assert!(!text.contains(char::is_control), "{text:?}");
            let is_question = matches!(refusal, Refusal::Ask(_));
            assert_eq!(expected, Some(Err(is_question)));
        }
    }
    Ok(())
}

fn returned_as_shown(shown: &Shown<'_>) -> Returned {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Returned {
        command: shown.command.to_owned(),
        cwd: shown.cwd.to_owned(),
        env: shown.env.iter().map(own).collect(),
    }
}

fn rights(bytes: &mut Unstructured<'_>, stage: Stage) -> Result<Rights> {
    let mut rights = Rights {
        see_env: globs(bytes)?,
        ..Rights::default()
    };
    if stage == Stage::Rewrite {
        rights.set_env = globs(bytes)?;
        rights.unset_env = globs(bytes)?;
        (rights.command, rights.cwd) = bytes.arbitrary()?;
    }
    Ok(rights)
}

fn globs(bytes: &mut Unstructured<'_>) -> Result<Vec<String>> {
    let chosen: u8 = bytes.arbitrary()?;
    let globs = GLOBS.iter().enumerate();
    let globs = globs.filter(|(bit, _)| chosen >> bit & 1 == 1);
    Ok(globs.map(|(_, glob)| (*glob).to_owned()).collect())
}

fn env(bytes: &mut Unstructured<'_>) -> Result<Env> {
    let mut env = Env::new();
    for _ in 0..bytes.int_in_range(0..=5)? {
        let name = *bytes.choose(&NAMES)?;
        let mut value: Vec<u8> = bytes.arbitrary()?;
        value.retain(|byte| *byte != 0);
        env.set(name, OsString::from_vec(value));
    }
    Ok(env)
}

/// What was shown with some changes, or a refusal.
fn returned(
    bytes: &mut Unstructured<'_>,
    shown: &Returned,
) -> Result<std::result::Result<Returned, Refusal>> {
    let mut view = shown.clone();
    for _ in 0..bytes.int_in_range(0..=6)? {
        match bytes.int_in_range(0..=7)? {
            0 => return Ok(Err(Refusal::Deny(bytes.arbitrary()?))),
            1 => return Ok(Err(Refusal::Ask(bytes.arbitrary()?))),
            2 => view.command = bytes.arbitrary()?,
            3 => view.command = "x".repeat(bytes.int_in_range(1_048_570..=1_048_580)?),
            4 => view.cwd = format!("/{}", bytes.arbitrary::<&str>()?),
            5 => view.cwd = "/x".repeat(bytes.int_in_range(2040..=2055)?),
            6 if !view.env.is_empty() => drop(view.env.remove(bytes.choose_index(view.env.len())?)),
            _ => {
                let name = (*bytes.choose(&NAMES)?).to_owned();
                view.env.push((name, bytes.arbitrary()?));
            }
        }
    }
    Ok(Ok(view))
}

/// None for a failure; then what is to be spawned, or whether the refusal is a question.
fn expected(
    stage: Stage,
    rights: &Rights,
    spawn: &SpawnContext,
    shown: &Returned,
    returned: std::result::Result<Returned, Refusal>,
) -> Option<std::result::Result<SpawnContext, bool>> {
    let mut view = match (returned, stage) {
        (Ok(view), _) => view,
        (Err(Refusal::Deny(_)), Stage::Rewrite | Stage::Guard) => return Some(Err(false)),
        (Err(Refusal::Ask(_)), Stage::Guard) => return Some(Err(true)),
        (Err(_), _) => return None,
    };
    view.env.sort();
    let changed = &view != shown;
    if changed && (stage != Stage::Rewrite || !is_allowed(rights, shown, &view)) {
        return None;
    }
    let mut after = spawn.clone();
    after.command = view.command;
    after.cwd = view.cwd.into();
    for (name, _) in &shown.env {
        after.env.unset(name);
    }
    for (name, value) in &view.env {
        after.env.set(name, value);
    }
    Some(Ok(after))
}

fn is_allowed(rights: &Rights, shown: &Returned, view: &Returned) -> bool {
    let command = rights.command
        && !view.command.trim().is_empty()
        && !view.command.contains('\0')
        && view.command.len() <= 1 << 20;
    let cwd = rights.cwd
        && view.cwd.starts_with('/')
        && !view.cwd.contains('\0')
        && view.cwd.len() <= 4096;
    (view.command == shown.command || command)
        && (view.cwd == shown.cwd || cwd)
        && is_env_allowed(rights, shown, view)
}

fn is_env_allowed(rights: &Rights, shown: &Returned, view: &Returned) -> bool {
    let before: BTreeMap<_, _> = shown.env.iter().cloned().collect();
    let after: BTreeMap<_, _> = view.env.iter().cloned().collect();
    let may_set = |(name, value): (&String, &String)| {
        before.get(name) == Some(value)
            || (is_name(name) && grants(&rights.set_env, name) && !value.contains('\0'))
    };
    let may_unset = |name: &String| after.contains_key(name) || grants(&rights.unset_env, name);
    after.len() == view.env.len() && after.iter().all(may_set) && before.keys().all(may_unset)
}

fn is_name(name: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && !name.as_bytes()[0].is_ascii_digit() && name.bytes().all(word)
}

fn grants(globs: &[String], name: &str) -> bool {
    let exactly = globs.iter().any(|glob| glob == name);
    let matches = |glob: &String| matches(glob.as_bytes(), name.as_bytes());
    exactly || (!is_dangerous(name) && globs.iter().any(matches))
}

fn matches(glob: &[u8], name: &[u8]) -> bool {
    match (glob, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            matches(rest, name)
                || name
                    .split_first()
                    .is_some_and(|(_, name)| matches(glob, name))
        }
        ([b'?', glob @ ..], [_, name @ ..]) => matches(glob, name),
        ([one, glob @ ..], [other, name @ ..]) => one == other && matches(glob, name),
        _ => false,
    }
}
