//! An answer for people: a line for each part, its verdict first, and behind it what decided.

use std::fmt::{self, Write as _};

use spawnhook_exec::visible;
use spawnhook_policy::{ExplainedPart, ExplainedUnknown, Explanation, Verdict};
use unicode_width::UnicodeWidthChar as _;

use super::{Answer, PolicyAnswer};

/// How many columns the text of a part may take.
const TEXT_COLUMNS: usize = 60;

/// One line.
struct Row {
    verdict: Option<Verdict>,
    /// The branches of the tree that lead to it, and its text.
    text: String,
    rule: String,
    place: String,
}

/// What hangs below a part.
enum Child<'a> {
    Row(Verdict, String, &'a str),
    Part(&'a ExplainedPart),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, policy) in self.policies.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{policy}")?;
        }
        if !self.rewritten_by.is_empty() {
            let hooks = self.rewritten_by.join("`, `");
            writeln!(
                f,
                "\nnot run here, and may change the command first: `{hooks}`"
            )?;
        }
        if self.policies.len() > 1 {
            writeln!(f, "\nof all: {}", self.verdict)?;
        }
        Ok(())
    }
}

impl fmt::Display for PolicyAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.hook, &self.explanation) {
            (Some(hook), None) => writeln!(f, "hook `{hook}` is not called for it"),
            (Some(hook), Some(explanation)) => {
                writeln!(f, "hook `{hook}`: {}", explanation.verdict)?;
                write_explanation(f, explanation)
            }
            (None, Some(explanation)) => {
                let verdict = explanation.verdict;
                writeln!(
                    f,
                    "no `builtin:command-policy` is configured; its default policy: {verdict}"
                )?;
                write_explanation(f, explanation)
            }
            (None, None) => Ok(()),
        }
    }
}

fn write_explanation(f: &mut fmt::Formatter<'_>, explanation: &Explanation) -> fmt::Result {
    let rows = rows(explanation);
    let columns = |text: fn(&Row) -> &str| rows.iter().map(|row| width(text(row))).max();
    let text_columns = columns(|row| &row.text).unwrap_or_default();
    let rule_columns = columns(|row| &row.rule).unwrap_or_default();
    for row in &rows {
        let mut line = String::from("  ");
        cell(
            &mut line,
            &row.verdict
                .map_or_else(String::new, |verdict| verdict.to_string()),
            5,
        );
        cell(&mut line, &row.text, text_columns);
        cell(&mut line, &row.rule, rule_columns);
        line.push_str(&row.place);
        writeln!(f, "{}", line.trim_end())?;
    }
    match explanation.reason.as_str() {
        "" => Ok(()),
        reason => writeln!(f, "because {}", visible(reason)),
    }
}

/// A cell of so many columns, and two behind it.
fn cell(line: &mut String, text: &str, columns: usize) {
    let blanks = columns.saturating_sub(width(text)) + 2;
    write!(line, "{text}{:blanks$}", "").expect("invariant: a String takes all text");
}

fn width(text: &str) -> usize {
    text.chars().map(|char| char.width().unwrap_or(0)).sum()
}

fn rows(explanation: &Explanation) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in &explanation.parts {
        add_part(&mut rows, part, "", "", 0);
    }
    for unknown in &explanation.undecidable {
        let text = format!("{}: {}", unknown.construct, unknown.text);
        rows.push(row(Some(unknown.verdict), "", &text, "undecidable"));
    }
    rows
}

fn row(verdict: Option<Verdict>, branches: &str, text: &str, rule: &str) -> Row {
    Row {
        verdict,
        text: format!("{branches}{}", shortened(&visible(text))),
        rule: visible(rule).into_owned(),
        place: String::new(),
    }
}

/// The head of a text that is too long for its column.
fn shortened(text: &str) -> String {
    if width(text) <= TEXT_COLUMNS {
        return text.to_owned();
    }
    let mut columns = 0;
    let head = text.chars().take_while(|char| {
        columns += char.width().unwrap_or(0);
        columns < TEXT_COLUMNS
    });
    head.chain(['…']).collect()
}

/// Adds a part and what is inside it. `branch` leads to it, `trunk` past it; its parent stands
/// `depth` steps from the top.
fn add_part(rows: &mut Vec<Row>, part: &ExplainedPart, branch: &str, trunk: &str, depth: usize) {
    // one that could not be read to its end has no text of its own
    let text = match part.text.as_str() {
        "" => "…",
        text => text,
    };
    let mut own = row(
        part.verdict,
        branch,
        text,
        part.rule.as_deref().unwrap_or_default(),
    );
    own.place = part.place.get(depth..).unwrap_or_default().join(", ");
    rows.push(own);
    let children = children(part);
    let last = children.len().saturating_sub(1);
    for (index, child) in children.iter().enumerate() {
        let (corner, line) = match index == last {
            true => ("└─ ", "   "),
            false => ("├─ ", "│  "),
        };
        let branch = format!("{trunk}{corner}");
        match child {
            Child::Row(verdict, text, rule) => rows.push(row(Some(*verdict), &branch, text, rule)),
            Child::Part(inner) => {
                add_part(
                    rows,
                    inner,
                    &branch,
                    &format!("{trunk}{line}"),
                    part.place.len(),
                );
            }
        }
    }
}

fn children(part: &ExplainedPart) -> Vec<Child<'_>> {
    let writes = part.writes.iter().map(|target| {
        Child::Row(
            target.verdict,
            format!("writes {}", target.file),
            &target.rule,
        )
    });
    let unknown = |unknown: &ExplainedUnknown| {
        let text = match unknown.text == part.text {
            true => unknown.construct.to_owned(),
            false => format!("{}: {}", unknown.construct, unknown.text),
        };
        Child::Row(unknown.verdict, text, "undecidable")
    };
    let unknowns = part.undecidable.iter().map(unknown);
    writes
        .chain(unknowns)
        .chain(part.inside.iter().map(Child::Part))
        .collect()
}
