//! Files of others, replaced in one step.

use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// The text of a file; none if there is none.
pub(super) fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Puts a text into a file, the one that a link leads to if it is one, and leaves owner and mode as
/// they are; `mode` is for a new one. Whoever reads it meanwhile gets the old or the new text whole.
pub(super) fn write(path: &Path, text: &str, mode: u32) -> anyhow::Result<()> {
    let problem = || format!("cannot write {}", path.display());
    let path = match path.canonicalize() {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error).with_context(problem),
    };
    replace(&path, text, mode).with_context(problem)
}

fn replace(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    let former = path.metadata().ok();
    let mode = former
        .as_ref()
        .map_or(mode, |metadata| metadata.mode() & 0o7777);
    let mut file = tempfile::Builder::new()
        .prefix(".spawnhook-")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(parent)?;
    file.write_all(text.as_bytes())?;
    if let Some(former) = former {
        // only root can give it back to somebody else
        fchown(file.as_file(), Some(former.uid()), Some(former.gid())).ok();
    }
    file.as_file()
        .set_permissions(Permissions::from_mode(mode))?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Makes the folder of a file, and returns the folders that were made, the innermost first.
pub(super) fn make_folder(file: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let Some(folder) = file.parent() else {
        return Ok(Vec::new());
    };
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    let made = fs::create_dir_all(folder);
    made.with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(missing)
}
