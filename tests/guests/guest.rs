//! The guests and what their headers say of them; see README.md here.

use std::fs;
use std::path::{Path, PathBuf};

use spawnhook_model::Stage;

/// One guest, as its header has it.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) name: String,
    pub(crate) stage: Stage,
    pub(crate) expect: String,
    pub(crate) says: Vec<String>,
    /// Whether it is `after-exit` that fails.
    pub(crate) after_exit: bool,
    pub(crate) settings: String,
    /// Whether it gets the limits of an interpreter.
    pub(crate) interpreted: bool,
    /// As `command`, `cwd`, or `LIST=GLOB`.
    pub(crate) rights: Vec<String>,
    /// The file as WebAssembly.
    pub(crate) component: Vec<u8>,
}

/// Every guest in the order of the names; a file without a complete header fails.
pub(crate) fn guests() -> Vec<Guest> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "wat"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().map(|file| Guest::read(file)).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/guests")
}

impl Guest {
    pub(crate) fn named(name: &str) -> Self {
        Self::read(&folder().join(name).with_extension("wat"))
    }

    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let mut stage = None;
        let mut guest = Self {
            name: name.to_owned(),
            stage: Stage::Rewrite,
            expect: String::new(),
            says: Vec::new(),
            after_exit: false,
            settings: "{}".to_owned(),
            interpreted: false,
            rights: Vec::new(),
            component: wat::parse_str(&text).unwrap_or_else(|error| panic!("{name}: {error}")),
        };
        for line in text.lines().map_while(|line| line.strip_prefix(";; ")) {
            let (key, value) = line
                .split_once(": ")
                .unwrap_or_else(|| panic!("{name}: {line}"));
            match key {
                "stage" => stage = Stage::ALL.into_iter().find(|stage| stage.name() == value),
                "expect" => value.clone_into(&mut guest.expect),
                "says" => guest.says.push(value.to_owned()),
                "phase" => guest.after_exit = value == "after-exit",
                "profile" => guest.interpreted = value == "interpreted",
                "settings" => value.clone_into(&mut guest.settings),
                "rights" => guest.rights.extend(value.split(' ').map(str::to_owned)),
                _ => panic!("{name}: the header has an unknown key, {key}"),
            }
        }
        guest.stage = stage.unwrap_or_else(|| panic!("{name}: the header has no stage"));
        assert!(!guest.expect.is_empty(), "{name}: the header has no expect");
        assert!(!guest.says.is_empty(), "{name}: the header has no says");
        guest
    }
}
