use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use spawnhook_model::Env;
use tempfile::TempDir;

use crate::config::{Config, ConfigError, Layer, Sources};

/// Separates the system's file from the user's: no text has this byte.
const SEPARATOR: u8 = 0xff;

/// What no config may show.
const SECRET: &str = "hunter2-5e4d";

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("/tmp is writable"));

thread_local! {
    static SOURCES: Sources = sources();
}

/// A folder of its own for every thread, since tests run beside each other.
fn sources() -> Sources {
    let folder = FOLDER
        .path()
        .join(format!("{:?}", std::thread::current().id()));
    fs::create_dir_all(&folder).expect("the folder of the fuzzer is writable");
    fs::write(folder.join("secret"), SECRET).expect("the folder of the fuzzer is writable");
    Sources {
        system: Some(folder.join("system.toml")),
        user: Some(folder.join("user.toml")),
        explicit: None,
        start_directory: "/project".into(),
        state_home: "/home/someone/.local/state".into(),
        home: Some("/home/someone".into()),
        env: Env::from_iter([("SECRET", SECRET)]),
    }
}

/// Two files are a config in which the user's has loosened nothing and no secret is shown, or an
/// error at a place in one of them.
pub fn config(bytes: &[u8]) {
    let mut files = bytes.splitn(2, |byte| *byte == SEPARATOR);
    let system = files.next().unwrap_or_default();
    let user = files.next();
    // A reference to a device could wait for ever.
    if [system, user.unwrap_or_default()]
        .iter()
        .any(|file| names_device(file))
    {
        return;
    }
    SOURCES.with(|sources| {
        write(&sources.system, Some(system));
        write(&sources.user, user);
        check(sources);
    });
}

fn names_device(file: &[u8]) -> bool {
    let text = String::from_utf8_lossy(file);
    // As an escape could write it, too.
    ["/dev", "/proc", "/sys", "\\u", "\\U", "\\x"]
        .iter()
        .any(|part| text.contains(part))
}

fn write(path: &Option<std::path::PathBuf>, content: Option<&[u8]>) {
    let path = path.as_deref().expect("the fuzzer names both files");
    match content {
        Some(content) => fs::write(path, content).expect("the folder of the fuzzer is writable"),
        None => drop(fs::remove_file(path)),
    }
}

fn check(sources: &Sources) {
    let config = match Config::load(sources) {
        Ok(config) => config,
        Err(error) => return assert_placed(&error),
    };
    assert!(config == Config::load(sources).expect("it was read before"));
    let shown = config.show();
    assert!(!shown.contains(SECRET), "{shown}");
    if let Err(error) = shown.parse::<toml::Table>() {
        panic!("{error}\n{shown}");
    }
    assert!(config.limits.default_timeout <= config.limits.max_timeout);
    assert!(
        config
            .hooks
            .is_sorted_by_key(|hook| (hook.stage, rank(hook.from)))
    );
    let system_alone = Sources {
        user: None,
        ..sources.clone()
    };
    if let Ok(system) = Config::load(&system_alone) {
        assert_no_looser(&config, &system);
    }
}

/// The system's hooks run first in their stage, then those of files below, then what is built in.
fn rank(layer: Layer) -> u8 {
    match layer {
        Layer::System => 0,
        Layer::User => 1,
        Layer::BuiltIn => 2,
    }
}

fn assert_no_looser(config: &Config, system: &Config) {
    let (limits, most) = (&config.limits, &system.limits);
    assert!(limits.max_timeout <= most.max_timeout);
    assert!(limits.output.max_lines <= most.output.max_lines);
    assert!(limits.output.max_bytes <= most.output.max_bytes);
    assert!(limits.spill_quota <= most.spill_quota);
    assert_eq!(config.audit.path, system.audit.path);
    for glob in &system.env.exclude {
        assert!(config.env.exclude.contains(glob), "{glob}");
    }
    for hook in &system.hooks {
        assert!(config.hooks.contains(hook), "{}", hook.name);
    }
}

/// An error names a place that the file has.
fn assert_placed(error: &ConfigError) {
    let ConfigError::Invalid {
        path,
        line,
        column,
        message,
    } = error
    else {
        return;
    };
    let text = read(path);
    let found = text.split('\n').nth(line - 1);
    let found = found.unwrap_or_else(|| panic!("there is no line {line}: {message}"));
    assert!((1..=found.chars().count() + 1).contains(column), "{error}");
    assert!(!message.is_empty());
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the error is about a file that was read")
}
