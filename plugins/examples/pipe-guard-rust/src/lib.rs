//! No download goes into a shell, and a person is asked where the deployment says so.

use spawnhook_sdk::{Refusal, Settings, SpawnContext, SpawnHook, export_spawn_hook, log};

const DOWNLOADERS: [&str; 2] = ["curl", "wget"];
const SHELLS: [&str; 4] = ["sh", "bash", "zsh", "dash"];

/// The hook of this component.
#[derive(Default)]
struct PipeGuard {
    /// A command that contains one of these is asked about.
    ask: Vec<String>,
}

impl SpawnHook for PipeGuard {
    fn configure(&mut self, settings: &mut Settings<'_>) {
        self.ask = settings.optional("ask").unwrap_or_default();
    }

    fn before_spawn(&self, spawn: SpawnContext) -> Result<SpawnContext, Refusal> {
        if spawn
            .env
            .contains(&("PIPE_GUARD".to_owned(), "off".to_owned()))
        {
            log::warn("switched off by PIPE_GUARD");
            return Ok(spawn);
        }
        if pipes_download_into_shell(&spawn.command) {
            return Err(Refusal::Deny(
                "a download goes into a shell: save it, look at it, and run it then".to_owned(),
            ));
        }
        match self.ask.iter().find(|text| spawn.command.contains(*text)) {
            Some(text) => Err(Refusal::Ask(format!("Run a command with \"{text}\"?"))),
            None => Ok(spawn),
        }
    }
}

/// Whether a part of a pipeline starts with a downloader, and a later one with a shell.
fn pipes_download_into_shell(command: &str) -> bool {
    command.split([';', '\n', '&']).any(|pipeline| {
        let mut downloads = false;
        pipeline.split('|').any(|part| {
            let is_shell = downloads && SHELLS.contains(&program(part));
            downloads |= DOWNLOADERS.contains(&program(part));
            is_shell
        })
    })
}

/// The first word, `sudo` aside.
fn program(part: &str) -> &str {
    let mut words = part.split([' ', '\t']).filter(|word| !word.is_empty());
    words.find(|word| *word != "sudo").unwrap_or_default()
}

export_spawn_hook!(PipeGuard);
