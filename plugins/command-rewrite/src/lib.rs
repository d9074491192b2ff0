//! A hook for the stage `rewrite` that puts lines around commands and rewrites them by rules.

use spawnhook_sdk::{Refusal, Settings, SpawnContext, SpawnHook, call, export_spawn_hook};

use crate::rewrite::Rewrite;

mod lines;
mod rewrite;
mod rule;
mod template;

/// The hook of this component.
#[derive(Default)]
struct CommandRewrite {
    rewrite: Rewrite,
}

impl SpawnHook for CommandRewrite {
    fn configure(&mut self, settings: &mut Settings<'_>) {
        self.rewrite = Rewrite::read(settings);
    }

    fn before_spawn(&self, mut spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
        let rewritten = self.rewrite.apply(&spawn.command, &call::prefix());
        spawn.command = rewritten.map_err(|too_long| Refusal::Deny(too_long.to_string()))?;
        Ok(spawn)
    }
}

export_spawn_hook!(CommandRewrite);
