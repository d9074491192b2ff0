use std::path::Path;
use std::sync::Arc;

use spawnhook_exec::Rlimits;
use spawnhook_model::valid_name;

use super::audit;
use super::error::ConfigError;
use super::file::{
    EnvTable, HooksTable, LimitsTable, ProcessTable, SessionTable, ShellTable, WorkspaceTable,
    names,
};
use super::hook_policy::{self, HookPolicy};
use super::hooks;
use super::key::Key;
use super::limits::{self, Bounds};
use super::origin::Origin;
use super::provenance::{Layer, Provenance};
use super::settings::{Resolved, resolve};
use super::show;
use super::source::{Source, Text};
use super::values::Parsed;
use super::{Audit, Config, CwdPolicy, Limits, Shell, Sources, Workspace};
use crate::env_policy::{EnvPolicy, SessionVariables};

pub(super) fn built_in(sources: &Sources) -> Config {
    Config {
        shell: Shell::default(),
        limits: Limits::default(),
        process: Rlimits::default(),
        workspace: Workspace {
            root: sources.start_directory.clone(),
            confine_cwd: true,
            cwd: CwdPolicy::default(),
        },
        env: EnvPolicy::default(),
        session: SessionVariables::default(),
        audit: Audit::at(sources.state_home.join("spawnhook/audit.jsonl")),
        hook_policy: HookPolicy::default(),
        hooks: vec![hooks::built_in()],
        provenance: Provenance::default(),
        masked_env: Vec::new(),
    }
}

pub(super) fn load(sources: &Sources) -> Result<Config, ConfigError> {
    let mut layers = Layers {
        sources,
        config: built_in(sources),
        binding: None,
    };
    if let Some(path) = &sources.system
        && let Some(text) = Text::read_if_exists(path)?
    {
        layers.lay(Layer::System, &Source::parse(&text)?)?;
    }
    if let Some(text) = layers.lower_file()? {
        layers.lay(Layer::User, &Source::parse(&text)?)?;
    }
    Ok(layers.config)
}

/// The config as it grows, layer by layer.
struct Layers<'a> {
    sources: &'a Sources,
    config: Config,
    /// The system's file once it was laid, which binds what comes after it.
    binding: Option<Arc<Path>>,
}

