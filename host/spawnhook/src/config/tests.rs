use std::fs;
use std::path::Path;

use spawnhook_model::Env;
use tempfile::TempDir;

use super::{Config, Sources};

mod errors;
mod hook_errors;
mod hook_policy;
mod layer_errors;
mod layers;
mod properties;
mod references;
mod show;
mod strategies;
mod warnings;

/// The files of a deployment in a folder of their own.
struct Deployment {
    folder: TempDir,
    sources: Sources,
}

impl Deployment {
    /// Without any file.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["etc", "home", "workspace"] {
            fs::create_dir(at(name)).unwrap();
        }
        let sources = Sources {
            system: Some(at("etc/config.toml")),
            user: Some(at("home/config.toml")),
            explicit: None,
            start_directory: at("workspace"),
            state_home: at("home/state"),
            home: Some(at("home")),
            env: Env::new(),
        };
        Self { folder, sources }
    }

    fn file(self, name: &str, content: &str) -> Self {
        fs::write(self.folder.path().join(name), content).unwrap();
        self
    }

    fn system(self, content: &str) -> Self {
        self.file("etc/config.toml", content)
    }

    fn user(self, content: &str) -> Self {
        self.file("home/config.toml", content)
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.sources.env.set(name, value);
        self
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    #[track_caller]
    fn load(&self) -> Config {
        match Config::load(&self.sources) {
            Ok(config) => config,
            Err(error) => panic!("{error}"),
        }
    }

    /// The message of the error, with the folder left out.
    #[track_caller]
    fn error(&self) -> String {
        match Config::load(&self.sources) {
            Ok(config) => panic!("no error, but\n{}", self.without_folder(&config.show())),
            Err(error) => self.without_folder(&error.to_string()),
        }
    }

    fn without_folder(&self, text: &str) -> String {
        text.replace(&self.folder.path().display().to_string(), "")
    }
}

/// The text of a hook in stage `guard`, with `more` of its keys.
fn hook(name: &str, more: &str) -> String {
    format!("[[hook]]\nname = \"{name}\"\ncomponent = \"a.wasm\"\nstage = \"guard\"\n{more}\n")
}

fn names(config: &Config) -> Vec<&str> {
    config.hooks.iter().map(|hook| hook.name.as_str()).collect()
}
