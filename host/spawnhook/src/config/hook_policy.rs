use std::time::Duration;

use spawnhook_hooks::HookLimits;

use super::error::ConfigError;
use super::file::HooksTable;
use super::key::Key;
use super::limits::Bounds;
use super::origin::Origin;
use super::provenance::Provenance;
use super::values::{Parsed, Positive, duration_text, size_text};
use super::{Component, Config, HookEntry, HookLimitsConfig, Layer, Profile};

const REQUIRE_PINS: &str = "hooks.require_pins";

/// What holds for every hook that a file names, and for those that a command line adds. The
/// maxima bind the hooks of their own file and of those below it: what a higher layer set up no
/// lower one makes fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookPolicy {
    /// Whether each component that is a file must have its digest pinned.
    pub require_pins: bool,
    /// The most CPU time that a call may have; none for no maximum.
    pub max_cpu: Option<Duration>,
    /// The most time on the clock.
    pub max_wall: Option<Duration>,
    /// The most bytes over all memories.
    pub max_memory: Option<u64>,
}

impl HookPolicy {
    /// Lowers what a call may use to the maxima.
    pub(crate) fn lower(&self, limits: &mut HookLimits) {
        limits.cpu = limits.cpu.min(self.max_cpu.unwrap_or(Duration::MAX));
        limits.wall = limits.wall.min(self.max_wall.unwrap_or(Duration::MAX));
        let most = self.max_memory.unwrap_or(u64::MAX);
        limits.memory_bytes = limits.memory_bytes.min(most);
    }

    /// Sets the limits whose defaults are above a maximum.
    pub(super) fn lower_defaults(&self, limits: &mut HookLimitsConfig) {
        let defaults = match limits.profile {
            None | Some(Profile::Native) => HookLimits::default(),
            Some(Profile::Interpreted) => HookLimits::interpreted(),
        };
        let below = |most: Option<Duration>, default| most.filter(|most| *most < default);
        limits.cpu = limits.cpu.or(below(self.max_cpu, defaults.cpu));
        limits.wall = limits.wall.or(below(self.max_wall, defaults.wall));
        let most = self.max_memory.filter(|most| *most < defaults.memory_bytes);
        limits.memory = limits.memory.or(most);
    }
}

/// Lays what a file says of all hooks over `policy`.
pub(super) fn lay(
    policy: &HookPolicy,
    table: HooksTable,
    bounds: &Bounds<'_>,
) -> Result<HookPolicy, ConfigError> {
    let duration = |given: Option<Parsed<Positive<Duration>>>| given.map(|given| given.0.0);
    let most = |key, before: Option<Duration>, given| {
        bounds.shrink_optional(key, before, given, Duration::MAX, duration_text)
    };
    Ok(HookPolicy {
        require_pins: require_pins(policy, table.require_pins, bounds)?,
        max_cpu: most("hooks.max_cpu", policy.max_cpu, duration(table.max_cpu))?,
        max_wall: most("hooks.max_wall", policy.max_wall, duration(table.max_wall))?,
        max_memory: bounds.shrink_optional(
            "hooks.max_memory",
            policy.max_memory,
            table.max_memory.map(|given| given.0.0.0),
            u64::MAX,
            size_text,
        )?,
    })
}

fn require_pins(
    policy: &HookPolicy,
    given: Option<bool>,
    bounds: &Bounds<'_>,
) -> Result<bool, ConfigError> {
    let Some(given) = given else {
        return Ok(policy.require_pins);
    };
    match bounds.binding {
        Some(binding) if policy.require_pins && !given => {
            let holder = bounds.provenance.holder(REQUIRE_PINS, binding);
            let problem = format!("true is {holder}, and can't be taken back here; remove it");
            Err(bounds.source.reject(&Key::from(REQUIRE_PINS), problem))
        }
        _ => Ok(given),
    }
}

/// Checks a hook of a file against what holds for all, and lowers its defaults.
pub(super) fn bind(
    policy: &HookPolicy,
    hook: &mut HookEntry,
    key: &Key,
    origin: &Origin<'_>,
) -> Result<(), ConfigError> {
    if policy.require_pins && is_unpinned(hook) {
        let problem = format!(
            "`{REQUIRE_PINS}` wants the sha256 of every file; `spawnhook plugin inspect` tells it"
        );
        return Err(origin.reject(&key.entry("component"), problem));
    }
    let limits = &hook.limits;
    let key = key.entry("limits");
    let refused = |name: &str, most: String, given: String| {
        let problem = format!("{given} is above `hooks.max_{name}`, {most}; lower it");
        Err(origin.reject(&key.entry(name), problem))
    };
    for (name, given, most) in [
        ("cpu", limits.cpu, policy.max_cpu),
        ("wall", limits.wall, policy.max_wall),
    ] {
        if let (Some(given), Some(most)) = (given, most)
            && given > most
        {
            return refused(name, duration_text(most), duration_text(given));
        }
    }
    if let (Some(given), Some(most)) = (limits.memory, policy.max_memory)
        && given > most
    {
        return refused("memory", size_text(most), size_text(given));
    }
    policy.lower_defaults(&mut hook.limits);
    Ok(())
}

/// Checks that a file which wants every hook pinned does not stand below one with other hooks.
pub(super) fn check_pins(config: &Config, origin: &Origin<'_>) -> Result<(), ConfigError> {
    let unpinned = |hook: &&HookEntry| hook.from != Layer::BuiltIn && is_unpinned(hook);
    let Some(hook) = config.hooks.iter().find(unpinned) else {
        return Ok(());
    };
    if !config.hook_policy.require_pins {
        return Ok(());
    }
    let Provenance { places, .. } = &config.provenance;
    let place = places.get(&format!("hook.{}", hook.name)).cloned();
    let problem = format!(
        "the hook {:?} of {} has no sha256; add it there, or remove this",
        hook.name,
        place.unwrap_or_default()
    );
    Err(origin.reject(&Key::from(REQUIRE_PINS), problem))
}

fn is_unpinned(hook: &HookEntry) -> bool {
    matches!(hook.component, Component::File(_)) && hook.sha256.is_none()
}
