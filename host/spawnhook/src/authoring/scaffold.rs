//! New projects for hooks: they build and pass their own test as they are.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use include_dir::{Dir, DirEntry, File, include_dir};

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
static WIT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../wit");
static SDK: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../plugins/sdk/src");

/// What ends the name of a file in which names are put in.
const TEMPLATE: &str = ".template";

/// The longest name.
const MAX_NAME_BYTES: usize = 64;

/// What the sources of a new hook are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Compiled with cargo.
    Rust,
    /// Made a component by componentize-js.
    JavaScript,
    /// Made a component by componentize-py.
    Python,
}

/// Why there is no new project.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScaffoldError {
    /// The name is none for a folder and a package.
    #[error(
        "{0:?} is no name for a hook: write at most {MAX_NAME_BYTES} of a-z, 0-9 and -, a letter \
         first and no - last"
    )]
    Name(String),
    /// Something has the name already.
    #[error("{} is there already, and nothing is overwritten: choose another name", .0.display())]
    Exists(PathBuf),
    /// A file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// What stands in the place of the words in a template.
struct Words {
    name: String,
    component: String,
    limits: &'static str,
}

impl Words {
    fn new(name: &str, language: Language) -> Self {
        const INTERPRETED: &str = "limits = { profile = \"interpreted\" }\n";
        let (component, limits) = match language {
            Language::Rust => {
                let file = name.replace('-', "_");
                (format!("target/wasm32-wasip2/release/{file}.wasm"), "")
            }
            Language::JavaScript | Language::Python => (format!("dist/{name}.wasm"), INTERPRETED),
        };
        Self {
            name: name.to_owned(),
            component,
            limits,
        }
    }

    fn put_into(&self, text: &str) -> String {
        text.replace("{{name}}", &self.name)
            .replace("{{component}}", &self.component)
            .replace("{{limits}}", self.limits)
    }
}

/// Writes a project into the folder `name` in `parent`, and returns the folder. What a project
/// needs that is not in a package registry is in it: the interface, and for Rust the SDK.
///
/// # Errors
///
/// If the name is none, if there is such a folder, or if it cannot be written.
pub fn create(parent: &Path, name: &str, language: Language) -> Result<PathBuf, ScaffoldError> {
    check_name(name)?;
    let folder = parent.join(name);
    if let Err(source) = fs::create_dir(&folder) {
        return Err(match source.kind() {
            io::ErrorKind::AlreadyExists => ScaffoldError::Exists(folder),
            _ => ScaffoldError::Write {
                path: folder,
                source,
            },
        });
    }
    let words = Words::new(name, language);
    let own = match language {
        Language::Rust => "rust",
        Language::JavaScript => "javascript",
        Language::Python => "python",
    };
    for part in ["common", own] {
        let part = TEMPLATES.get_dir(part);
        copy(
            part.expect("invariant: every language has templates"),
            &folder,
            &words,
        )?;
    }
    copy(&WIT, &folder.join("wit"), &words)?;
    if language == Language::Rust {
        copy(&SDK, &folder.join("vendor/spawnhook-sdk/src"), &words)?;
    }
    Ok(folder)
}

fn check_name(name: &str) -> Result<(), ScaffoldError> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let good = name.len() <= MAX_NAME_BYTES
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && !name.ends_with('-')
        && name.bytes().all(fits);
    if good {
        Ok(())
    } else {
        Err(ScaffoldError::Name(name.to_owned()))
    }
}

fn copy(from: &Dir<'_>, to: &Path, words: &Words) -> Result<(), ScaffoldError> {
    for entry in from.entries() {
        let name = entry.path().file_name().unwrap_or_default();
        let path = to.join(name);
        match entry {
            DirEntry::Dir(folder) => copy(folder, &path, words)?,
            DirEntry::File(file) => write(file, path, words)?,
        }
    }
    Ok(())
}

fn write(file: &File<'_>, path: PathBuf, words: &Words) -> Result<(), ScaffoldError> {
    let shown = path.display().to_string();
    let (path, contents) = match (shown.strip_suffix(TEMPLATE), file.contents_utf8()) {
        (Some(path), Some(text)) => (PathBuf::from(path), words.put_into(text).into_bytes()),
        _ => (path, file.contents().to_owned()),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_script = contents.starts_with(b"#!");
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, contents))
        .and_then(|()| match is_script {
            true => fs::set_permissions(&path, fs::Permissions::from_mode(0o755)),
            false => Ok(()),
        });
    written.map_err(|source| ScaffoldError::Write { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let path = path.strip_prefix(folder).unwrap();
                    found.push(path.to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn a_project_has_all_that_it_needs_and_no_word_of_a_template_is_left() {
        for language in [Language::Rust, Language::JavaScript, Language::Python] {
            let parent = tempfile::tempdir().unwrap();
            let folder = create(parent.path(), "my-hook", language).unwrap();
            let files = files(&folder);
            for name in [
                "README.md",
                "hook-tests.toml",
                ".gitignore",
                "wit/worlds.wit",
            ] {
                assert!(files.contains(&name.to_owned()), "{name} in {files:?}");
            }
            for file in files {
                let text = fs::read_to_string(folder.join(&file)).unwrap();
                let left = text.contains("{{name}}") || text.contains("{{component}}");
                assert!(!left && !file.ends_with(TEMPLATE), "{file}");
            }
            let fixtures = super::super::fixtures::Fixtures::read(&folder.join("hook-tests.toml"));
            assert_eq!(fixtures.unwrap().tests.len(), 5);
        }
    }

    #[test]
    fn nothing_is_overwritten() {
        let parent = tempfile::tempdir().unwrap();
        create(parent.path(), "twice", Language::Python).unwrap();
        let error = create(parent.path(), "twice", Language::Rust).unwrap_err();
        assert!(matches!(error, ScaffoldError::Exists(_)), "{error}");
    }

    #[test]
    fn a_name_is_one_for_a_folder_and_a_package() {
        let parent = tempfile::tempdir().unwrap();
        for name in [
            "",
            "-a",
            "a-",
            "A",
            "a b",
            "../a",
            "a/b",
            "1a",
            "ä",
            &"a".repeat(65),
        ] {
            let error = create(parent.path(), name, Language::Rust).unwrap_err();
            assert!(matches!(error, ScaffoldError::Name(_)), "{name}: {error}");
        }
        assert!(files(parent.path()).is_empty());
    }

    #[test]
    fn the_vendored_sdk_depends_on_what_the_sdk_depends_on() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let table = |path: &str| -> toml::Table {
            toml::from_str(&fs::read_to_string(folder.join(path)).unwrap()).unwrap()
        };
        let workspace = table("../../plugins/Cargo.toml");
        let vendored = table("templates/rust/vendor/spawnhook-sdk/Cargo.toml.template");
        let sdk = table("../../plugins/sdk/Cargo.toml");
        let dependencies = sdk["dependencies"].as_table().unwrap();
        let ours = vendored["dependencies"].as_table().unwrap();
        assert_eq!(
            dependencies.keys().collect::<Vec<_>>(),
            ours.keys().collect::<Vec<_>>()
        );
        for name in dependencies.keys() {
            let version = |value: &toml::Value| match value {
                toml::Value::String(version) => version.clone(),
                table => table["version"].as_str().unwrap().to_owned(),
            };
            let expected = version(&workspace["workspace"]["dependencies"][name]);
            assert_eq!(version(&ours[name]), expected, "{name}");
        }
        assert_eq!(vendored["features"], sdk["features"]);
    }
}