impl Layers<'_> {
    /// The file below the system's, if there is one.
    fn lower_file(&self) -> Result<Option<Text>, ConfigError> {
        if let Some(path) = &self.sources.explicit {
            return Text::read(path).map(Some);
        }
        let Some(path) = &self.sources.user else {
            return Ok(None);
        };
        Text::read_if_exists(path)
    }

    fn lay(&mut self, layer: Layer, source: &Source<'_>) -> Result<(), ConfigError> {
        let file = source.decode()?;
        let origin = Origin {
            source,
            sources: self.sources,
        };
        self.respect_locks(source)?;
        self.lock(layer, &file.locked, source)?;
        self.shell(file.shell, &origin)?;
        self.limits(file.limits, file.process, file.hooks, source)?;
        self.workspace(file.workspace, &origin)?;
        self.env(file.env, &origin)?;
        self.session(file.session, source)?;
        let binding = self.binding.as_deref();
        audit::lay(&mut self.config, file.audit, binding, &origin)?;
        hooks::lay(&mut self.config, file.hook, layer, binding, &origin)?;
        for section in source.names(&Key::default()) {
            let key = Key::from(section.as_str());
            source.record(&key, &section, &mut self.config.provenance.places);
        }
        if layer == Layer::System {
            self.binding = Some(Arc::clone(source.path()));
        }
        Ok(())
    }

    fn respect_locks(&self, source: &Source<'_>) -> Result<(), ConfigError> {
        for (locked, place) in &self.config.provenance.locks {
            let key = Key::from(locked.as_str());
            if source.sets(&key) {
                let problem = format!("locked by {place}, so it can't be set here; remove it");
                return Err(source.reject(&key, problem));
            }
        }
        Ok(())
    }

    fn lock(
        &mut self,
        layer: Layer,
        keys: &[String],
        source: &Source<'_>,
    ) -> Result<(), ConfigError> {
        let key = Key::from("locked");
        if layer != Layer::System && source.sets(&key) {
            let problem = "no file stands below this one; it belongs in the system's file";
            return Err(source.reject(&key, problem));
        }
        for (index, locked) in keys.iter().enumerate() {
            let key = key.element(index);
            if !show::has_key(&self.config, locked) {
                let problem = format!(
                    "invalid value: string {locked:?}, expected a table or key of this config, \
                     such as \"env\", \"limits.max_timeout\" or \"hook\""
                );
                return Err(source.reject(&key, problem));
            }
            let place = source.place(&key);
            self.config.provenance.locks.insert(locked.clone(), place);
        }
        Ok(())
    }

    fn shell(&mut self, table: ShellTable, origin: &Origin<'_>) -> Result<(), ConfigError> {
        if let Some(path) = table.path {
            let key = Key::from("shell.path");
            self.config.shell.path = Some(origin.path(&key, &path)?);
        }
        if let Some(prefix) = table.prefix {
            if prefix.contains('\0') {
                return Err(origin.reject(&Key::from("shell.prefix"), "no command can hold NUL"));
            }
            self.config.shell.prefix = prefix;
        }
        Ok(())
    }

    fn limits(
        &mut self,
        table: LimitsTable,
        process: ProcessTable,
        hooks: HooksTable,
        source: &Source<'_>,
    ) -> Result<(), ConfigError> {
        let bounds = Bounds {
            source,
            provenance: &self.config.provenance,
            binding: self.binding.as_deref(),
        };
        self.config.limits = limits::lay(&self.config.limits, table, &bounds)?;
        self.config.process = limits::lay_process(&self.config.process, process, &bounds)?;
        self.config.hook_policy = hook_policy::lay(&self.config.hook_policy, hooks, &bounds)?;
        Ok(())
    }

    fn workspace(&mut self, table: WorkspaceTable, origin: &Origin<'_>) -> Result<(), ConfigError> {
        let workspace = &mut self.config.workspace;
        if let Some(root) = table.root {
            let base = &self.sources.start_directory;
            workspace.root = origin.path_from(base, &Key::from("workspace.root"), &root)?;
        }
        replace(&mut workspace.confine_cwd, table.confine_cwd);
        replace(&mut workspace.cwd, table.cwd.map(|Parsed(cwd)| cwd));
        Ok(())
    }

    fn env(&mut self, table: EnvTable, origin: &Origin<'_>) -> Result<(), ConfigError> {
        replace(&mut self.config.env.inherit, table.inherit);
        if let Some(globs) = table.exclude {
            if self.binding.is_none() {
                self.config.env.exclude.clear();
            }
            for glob in names(globs) {
                if !self.config.env.exclude.contains(&glob) {
                    self.config.env.exclude.push(glob);
                }
            }
        }
        for (name, value) in &table.set {
            self.set_variable(name, value, origin)?;
        }
        Ok(())
    }

    fn set_variable(
        &mut self,
        name: &str,
        written: &toml::Value,
        origin: &Origin<'_>,
    ) -> Result<(), ConfigError> {
        let key = Key::from("env.set").entry(name);
        if !valid_name(name) {
            let problem = "expected a name of letters, digits and `_` that starts with no digit";
            return Err(origin.reject(&key, problem));
        }
        let Resolved { value, masked } = resolve(written, &key, origin)?;
        let Some(text) = value.as_str().filter(|text| !text.contains('\0')) else {
            let problem = format!(
                "invalid value: {}, expected text without NUL, {{ file = \"…\" }} or \
                 {{ env = \"…\" }}",
                written.type_str()
            );
            return Err(origin.reject(&key, problem));
        };
        let Config {
            env, masked_env, ..
        } = &mut self.config;
        env.set.retain(|(known, _)| known != name);
        env.set.push((name.to_owned(), text.to_owned()));
        env.set.sort();
        masked_env.retain(|known| known != name);
        if masked != value {
            masked_env.push(name.to_owned());
        }
        Ok(())
    }

    fn session(&mut self, table: SessionTable, source: &Source<'_>) -> Result<(), ConfigError> {
        replace(&mut self.config.session.expose, table.expose);
        if let Some(prefix) = table.prefix {
            if !valid_name(&format!("{prefix}ID")) {
                let problem = format!(
                    "invalid value: string {prefix:?}, expected letters, digits and `_`, no digit \
                     first"
                );
                return Err(source.reject(&Key::from("session.prefix"), problem));
            }
            self.config.session.prefix = prefix;
        }
        Ok(())
    }
}

fn replace<T>(slot: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *slot = given;
    }
}
