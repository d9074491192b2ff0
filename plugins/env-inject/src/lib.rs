//! A hook for the stage `rewrite` that sets and unsets environment variables of commands.

use spawnhook_sdk::{Refusal, Settings, SpawnContext, SpawnHook, call, export_spawn_hook};

use crate::variables::Variables;

mod variables;

/// The hook of this component.
#[derive(Default)]
struct EnvInject {
    variables: Variables,
}

impl SpawnHook for EnvInject {
    fn configure(&mut self, settings: &mut Settings<'_>) {
        self.variables = Variables::read(settings);
    }

    fn before_spawn(&self, mut spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
        self.variables.apply(&mut spawn, call::session);
        Ok(spawn)
    }
}

export_spawn_hook!(EnvInject);
