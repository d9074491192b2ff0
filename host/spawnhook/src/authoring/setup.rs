use serde_json::Value;
use spawnhook_hooks::{HookSpec, Rights};
use spawnhook_model::Stage;

use crate::builtin::Builtins;
use crate::config::{Component, HookLimitsConfig};
use crate::deployment::{self, BuildError};

/// Which component is tried, and as what: the part of a deployment's config that is about one
/// hook.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What runs.
    pub component: Component,
    /// Where it stands.
    pub stage: Stage,
    /// What it may see and change.
    pub rights: Rights,
    /// The limits of one call, as far as they are not those of its profile.
    pub limits: HookLimitsConfig,
    /// A JSON object for the hook.
    pub settings: Value,
}

impl Setup {
    /// A hook without settings that may do all that its stage lets it do, and sees every variable.
    /// Names that can change what a shell or a loader runs are not among those that it may set.
    pub fn with_every_right(component: Component, stage: Stage) -> Self {
        let all = || vec!["*".to_owned()];
        let changes = stage == Stage::Rewrite;
        Self {
            component,
            stage,
            rights: Rights {
                see_env: all(),
                set_env: if changes { all() } else { Vec::new() },
                unset_env: if changes { all() } else { Vec::new() },
                command: changes,
                cwd: changes,
            },
            limits: HookLimitsConfig::default(),
            settings: Value::Object(serde_json::Map::new()),
        }
    }

    /// What an engine loads.
    ///
    /// # Errors
    ///
    /// If the component cannot be read, or is larger than its profile lets it be.
    pub fn spec(&self, builtins: &Builtins) -> Result<HookSpec, BuildError> {
        let limits = deployment::limits(&self.limits);
        let name = self.name();
        let most = limits.component_bytes;
        let component = deployment::component(&name, &self.component, builtins, most)?;
        let mut spec = HookSpec::new(name, self.stage, component);
        spec.origin = self.component.to_string();
        spec.settings = self.settings.to_string();
        spec.rights = self.rights.clone();
        spec.limits = limits;
        Ok(spec)
    }

    /// The name of the component, for reports.
    pub fn name(&self) -> String {
        match &self.component {
            Component::Builtin(name) => name.clone(),
            Component::File(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                name.display().to_string()
            }
        }
    }
}
