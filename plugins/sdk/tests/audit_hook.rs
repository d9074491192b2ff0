//! What the export macro makes of an audit hook, called as the generated code calls it.

use spawnhook_sdk::{
    AuditHook, ExitStatus, SpawnContext,
    bindings::{
        audit::exports::spawnhook::hook::exit_hook::Guest as _,
        spawn::exports::spawnhook::hook::{settings::Guest as _, spawn_hook::Guest as _},
    },
    export_audit_hook,
};

#[derive(Default)]
struct Record;

impl AuditHook for Record {
    fn before_spawn(&self, spawn: &SpawnContext) -> Result<(), String> {
        if spawn.command == "fail" {
            Err("the log is full".to_owned())
        } else {
            Ok(())
        }
    }

    fn after_exit(&self, _: &SpawnContext, status: &ExitStatus) -> Result<(), String> {
        if *status == ExitStatus::Exited(0) {
            Ok(())
        } else {
            Err(format!("{status:?}"))
        }
    }
}

export_audit_hook!(Record);

fn context(command: &str) -> SpawnContext {
    SpawnContext {
        command: command.to_owned(),
        cwd: "/".to_owned(),
        env: vec![("A".to_owned(), "1".to_owned())],
    }
}

#[test]
fn an_audit_hook_returns_the_command_as_it_came() {
    assert_eq!(__SpawnhookComponent::configure("{}".to_owned()), Ok(()));
    assert_eq!(
        __SpawnhookComponent::before_spawn(context("ls")),
        Ok(context("ls"))
    );
}

#[test]
#[should_panic(expected = "the log is full")]
fn an_audit_hook_that_could_not_record_fails_and_refuses_nothing() {
    assert_eq!(__SpawnhookComponent::configure("{}".to_owned()), Ok(()));
    drop(__SpawnhookComponent::before_spawn(context("fail")));
}

#[test]
fn an_audit_hook_is_told_how_the_command_ended() {
    assert_eq!(__SpawnhookComponent::configure("{}".to_owned()), Ok(()));
    assert_eq!(
        __SpawnhookComponent::after_exit(context("ls"), ExitStatus::Exited(0)),
        Ok(())
    );
    let notice = __SpawnhookComponent::after_exit(context("ls"), ExitStatus::Signaled(9));
    assert_eq!(notice, Err("ExitStatus::Signaled(9)".to_owned()));
}
