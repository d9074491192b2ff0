use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use spawnhook_hooks::{OnFailure, Rights};
use spawnhook_model::Stage;

use super::provenance::Layer;

/// One hook of the deployment.
#[derive(Clone, PartialEq)]
pub struct HookEntry {
    /// Unique in the deployment: at most 64 of `A-Z a-z 0-9 _ -`.
    pub name: String,
    /// What runs.
    pub component: Component,
    /// The SHA-256 that the component must have, 64 hex digits in lower case.
    pub sha256: Option<String>,
    /// Where in the chain it stands.
    pub stage: Stage,
    /// What a failed call does to the command.
    pub on_failure: OnFailure,
    /// For which commands it is called.
    pub when: WhenConfig,
    /// What it may see and change.
    pub may: Rights,
    /// The limits of one call.
    pub limits: HookLimitsConfig,
    /// What the hook is configured with: a JSON object in which references are resolved, so it
    /// may contain secrets.
    pub settings: Value,
    /// The same with every resolved value as `***`, for people to read.
    pub masked_settings: Value,
    /// The layer that it came from.
    pub from: Layer,
}

impl fmt::Debug for HookEntry {
    /// With the masked settings in the place of the settings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookEntry")
            .field("name", &self.name)
            .field("component", &self.component)
            .field("sha256", &self.sha256)
            .field("stage", &self.stage)
            .field("on_failure", &self.on_failure)
            .field("when", &self.when)
            .field("may", &self.may)
            .field("limits", &self.limits)
            .field("settings", &self.masked_settings)
            .field("from", &self.from)
            .finish()
    }
}

/// What a hook runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// A component that comes with the program, by its name.
    Builtin(String),
    /// A file, by its absolute path. In a config it is relative to the config's own folder.
    File(PathBuf),
}

impl fmt::Display for Component {
    /// As a config has it: `builtin:NAME` or the path.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(name) => write!(f, "builtin:{name}"),
            Self::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// For which commands a hook is called. The default is for all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WhenConfig {
    /// Names of origins or globs for agents; empty for all.
    pub origin: Vec<String>,
    /// A regular expression that matches somewhere in the command; in stage rewrite alone.
    pub command: Option<String>,
}

/// The limits of one call of a hook, as far as the deployment sets them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookLimitsConfig {
    /// CPU time.
    pub cpu: Option<Duration>,
    /// Time on the clock.
    pub wall: Option<Duration>,
    /// Bytes over all memories.
    pub memory: Option<u64>,
    /// Which defaults apply to what is not set here.
    pub profile: Option<Profile>,
}

/// What kind of guest a hook is, which decides the defaults of its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Compiled to WebAssembly.
    Native,
    /// An interpreter in WebAssembly: JavaScript, Python.
    Interpreted,
}
