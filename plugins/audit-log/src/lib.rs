//! A hook for the stage `audit` that records every command: one entry before the spawn, one after
//! the exit or the refusal.

use spawnhook_sdk::{
    AuditHook, ExitStatus, Settings, SpawnContext, audit_log, call, exit, export_audit_hook,
};

use crate::{
    entry::{Call, Exit, exit_entry, spawn_entry},
    options::Options,
};

mod entry;
mod excerpt;
mod list;
mod options;
mod secrets;
mod spans;

/// The hook of this component.
#[derive(Default)]
struct AuditLog {
    options: Options,
}

impl AuditHook for AuditLog {
    fn configure(&mut self, settings: &mut Settings<'_>) {
        self.options = Options::read(settings);
    }

    fn before_spawn(&self, spawn: &SpawnContext) -> Result<(), String> {
        audit_log::append(&spawn_entry(spawn, this_call(), &self.options))
    }

    fn after_exit(&self, spawn: &SpawnContext, status: &ExitStatus) -> Result<(), String> {
        let exit = Exit {
            duration_ms: exit::duration_ms(),
            output_bytes: exit::output_bytes(),
            output_lines: exit::output_lines(),
            truncated: exit::truncated(),
            leftover_processes: exit::leftover_processes(),
        };
        audit_log::append(&exit_entry(spawn, status, &exit, this_call, &self.options))
    }
}

fn this_call() -> Call {
    Call {
        requested: call::requested(),
        workspace: call::workspace(),
        origin: call::origin(),
        timeout_ms: call::timeout_ms(),
        env_names: call::env_names(),
        session: call::SESSION_FACTS
            .into_iter()
            .filter_map(|fact| Some((fact, call::session(fact)?)))
            .collect(),
    }
}

export_audit_hook!(AuditLog);
