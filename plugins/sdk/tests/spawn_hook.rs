//! What the export macro makes of a hook, called as the generated code calls it.

use spawnhook_sdk::{
    Refusal, Settings, SpawnContext, SpawnHook,
    bindings::spawn::exports::spawnhook::hook::{settings::Guest as _, spawn_hook::Guest as _},
    export_spawn_hook,
};

#[derive(Default)]
struct Deny {
    word: Option<String>,
}

impl SpawnHook for Deny {
    fn configure(&mut self, settings: &mut Settings<'_>) {
        self.word = settings.optional("word");
    }

    fn before_spawn(&self, spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
        match &self.word {
            Some(word) if spawn.command.contains(word) => Err(Refusal::Deny(word.clone())),
            _ => Ok(spawn),
        }
    }
}

export_spawn_hook!(Deny);

fn context(command: &str) -> SpawnContext {
    SpawnContext {
        command: command.to_owned(),
        cwd: "/".to_owned(),
        env: vec![("A".to_owned(), "1".to_owned())],
    }
}

#[test]
fn settings_reach_the_hook_before_the_command_does() {
    assert_eq!(
        __SpawnhookComponent::configure(r#"{"word": "rm"}"#.to_owned()),
        Ok(())
    );
    let refusal = __SpawnhookComponent::before_spawn(context("rm x"));
    assert_eq!(refusal, Err(Refusal::Deny("rm".to_owned())));
    assert_eq!(
        __SpawnhookComponent::before_spawn(context("ls")),
        Ok(context("ls"))
    );
}

#[test]
fn problems_of_the_settings_are_returned_and_the_hook_stays_without() {
    let problems = __SpawnhookComponent::configure(r#"{"word": 1, "words": []}"#.to_owned());
    assert_eq!(
        problems,
        Err(vec![
            "word: expected a string, found 1".to_owned(),
            "words: unknown setting, expected one of word".to_owned(),
        ])
    );
}

#[test]
#[should_panic(expected = "the host calls `configure` first")]
fn a_hook_without_its_settings_fails() {
    drop(__SpawnhookComponent::before_spawn(context("ls")));
}

#[test]
fn an_instance_takes_its_settings_once() {
    assert_eq!(__SpawnhookComponent::configure("{}".to_owned()), Ok(()));
    let again = __SpawnhookComponent::configure("{}".to_owned());
    assert_eq!(
        again,
        Err(vec!["settings: expected to be handed over once".to_owned()])
    );
}
