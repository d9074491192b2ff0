use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::error::ConfigError;
use super::file::File;
use super::key::{Key, Step};
use super::provenance::Place;

/// A config file that was read.
pub(super) struct Text {
    path: Arc<Path>,
    content: String,
}

impl Text {
    /// Reads the file at `path`.
    pub(super) fn read(path: &Path) -> Result<Self, ConfigError> {
        match fs::read_to_string(path) {
            Ok(content) => Ok(Self {
                path: path.into(),
                content,
            }),
            Err(source) => Err(ConfigError::Read {
                path: path.to_owned(),
                source,
            }),
        }
    }

    /// Reads the file at `path` if it exists.
    pub(super) fn read_if_exists(path: &Path) -> Result<Option<Self>, ConfigError> {
        match Self::read(path) {
            Err(ConfigError::Read { source, .. }) if is_absence(&source) => Ok(None),
            other => other.map(Some),
        }
    }

    /// The text is no TOML: what the parser says, with the word that it stumbled on.
    fn malformed(&self, error: &toml::de::Error) -> ConfigError {
        let word = error
            .span()
            .and_then(|span| self.content.get(span))
            .filter(|word| !word.is_empty() && !word.contains(char::is_control));
        let message = match word {
            Some(word) => format!("{}: `{word}`", error.message()),
            None => error.message().to_owned(),
        };
        self.invalid(error.span(), message)
    }

    fn invalid(&self, span: Option<Range<usize>>, message: String) -> ConfigError {
        let (line, column) = self.position(span.map_or(0, |span| span.start));
        ConfigError::Invalid {
            path: self.path.to_path_buf(),
            line,
            column,
            message,
        }
    }

    /// The line and the character in it, both counted from 1, of a byte of the text.
    fn position(&self, offset: usize) -> (usize, usize) {
        let before = &self.content[..self.content.floor_char_boundary(offset)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        (line, before[line_start..].chars().count() + 1)
    }
}

/// A config file in which every key and value can be found by name.
pub(super) struct Source<'a> {
    text: &'a Text,
    table: Spanned<DeTable<'a>>,
}

/// Where an entry stands in the text, in bytes, and what it holds.
struct Entry<'a> {
    key: Range<usize>,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Source<'a> {
    pub(super) fn parse(text: &'a Text) -> Result<Self, ConfigError> {
        match DeTable::parse(&text.content) {
            Ok(table) => Ok(Self { text, table }),
            Err(error) => Err(text.malformed(&error)),
        }
    }

    /// The file's keys and values, every one of them known and well-formed by itself.
    pub(super) fn decode(&self) -> Result<File, ConfigError> {
        let decoder = toml::de::Deserializer::from(self.table.clone());
        File::deserialize(decoder).map_err(|error| {
            let span = error.span();
            let key = span.as_ref().and_then(|span| self.key_at(span));
            self.text.invalid(span, name_the_key(error.message(), key))
        })
    }

    /// The folder that relative paths in the file start from.
    pub(super) fn folder(&self) -> PathBuf {
        self.text
            .path
            .parent()
            .map(Path::to_owned)
            .unwrap_or_default()
    }

    pub(super) fn path(&self) -> &Arc<Path> {
        &self.text.path
    }

    /// Whether the file sets `key`.
    pub(super) fn sets(&self, key: &Key) -> bool {
        self.entry(key).is_some()
    }

    /// Where the file sets `key`; its head if it does not.
    pub(super) fn place(&self, key: &Key) -> Place {
        let start = self.entry(key).map_or(0, |entry| entry.key.start);
        Place::File {
            path: Arc::clone(&self.text.path),
            line: self.text.position(start).0,
        }
    }

    /// An error at the value of `key`, which stands at the head of the message.
    pub(super) fn reject(&self, key: &Key, problem: impl Display) -> ConfigError {
        let span = self.entry(key).map(|entry| entry.value.span());
        self.text.invalid(span, format!("`{key}`: {problem}"))
    }

    /// The names in the table at `key`; none if there is no such table.
    pub(super) fn names(&self, key: &Key) -> Vec<String> {
        let table = if key.steps().is_empty() {
            Some(self.table.get_ref())
        } else {
            self.entry(key)
                .and_then(|entry| entry.value.get_ref().as_table())
        };
        let names = table.into_iter().flat_map(DeTable::keys);
        names.map(|name| name.get_ref().to_string()).collect()
    }

    /// Notes where the file sets what stands below `key`, under names that start with `name`.
    pub(super) fn record(&self, key: &Key, name: &str, places: &mut BTreeMap<String, Place>) {
        for entry in self.names(key) {
            let (key, name) = (key.entry(&entry), format!("{name}.{entry}"));
            places.insert(name.clone(), self.place(&key));
            if entry != "settings" {
                self.record(&key, &name, places);
            }
        }
    }

    fn entry(&self, key: &Key) -> Option<Entry<'_>> {
        let (first, rest) = key.steps().split_first()?;
        rest.iter().try_fold(
            in_table(self.table.get_ref(), first)?,
            |entry, step| match entry.value.get_ref() {
                DeValue::Table(table) => in_table(table, step),
                DeValue::Array(array) => in_array(array, step),
                _ => None,
            },
        )
    }

    /// The key whose name or value has exactly this span.
    fn key_at(&self, span: &Range<usize>) -> Option<Key> {
        find_in_table(self.table.get_ref(), span, &Key::default())
    }
}

/// The file, or a folder on the way to it, does not exist.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn in_table<'a>(table: &'a DeTable<'a>, step: &Step) -> Option<Entry<'a>> {
    let Step::Name(name) = step else { return None };
    let (key, value) = table.get_key_value(name.as_str())?;
    Some(Entry {
        key: key.span(),
        value,
    })
}

fn in_array<'a>(array: &'a DeArray<'a>, step: &Step) -> Option<Entry<'a>> {
    let Step::Position(position) = step else {
        return None;
    };
    let value = array.get(*position)?;
    Some(Entry {
        key: value.span(),
        value,
    })
}

fn find_in_table(table: &DeTable<'_>, span: &Range<usize>, here: &Key) -> Option<Key> {
    table.iter().find_map(|(name, value)| {
        let key = here.entry(name.get_ref());
        if name.span() == *span {
            Some(key)
        } else {
            find_in_value(value, span, key)
        }
    })
}

fn find_in_value(value: &Spanned<DeValue<'_>>, span: &Range<usize>, key: Key) -> Option<Key> {
    if value.span() == *span {
        return Some(key);
    }
    match value.get_ref() {
        DeValue::Table(table) => find_in_table(table, span, &key),
        DeValue::Array(array) => array
            .iter()
            .enumerate()
            .find_map(|(index, value)| find_in_value(value, span, key.element(index))),
        _ => None,
    }
}

/// The decoder speaks of fields, knows no keys, and leaves it to us to say where we are.
fn name_the_key(message: &str, key: Option<Key>) -> String {
    let Some(key) = key else {
        return message.to_owned();
    };
    if let Some(rest) = message.strip_prefix("unknown field ") {
        let expected = rest.split_once(", ").map_or("", |(_, expected)| expected);
        format!("unknown key `{key}`, {expected}")
    } else if let Some(name) = message.strip_prefix("missing field ") {
        format!("`{key}`: the key {name} is missing")
    } else {
        format!("`{key}`: {message}")
    }
}
