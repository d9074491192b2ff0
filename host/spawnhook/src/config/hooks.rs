use std::path::Path;

use spawnhook_hooks::{OnFailure, Rights, When};
use spawnhook_model::Stage;

use super::error::ConfigError;
use super::file::{HookLimitsTable, HookTable, MayTable, WhenTable, names};
use super::hook_policy;
use super::key::Key;
use super::origin::Origin;
use super::provenance::Layer;
use super::settings::{Resolved, resolve_table};
use super::values::Parsed;
use super::{Component, Config, HookEntry, HookLimitsConfig, WhenConfig};

const BUILT_IN_PREFIX: &str = "builtin:";

/// The longest name: it stands in every audit record and message.
const MAX_NAME_BYTES: usize = 64;

/// The hook that runs where no file says otherwise.
pub(super) fn built_in() -> HookEntry {
    HookEntry {
        name: "audit-log".to_owned(),
        component: Component::Builtin("audit-log".to_owned()),
        sha256: None,
        stage: Stage::Audit,
        on_failure: OnFailure::Deny,
        when: WhenConfig::default(),
        may: Rights::default(),
        limits: HookLimitsConfig::default(),
        settings: serde_json::json!({}),
        masked_settings: serde_json::json!({}),
        from: Layer::BuiltIn,
    }
}

/// Lays the hooks of a file over those of `config`; `binding` is the system's file, if this one
/// stands below it.
pub(super) fn lay(
    config: &mut Config,
    tables: Vec<HookTable>,
    layer: Layer,
    binding: Option<&Path>,
    origin: &Origin<'_>,
) -> Result<(), ConfigError> {
    for (index, table) in tables.into_iter().enumerate() {
        let key = Key::from("hook").element(index);
        let mut hook = read(table, &key, layer, origin)?;
        hook_policy::bind(&config.hook_policy, &mut hook, &key, origin)?;
        make_room(config, &hook, binding)
            .map_err(|problem| origin.reject(&key.entry("name"), problem))?;
        let name = format!("hook.{}", hook.name);
        let places = &mut config.provenance.places;
        places.insert(name.clone(), origin.source.place(&key));
        origin.source.record(&key, &name, places);
        config.hooks.push(hook);
    }
    config.hooks.sort_by_key(|hook| hook.stage);
    hook_policy::check_pins(config, origin)
}

/// Sees to it that no other hook has the name of `new`: the built-in one goes if nothing binds it
/// to stay, every other one stays.
fn make_room(config: &mut Config, new: &HookEntry, binding: Option<&Path>) -> Result<(), String> {
    let name = &new.name;
    let Some(index) = config.hooks.iter().position(|hook| hook.name == *name) else {
        return Ok(());
    };
    let place = config.provenance.place(&format!("hook.{name}"));
    let problem = match (binding, config.hooks[index].from) {
        (None, Layer::BuiltIn) => {
            config.hooks.remove(index);
            return Ok(());
        }
        (Some(binding), Layer::BuiltIn) => format!(
            "{name:?} is a built-in hook, which {} leaves in place",
            binding.display()
        ),
        (_, from) if from == new.from => format!("{name:?} is the name of the hook at {place} too"),
        _ => format!("{name:?} is a hook of {place}, which can't be redefined here"),
    };
    Err(format!("{problem}; choose another name"))
}

/// The hook that a file has at `key`.
fn read(
    table: HookTable,
    key: &Key,
    from: Layer,
    origin: &Origin<'_>,
) -> Result<HookEntry, ConfigError> {
    let Parsed(stage) = table.stage;
    check_name(&table.name, &key.entry("name"), origin)?;
    let when = when(table.when, stage, &key.entry("when"), origin)?;
    check_rights(&table.may, stage, &key.entry("may"), origin)?;
    let component = component(&table.component, &key.entry("component"), origin)?;
    let Resolved { value, masked } =
        resolve_table(&table.settings, &key.entry("settings"), origin)?;
    Ok(HookEntry {
        name: table.name,
        component,
        sha256: table.sha256.map(|Parsed(digest)| digest.0),
        stage,
        on_failure: table
            .on_failure
            .map_or(OnFailure::default(), |Parsed(on_failure)| on_failure),
        when,
        may: may(table.may),
        limits: limits(&table.limits),
        settings: value,
        masked_settings: masked,
        from,
    })
}

