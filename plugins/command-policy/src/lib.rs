//! A hook for the stage `guard` that allows, asks about and denies commands by rules.

use spawnhook_policy::{Facts, Policy, Verdict};
use spawnhook_sdk::{Refusal, Settings, SpawnContext, SpawnHook, call, export_spawn_hook};

/// The hook of this component.
#[derive(Default)]
struct CommandPolicy {
    policy: Policy,
}

impl SpawnHook for CommandPolicy {
    fn configure(&mut self, settings: &mut Settings<'_>) {
        self.policy = Policy::read(settings);
    }

    fn before_spawn(&self, spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
        let (origin, workspace) = (call::origin(), call::workspace());
        let facts = Facts {
            origin: &origin,
            workspace: &workspace,
            cwd: &spawn.cwd,
        };
        let judgement = self.policy.judge(&spawn.command, &call::prefix(), &facts);
        match judgement.verdict {
            Verdict::Allow => Ok(spawn),
            Verdict::Ask => Err(Refusal::Ask(judgement.reason())),
            Verdict::Deny => Err(Refusal::Deny(judgement.reason())),
        }
    }
}

export_spawn_hook!(CommandPolicy);
