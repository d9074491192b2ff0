//! Where a redirection writes to, as far as the text tells: links are not followed.

use spawnhook_sdk::settings::{FromSetting, Setting};
use spawnhook_shell::{Part, Redirection, Step, Word};

use crate::{
    Facts,
    glob::{Glob, Match},
};

/// How many working directories are kept apart before none is known.
const MAX_FOLDERS: usize = 64;

/// Places that a rule is about.
#[derive(Clone, Debug)]
pub(crate) enum Area {
    /// The workspace, but not the folders `.git` in it.
    Inside,
    /// All else.
    Outside,
    /// Absolute paths that match.
    Paths(Glob),
}

impl FromSetting for Area {
    fn from_setting(setting: Setting<'_>) -> Option<Self> {
        match setting.as_str() {
            Some("inside") => Some(Self::Inside),
            Some("outside") => Some(Self::Outside),
            Some(path) if !path.starts_with(['/', '*']) => {
                setting.expected("inside, outside or a glob of absolute paths")
            }
            _ => Glob::from_setting(setting).map(Self::Paths),
        }
    }
}

/// The working directories in which a command of a text may run.
#[derive(Debug)]
pub(crate) struct Folders {
    /// None if they are not known.
    possible: Option<Vec<String>>,
    workspace: String,
}

/// The file of a redirection.
#[derive(Debug)]
pub(crate) struct Target {
    /// The paths that it may be, none if that is not known.
    paths: Option<Vec<String>>,
    workspace: String,
}

impl Folders {
    /// Those of the commands in `parts`: every `cd` may have happened before any command, or not.
    pub(crate) fn new(parts: &[Part], facts: &Facts<'_>) -> Self {
        let mut possible = Some(vec![normal("/", facts.cwd)]);
        for part in parts {
            if let Some(change) = change(part) {
                possible = possible.and_then(|folders| changed(folders, &change));
            }
        }
        Self {
            possible,
            workspace: normal("/", facts.workspace),
        }
    }

    /// Where a redirection writes to; none if that is no place of the file system that matters.
    pub(crate) fn target(&self, redirection: &Redirection) -> Option<Target> {
        let network = redirection.target.head().starts_with("/dev/tcp/")
            || redirection.target.head().starts_with("/dev/udp/");
        if !redirection.operator.writes() && !network {
            return None;
        }
        let paths = match redirection.target.literal() {
            Some(path) if path.starts_with('/') => Some(vec![normal("/", path)]),
            Some(path) => self.possible.as_ref().map(|folders| {
                let folders = folders.iter();
                folders.map(|folder| normal(folder, path)).collect()
            }),
            None => None,
        };
        let harmless = |path: &String| {
            matches!(
                path.as_str(),
                "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty"
            )
        };
        if paths
            .as_ref()
            .is_some_and(|paths| paths.iter().all(harmless))
        {
            return None;
        }
        Some(Target {
            paths,
            workspace: self.workspace.clone(),
        })
    }
}

impl Target {
    /// Whether it is in one of the areas.
    pub(crate) fn is_in(&self, areas: &[Area]) -> Match {
        let Some(paths) = &self.paths else {
            return Match::Maybe;
        };
        let covered = |path: &&String| areas.iter().any(|area| self.covers(area, path));
        match paths.iter().filter(covered).count() {
            0 => Match::No,
            count if count == paths.len() => Match::Yes,
            _ => Match::Maybe,
        }
    }

    fn covers(&self, area: &Area, path: &str) -> bool {
        let rest = path.strip_prefix(self.workspace.trim_end_matches('/'));
        // what a repository's own folder says is run by git
        let repository = |rest: &str| {
            rest.split('/')
                .any(|name| name.eq_ignore_ascii_case(".git"))
        };
        let inside = rest.is_some_and(|rest| rest.starts_with('/') && !repository(rest));
        match area {
            Area::Inside => inside,
            Area::Outside => !inside,
            Area::Paths(glob) => glob.matches(path),
        }
    }
}

/// Where a command changes the working directory to; none if it doesn't.
enum Change {
    To(String),
    /// To a place that is not known.
    Anywhere,
}

fn change(part: &Part) -> Option<Change> {
    let name = part.program()?.literal()?;
    if !matches!(name, "cd" | "pushd") {
        return None;
    }
    let option = |word: &&Word| matches!(word.literal(), Some("-L" | "-P" | "-e" | "-@" | "--"));
    let operand = part.arguments().iter().find(|word| !option(word));
    match operand.and_then(Word::literal) {
        // back to where it was
        Some("-") => None,
        Some(path) if path.starts_with('/') => Some(Change::To(path.to_owned())),
        Some(path) if !repeats(part) && !path.starts_with('+') => Some(Change::To(path.to_owned())),
        _ => Some(Change::Anywhere),
    }
}

/// Whether a command may run several times.
fn repeats(part: &Part) -> bool {
    part.place.iter().any(|step| {
        matches!(
            step,
            Step::Loop | Step::Condition | Step::Function | Step::Trap
        )
    })
}

fn changed(mut folders: Vec<String>, change: &Change) -> Option<Vec<String>> {
    let Change::To(path) = change else {
        return None;
    };
    for index in 0..folders.len() {
        let folder = normal(&folders[index], path);
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    (folders.len() <= MAX_FOLDERS).then_some(folders)
}

/// `path` as seen from `folder`, without `.` and `..`.
fn normal(folder: &str, path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let start = if path.starts_with('/') { "" } else { folder };
    for name in start.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_seen_from_its_folder() {
        for (path, expected) in [
            ("x", "/project/a/x"),
            ("./x", "/project/a/x"),
            ("../../x", "/x"),
            ("../../../../x", "/x"),
            ("/x/../y/", "/y"),
            ("", "/project/a"),
        ] {
            assert_eq!(normal("/project/a", path), expected, "{path}");
        }
    }
}