fn check_name(name: &str, key: &Key, origin: &Origin<'_>) -> Result<(), ConfigError> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(fits) {
        Ok(())
    } else {
        let problem = format!(
            "invalid value: string {name:?}, expected 1 to {MAX_NAME_BYTES} of `A-Z a-z 0-9 _ -`"
        );
        Err(origin.reject(key, problem))
    }
}

/// Rights to change something are for the stage that may: elsewhere they would only look as if.
fn check_rights(
    may: &MayTable,
    stage: Stage,
    key: &Key,
    origin: &Origin<'_>,
) -> Result<(), ConfigError> {
    let granted = [
        ("set_env", !may.set_env.is_empty()),
        ("unset_env", !may.unset_env.is_empty()),
        ("command", may.command),
        ("cwd", may.cwd),
    ];
    match granted.iter().find(|(_, granted)| *granted) {
        Some((right, _)) if stage != Stage::Rewrite => {
            let problem = format!(
                "a hook in stage `{stage}` can change nothing; remove the right, or put the hook \
                 in stage `rewrite`"
            );
            Err(origin.reject(&key.entry(right), problem))
        }
        _ => Ok(()),
    }
}

/// The condition of a hook, once it was found to be one.
fn when(
    table: WhenTable,
    stage: Stage,
    key: &Key,
    origin: &Origin<'_>,
) -> Result<WhenConfig, ConfigError> {
    let never = table.origin.as_ref().is_some_and(Vec::is_empty);
    if never {
        let problem = "no origin at all: the hook would never be called; name one, or remove it";
        return Err(origin.reject(&key.entry("origin"), problem));
    }
    if stage != Stage::Rewrite && table.command.is_some() {
        let problem = format!(
            "a hook in stage `{stage}` that a wording can switch off is none; remove it, and let \
             the hook itself look at the command"
        );
        return Err(origin.reject(&key.entry("command"), problem));
    }
    let origins = table.origin.unwrap_or_default();
    let when = WhenConfig {
        origin: origins.into_iter().map(|Parsed(glob)| glob.0).collect(),
        command: table.command,
    };
    When::new(&when.origin, when.command.as_deref())
        .map_err(|error| origin.reject(&key.entry("command"), error))?;
    Ok(when)
}

fn component(written: &str, key: &Key, origin: &Origin<'_>) -> Result<Component, ConfigError> {
    match written.strip_prefix(BUILT_IN_PREFIX) {
        Some("") => Err(origin.reject(
            key,
            format!("invalid value: string {written:?}, expected a name after the colon"),
        )),
        Some(name) => Ok(Component::Builtin(name.to_owned())),
        None => origin.path(key, written).map(Component::File),
    }
}

pub(crate) fn may(table: MayTable) -> Rights {
    Rights {
        see_env: names(table.see_env),
        set_env: names(table.set_env),
        unset_env: names(table.unset_env),
        command: table.command,
        cwd: table.cwd,
    }
}

pub(crate) fn limits(table: &HookLimitsTable) -> HookLimitsConfig {
    HookLimitsConfig {
        cpu: table.cpu.as_ref().map(|Parsed(cpu)| cpu.0),
        wall: table.wall.as_ref().map(|Parsed(wall)| wall.0),
        memory: table.memory.as_ref().map(|Parsed(memory)| memory.0.0),
        profile: table.profile.as_ref().map(|Parsed(profile)| *profile),
    }
}
