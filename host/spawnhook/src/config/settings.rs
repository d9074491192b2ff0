use std::fs;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Number, Value};

use super::error::ConfigError;
use super::key::Key;
use super::origin::Origin;

/// What stands in the place of a value that was read from a file or a variable.
pub(super) const MASK: &str = "***";

/// The most bytes that are read from a file that a setting refers to: no secret is larger, and a
/// device that never ends stops here.
const MAX_REFERENCE_BYTES: u64 = 1 << 20;

/// A value with its references resolved, and the same for people to read.
pub(super) struct Resolved {
    pub(super) value: Value,
    pub(super) masked: Value,
}

impl From<Value> for Resolved {
    /// A value with nothing to hide.
    fn from(value: Value) -> Self {
        Self {
            masked: value.clone(),
            value,
        }
    }
}

/// Turns a value of TOML at `key` into JSON and resolves `{ file = "…" }` and `{ env = "…" }`
/// wherever they stand in it. Dates and times become strings.
pub(super) fn resolve(
    value: &toml::Value,
    key: &Key,
    origin: &Origin<'_>,
) -> Result<Resolved, ConfigError> {
    Ok(match value {
        toml::Value::String(text) => Value::from(text.as_str()).into(),
        toml::Value::Integer(integer) => Value::from(*integer).into(),
        toml::Value::Boolean(boolean) => Value::from(*boolean).into(),
        toml::Value::Datetime(datetime) => Value::from(datetime.to_string()).into(),
        toml::Value::Float(float) => match Number::from_f64(*float) {
            Some(number) => Value::Number(number).into(),
            None => {
                let problem = format!("{float}: expected a number that JSON has, which is finite");
                return Err(origin.reject(key, problem));
            }
        },
        toml::Value::Array(elements) => resolve_array(elements, key, origin)?,
        toml::Value::Table(table) => match Reference::of(table) {
            Some(reference) => Resolved {
                value: Value::from(reference.read(key, origin)?),
                masked: Value::from(MASK),
            },
            None => resolve_table(table, key, origin)?,
        },
    })
}

fn resolve_array(
    elements: &[toml::Value],
    key: &Key,
    origin: &Origin<'_>,
) -> Result<Resolved, ConfigError> {
    let resolved = elements
        .iter()
        .enumerate()
        .map(|(index, element)| resolve(element, &key.element(index), origin))
        .collect::<Result<Vec<_>, _>>()?;
    let (values, masked) = resolved
        .into_iter()
        .map(|element| (element.value, element.masked))
        .unzip();
    Ok(Resolved {
        value: Value::Array(values),
        masked: Value::Array(masked),
    })
}

/// Resolves the entries of a table, which itself is no reference.
pub(super) fn resolve_table(
    table: &toml::Table,
    key: &Key,
    origin: &Origin<'_>,
) -> Result<Resolved, ConfigError> {
    let (mut values, mut masked) = (Map::new(), Map::new());
    for (name, value) in table {
        let resolved = resolve(value, &key.entry(name), origin)?;
        values.insert(name.clone(), resolved.value);
        masked.insert(name.clone(), resolved.masked);
    }
    Ok(Resolved {
        value: Value::Object(values),
        masked: Value::Object(masked),
    })
}

/// A value that stands elsewhere.
enum Reference<'a> {
    File(&'a str),
    Env(&'a str),
}

impl<'a> Reference<'a> {
    /// The reference that a table is: one entry, `file` or `env`, with text.
    fn of(table: &'a toml::Table) -> Option<Self> {
        let mut entries = table.iter();
        match (entries.next(), entries.next()) {
            (Some((name, toml::Value::String(text))), None) => match name.as_str() {
                "file" => Some(Self::File(text)),
                "env" => Some(Self::Env(text)),
                _ => None,
            },
            _ => None,
        }
    }

    fn read(&self, key: &Key, origin: &Origin<'_>) -> Result<String, ConfigError> {
        match self {
            Self::File(path) => read_file(path, &key.entry("file"), origin),
            Self::Env(name) => read_variable(name, &key.entry("env"), origin),
        }
    }
}

fn read_file(written: &str, key: &Key, origin: &Origin<'_>) -> Result<String, ConfigError> {
    let path = origin.path(key, written)?;
    let text = read_limited(&path).map_err(|error| {
        origin.reject(
            key,
            format!("can't read the file {}: {error}", path.display()),
        )
    })?;
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}

fn read_limited(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = fs::File::open(path)?
        .take(MAX_REFERENCE_BYTES + 1)
        .read_to_string(&mut text)?;
    if u64::try_from(read).is_ok_and(|read| read <= MAX_REFERENCE_BYTES) {
        Ok(text)
    } else {
        Err(io::Error::other(format!(
            "it has more than {MAX_REFERENCE_BYTES} bytes"
        )))
    }
}

fn read_variable(name: &str, key: &Key, origin: &Origin<'_>) -> Result<String, ConfigError> {
    let value = origin
        .sources
        .env
        .get(name)
        .ok_or_else(|| origin.reject(key, format!("the variable `{name}` is not set")))?;
    value.to_str().map(str::to_owned).ok_or_else(|| {
        origin.reject(
            key,
            format!("the value of the variable `{name}` is not UTF-8"),
        )
    })
}
