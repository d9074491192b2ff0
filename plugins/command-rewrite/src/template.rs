//! What a match is replaced with: text with references to the groups of the pattern.

use regex_lite::Captures;
use spawnhook_sdk::pattern::Pattern;

/// `$1` and `${1}` stand for a group by its number, `$name` and `${name}` by its name, `$0` for the
/// whole match, `$$` for a dollar. A name reaches as far as letters, digits and `_` do.
pub(crate) struct Template(Vec<Part>);

enum Part {
    Literal(String),
    Group(usize),
}

impl Template {
    /// Every reference must be one to a group of `pattern`. The error continues `expected …`.
    pub(crate) fn parse(text: &str, pattern: &Pattern) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((literal, behind)) = rest.split_once('$') {
            parts.push(Part::Literal(literal.to_owned()));
            if let Some(behind) = behind.strip_prefix('$') {
                parts.push(Part::Literal("$".to_owned()));
                rest = behind;
            } else {
                let (name, behind) =
                    reference(behind).ok_or("a group behind each $, or $$ for a dollar")?;
                parts.push(Part::Group(group(name, pattern)?));
                rest = behind;
            }
        }
        parts.push(Part::Literal(rest.to_owned()));
        Ok(Self(parts))
    }

    /// A group that took no part in the match is empty.
    pub(crate) fn expand(&self, captures: &Captures<'_>, output: &mut String) {
        for part in &self.0 {
            output.push_str(match part {
                Part::Literal(text) => text,
                Part::Group(index) => captures.get(*index).map_or("", |group| group.as_str()),
            });
        }
    }
}

/// Splits `name…` and `{name}…`, what stands behind a dollar.
fn reference(text: &str) -> Option<(&str, &str)> {
    if let Some(braced) = text.strip_prefix('{') {
        return braced.split_once('}');
    }
    let end = text
        .find(|char: char| !char.is_ascii_alphanumeric() && char != '_')
        .unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn group(name: &str, pattern: &Pattern) -> Result<usize, String> {
    pattern.group(name).ok_or_else(|| {
        format!("groups that the pattern has, or $$ for a dollar; it has no group {name:?}")
    })
}
