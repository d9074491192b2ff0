use maud::{Markup, html};

use super::lists::difference;
use super::{mark, number, shown, shown_lines, title};
use crate::audit::command::Command;
use crate::audit::summary::{Kind, Summary};
use crate::audit::words;

pub(super) fn commands(summary: &Summary) -> Markup {
    let latest = summary.latest.len() as u64;
    let mut rows: Vec<_> = summary.latest.iter().collect();
    rows.sort_by_key(|command| std::cmp::Reverse(command.time()));
    html! {
        h2 { "Commands" }
        @if latest < summary.counts.total() {
            p.muted.small { "The last " (number(latest)) " of " (number(summary.counts.total())) }
        }
        // Only a script can make use of them.
        div.tools hidden {
            input type="search" placeholder="Search commands, hooks, ids …" aria-label="Search";
            select aria-label="Kind" {
                option value="" { "All" }
                @for kind in Kind::ALL { option value=(kind.name()) { (title(kind)) } }
            }
            output.muted.small {}
        }
        table {
            thead { tr { th scope="col" { "Time" } th scope="col" { "Took" } th scope="col" { "Ending" } th scope="col" { "Command" } } }
            tbody { @for command in rows { (row(command)) } }
        }
    }
}

fn row(command: &Command) -> Markup {
    let kind = Kind::of(command);
    html! {
        tr data-kind=(kind.name()) {
            td { (command.time().map(words::time).unwrap_or_default()) }
            td data-key=(command.duration_ms.unwrap_or_default()) {
                (command.duration_ms.map(words::duration).unwrap_or_default())
            }
            td { span.ending.(kind.name()) { (mark(kind)) " " (shown(&words::ending(command))) } }
            td {
                details {
                    summary { code { (shown(&words::command(command))) } }
                    (details(command))
                }
                @if let Some(refusal) = words::refusal(command) { p.muted.small { (shown(&refusal)) } }
            }
        }
    }
}

fn details(command: &Command) -> Markup {
    let changed = command
        .changed
        .iter()
        .map(|by| format!("{} changed {}", by.hook, by.fields.join(", ")));
    let skipped = command.skipped.iter().map(|skipped| {
        format!(
            "{} failed and was left out: {}",
            skipped.hook, skipped.failure
        )
    });
    let output = command
        .output_bytes
        .map(|bytes| format!("{} bytes", number(bytes)));
    let leftovers = command.leftover_processes.filter(|count| *count > 0);
    html! {
        @if command.requested.is_some() && command.requested != command.command {
            pre { (difference(command)) }
        } @else if let Some(text) = command.command.as_deref().filter(|text| text.contains('\n')) {
            pre { (shown_lines(text)) }
        }
        dl {
            (fact("call", Some(&command.call)))
            (fact("record", Some(&command.seq.to_string())))
            (fact("cwd", command.cwd.as_deref()))
            (fact("origin", command.origin.as_deref()))
            (fact("output", output.as_deref()))
            (fact("left behind", leftovers.map(|count| format!("{count} processes")).as_deref()))
            @for text in changed.chain(skipped) { (fact("hook", Some(&text))) }
            @for (name, value) in &command.session { (fact(&format!("session {name}"), Some(value))) }
        }
    }
}

fn fact(name: &str, value: Option<&str>) -> Markup {
    html! { @if let Some(value) = value { dt { (shown(name)) } dd { (shown(value)) } } }
}
