use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

use super::{number, shown, shown_lines};
use crate::audit::command::Command;
use crate::audit::summary::{HookWork, Summary};
use crate::audit::words;

pub(super) fn slowest(summary: &Summary) -> Markup {
    html! {
        h2 { "Slowest" }
        (none_of(summary.slowest.is_empty(), "Nothing ran."))
        ol.list #slowest {
            @for command in &summary.slowest {
                li {
                    code.clip { (shown(&words::command(command))) }
                    span.number.small { (command.duration_ms.map(words::duration).unwrap_or_default()) }
                }
            }
        }
    }
}

pub(super) fn refused(summary: &Summary) -> Markup {
    let refused = summary.most_refused();
    html! {
        h2 { "Most refused" }
        (none_of(refused.is_empty(), "Nothing was refused."))
        ol.list #most-refused {
            @for refusals in refused {
                li {
                    span { code { (shown(&refusals.program)) } " by " (hook(&refusals.hook)) }
                    span.number.small { (number(refusals.count)) "×" }
                    span.below.muted.small { (shown(&refusals.reason)) }
                }
            }
        }
    }
}

pub(super) fn hooks(summary: &Summary) -> Markup {
    html! {
        h2 { "What hooks did" }
        (none_of(summary.hooks.is_empty(), "No hook changed or refused anything."))
        ul.list #hooks {
            @for (name, work) in &summary.hooks {
                li {
                    span { (hook(name)) }
                    span.small { (shown(&told(work))) }
                }
            }
        }
    }
}

fn told(work: &HookWork) -> String {
    let mut told = Vec::new();
    if work.changed > 0 {
        let fields: Vec<_> = work
            .fields
            .iter()
            .map(|(field, count)| format!("{field} {count}×"))
            .collect();
        told.push(format!("changed {}", fields.join(", ")));
    }
    if work.refused > 0 {
        told.push(format!("refused {}×", work.refused));
    }
    if work.left_out > 0 {
        told.push(format!("failed and was left out {}×", work.left_out));
    }
    told.join("; ")
}

pub(super) fn rewritten(summary: &Summary) -> Markup {
    html! {
        h2 { "Last rewritten" }
        (none_of(summary.rewritten.is_empty(), "No hook changed the text of a command."))
        ul.list.pairs #rewritten {
            @for command in &summary.rewritten {
                li { p.muted.small { (by(command)) } pre { (difference(command)) } }
            }
        }
    }
}

fn by(command: &Command) -> Markup {
    let of_text = |by: &&crate::audit::ChangedBy| by.fields.iter().any(|field| field == "command");
    let hooks: Vec<_> = command
        .changed
        .iter()
        .filter(of_text)
        .map(|by| &*by.hook)
        .collect();
    html! {
        @if let Some(time) = command.time() { (words::time(time)) " " }
        "by " (shown(&hooks.join(", ")))
    }
}

/// What was asked for and what ran, in one text.
pub(super) fn difference(command: &Command) -> Markup {
    html! {
        @for (tag, text) in runs(command) {
            @match tag {
                ChangeTag::Equal => (shown_lines(&text)),
                ChangeTag::Delete => del { (shown_lines(&text)) },
                ChangeTag::Insert => ins { (shown_lines(&text)) },
            }
        }
    }
}

/// The words of both, those together that went, came or stayed together.
fn runs(command: &Command) -> Vec<(ChangeTag, String)> {
    let (before, after) = (command.requested.as_deref(), command.command.as_deref());
    let diff = TextDiff::from_words(before.unwrap_or_default(), after.unwrap_or_default());
    let mut runs: Vec<(ChangeTag, String)> = Vec::new();
    for change in diff.iter_all_changes() {
        match runs.last_mut() {
            Some((tag, text)) if *tag == change.tag() => text.push_str(change.value()),
            _ => runs.push((change.tag(), change.value().to_owned())),
        }
    }
    runs
}

fn hook(name: &str) -> Markup {
    html! { strong { (shown(name)) } }
}

fn none_of(is_empty: bool, text: &str) -> Markup {
    html! { @if is_empty { p.muted { (text) } } }
}
