//! One settings file of an agent, and what becomes of it.

use std::path::PathBuf;

use anyhow::Context as _;
use similar::TextDiff;

use super::places::{self, Scope};
use super::undo::{self, Undo};
use super::{file, proof, settings};
use crate::cli::agent_hook::dialect::Agent;
use crate::cli::{ambient, stream};

/// A settings file, and what stands in it.
pub(super) struct Settings {
    pub(super) agent: Agent,
    pub(super) path: PathBuf,
    pub(super) text: Option<String>,
}

impl Settings {
    pub(super) fn open(agent: Agent, scope: Scope) -> anyhow::Result<Self> {
        let folder = places::folder(agent, scope);
        let folder = match scope {
            Scope::Project => ambient::current_directory()?.join(folder),
            Scope::User => match places::folder_variable(agent) {
                Some(variable) => ambient::under_home(variable, folder)?,
                None => ambient::home()?.join(folder),
            },
        };
        let path = places::file(agent, &folder);
        let text = file::read(&path)?;
        Ok(Self { agent, path, text })
    }

    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    pub(super) fn problem(&self) -> String {
        format!("cannot edit {}", self.path.display())
    }

    pub(super) fn found(&self) -> anyhow::Result<Vec<settings::Found>> {
        settings::find(self.text(), self.agent).with_context(|| self.problem())
    }

    /// What was kept when it was edited, if nobody has changed it since.
    pub(super) fn undo(&self) -> anyhow::Result<Option<Undo>> {
        match &self.text {
            Some(text) => Undo::load(&self.path, text),
            None => Ok(None),
        }
    }

    /// What it is without our hooks.
    pub(super) fn without_ours(&self) -> anyhow::Result<Option<String>> {
        let without = settings::remove(self.text(), self.agent);
        let without = without.with_context(|| self.problem())?;
        Ok(without.or_else(|| self.text.clone()))
    }

    /// Puts a text into it, of which `undo` says what it was before; takes it back if the hooks in
    /// it do not work.
    pub(super) fn replace(&self, after: &str, undo: Undo) -> anyhow::Result<()> {
        let former = self.undo()?;
        undo.keep()?;
        file::write(&self.path, after, 0o644)?;
        let Err(error) = prove(self.agent, after) else {
            return Ok(());
        };
        match (&self.text, former) {
            (None, _) => undo.restore()?,
            (Some(text), None) => {
                file::write(&self.path, text, 0o644)?;
                undo::forget(&self.path)?;
            }
            (Some(text), Some(former)) => {
                file::write(&self.path, text, 0o644)?;
                former.keep()?;
            }
        }
        Err(error.context(format!("{} was left as it was", self.path.display())))
    }

    pub(super) fn show_difference(&self, after: &str) {
        let name = self.path.display().to_string();
        let difference = TextDiff::from_lines(self.text(), after);
        let mut difference = difference.unified_diff();
        stream::to_stdout(&difference.header(&name, &name).to_string());
    }
}

/// Every one of our hooks in a settings file denies what must be denied.
pub(super) fn prove(agent: Agent, text: &str) -> anyhow::Result<()> {
    if let Some(key) = settings::disabled_by(text, agent) {
        anyhow::bail!("`{key}` in it says that no hook runs; change that first");
    }
    let project = ambient::current_directory()?;
    let mut found = settings::find(text, agent)?.into_iter();
    found.try_for_each(|hook| proof::prove(agent, &hook, &project))
}
