//! What a settings file was before it was edited, so that it can be that again to the byte.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use spawnhook::audit::sha256_hex;

use super::file;
use crate::cli::ambient;

/// Kept for each edited file.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Undo {
    file: PathBuf,
    /// Its text before; none if there was no file.
    pub(super) before: Option<String>,
    /// The hex SHA-256 of its text after.
    after_sha256: String,
    /// The folders that were made for it, the innermost first.
    made: Vec<PathBuf>,
}

impl Undo {
    pub(super) fn new(
        file: &Path,
        before: Option<String>,
        after: &str,
        made: Vec<PathBuf>,
    ) -> Self {
        Self {
            file: file.to_owned(),
            before,
            after_sha256: sha256_hex(after),
            made,
        }
    }

    /// What is kept of a file, if its text is still what the edit has made of it.
    pub(super) fn load(file: &Path, text: &str) -> anyhow::Result<Option<Self>> {
        let kept = file::read(&place(file)?)?;
        let undo = kept.and_then(|kept| serde_json::from_str(&kept).ok());
        Ok(undo.filter(|undo: &Self| undo.file == file && undo.after_sha256 == sha256_hex(text)))
    }

    pub(super) fn keep(&self) -> anyhow::Result<()> {
        let place = place(&self.file)?;
        file::make_folder(&place)?;
        // settings of others can hold what is nobody else's business
        file::write(&place, &serde_json::to_string(self)?, 0o600)
    }

    /// The folders that were made for the file.
    pub(super) fn made(&self) -> Vec<PathBuf> {
        self.made.clone()
    }

    /// Makes the file what it was.
    pub(super) fn restore(&self) -> anyhow::Result<()> {
        match &self.before {
            Some(text) => file::write(&self.file, text, 0o600)?,
            None => {
                let removed = fs::remove_file(&self.file);
                removed.with_context(|| format!("cannot remove {}", self.file.display()))?;
                // whoever has put something in there keeps it
                self.made
                    .iter()
                    .for_each(|folder| drop(fs::remove_dir(folder)));
            }
        }
        forget(&self.file)
    }
}

/// Keeps nothing of a file any more.
pub(super) fn forget(file: &Path) -> anyhow::Result<()> {
    fs::remove_file(place(file)?).ok();
    Ok(())
}

fn place(file: &Path) -> anyhow::Result<PathBuf> {
    let name = &sha256_hex(file.as_os_str().as_encoded_bytes())[..32];
    let folder = ambient::state_home()?.join("spawnhook/agent-hook");
    Ok(folder.join(format!("{name}.json")))
}
