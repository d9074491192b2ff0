use maud::{Markup, html};

use super::{mark, number, percent, title};
use crate::audit::summary::{Column, Counts, DURATIONS, EXITED_WITH_0, Kind, Summary, Timeline};
use crate::audit::words;

/// How many columns a phone has room for.
const COLUMNS: usize = 96;

pub(super) fn timeline(timeline: &Timeline) -> Markup {
    let (columns, minutes) = timeline.columns(COLUMNS);
    let most = columns
        .iter()
        .map(|column| column.counts.total())
        .max()
        .unwrap_or(0);
    html! {
        h2 { "Commands over time" }
        @if columns.is_empty() {
            p.muted { "Nothing ran." }
        } @else {
            p.muted.small { "At most " (number(most)) " in " (span(minutes)) }
            ol.columns {
                @for column in &columns { (self::column(column, most)) }
            }
            div.axis.muted.small {
                @for column in axis(&columns) { span { (words::minute(column.start)) } }
            }
            ul.legend.small {
                @for kind in Kind::ALL { li.(kind.name()) { i.(kind.name()) {} (title(kind)) } }
            }
        }
    }
}

fn column(column: &Column, most: u64) -> Markup {
    let told = told(&column.counts);
    let label = format!("{} UTC: {told}", words::time(column.start));
    html! {
        li title=(label) {
            @for kind in Kind::ALL {
                @let count = column.counts.of(kind);
                @if count > 0 { span.(kind.name()) style={ "height:" (percent(count, most)) } {} }
            }
        }
    }
}

fn told(counts: &Counts) -> String {
    let kinds = Kind::ALL.into_iter().filter(|kind| counts.of(*kind) > 0);
    let told: Vec<_> = kinds
        .map(|kind| format!("{} {}", counts.of(kind), kind.name()))
        .collect();
    match told.is_empty() {
        true => "no commands".to_owned(),
        false => told.join(", "),
    }
}

/// The columns whose starts are written below them: the first, and those at the quarters that there
/// is room for.
fn axis(columns: &[Column]) -> Vec<&Column> {
    columns
        .iter()
        .step_by(columns.len().div_ceil(4).max(1))
        .collect()
}

fn span(minutes: i64) -> String {
    match minutes {
        1 => "a minute".to_owned(),
        _ if minutes % 1440 == 0 => format!("{} d", minutes / 1440),
        _ if minutes % 60 == 0 => format!("{} h", minutes / 60),
        _ => format!("{minutes} min"),
    }
}

pub(super) fn endings(summary: &Summary) -> Markup {
    let most = summary.endings.values().copied().max().unwrap_or(0);
    let mut endings: Vec<_> = summary.endings.iter().collect();
    endings.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    html! {
        h2 { "How they ended" }
        div.bars {
            @for (ending, count) in endings {
                @let kind = kind_of(ending);
                div {
                    span.small { (mark(kind)) " " (super::shown(ending)) }
                    (bar(*count, most, Some(kind)))
                    span.number.small { (number(*count)) }
                }
            }
        }
    }
}

/// The kind of the commands with an ending.
fn kind_of(ending: &str) -> Kind {
    match ending {
        EXITED_WITH_0 => Kind::Succeeded,
        "timed-out" | "cancelled" => Kind::Stopped,
        "denied" | "hook-failed" => Kind::Refused,
        "handed-over" => Kind::HandedOver,
        "unended" => Kind::Unended,
        _ => Kind::Failed,
    }
}

pub(super) fn durations(summary: &Summary) -> Markup {
    let most = summary.durations.iter().copied().max().unwrap_or(0);
    html! {
        h2 { "How long they took" }
        div.bars {
            @for (class, count) in DURATIONS.iter().zip(summary.durations) {
                div {
                    span.small { (class.name) }
                    (bar(count, most, None))
                    span.number.small { (number(count)) }
                }
            }
        }
    }
}

pub(super) fn bar(part: u64, whole: u64, kind: Option<Kind>) -> Markup {
    html! {
        span.bar.(kind.map_or("plain", Kind::name)) {
            @if part > 0 { span style={ "width:" (percent(part, whole)) } {} }
        }
    }
}
