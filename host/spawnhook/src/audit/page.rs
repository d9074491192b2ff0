//! The report as a page of HTML: all in one file, for any browser, with nothing to fetch. What comes
//! from the log is text in it, whatever it is.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};
use spawnhook_exec::visible;

use super::summary::{Kind, Summary};
use super::verify::{Proof, Verdict};
use super::words;

mod charts;
mod lists;
mod table;

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// Draws a log.
pub fn page(log: &str, summary: &Summary, verdict: &Verdict, now: Timestamp) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'",
        BASE64_STANDARD.encode(Sha256::digest(SCRIPT))
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Audit report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { (body(log, summary, verdict, now)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

fn body(log: &str, summary: &Summary, verdict: &Verdict, now: Timestamp) -> Markup {
    html! {
        header {
            h1 { "Audit report" }
            p.muted { (period(summary)) }
            p.muted.small { code { (shown(log)) } }
        }
        (proof(verdict))
        (figures(summary))
        div.grid {
            section.wide { (charts::timeline(&summary.timeline)) }
            section { (charts::endings(summary)) }
            section { (charts::durations(summary)) }
            section { (lists::slowest(summary)) }
            div.stack {
                section { (lists::refused(summary)) }
                section { (lists::hooks(summary)) }
            }
            section.wide { (lists::rewritten(summary)) }
        }
        section { (table::commands(summary)) }
        footer.muted.small { "Drawn " (words::time(now)) " UTC by spawnhook " (env!("CARGO_PKG_VERSION")) ". All times are in UTC." }
    }
}

/// Text of the log, in which what is hidden is made visible.
fn shown(text: &str) -> Markup {
    html! { (visible(text)) }
}

/// The same in lines, as a command has them.
fn shown_lines(text: &str) -> Markup {
    let lines: Vec<_> = text.split('\n').map(visible).collect();
    html! { (lines.join("\n")) }
}

fn period(summary: &Summary) -> String {
    match summary.period() {
        None => "No commands".to_owned(),
        Some((first, last)) => format!("{} to {} UTC", words::time(first), words::time(last)),
    }
}

fn proof(verdict: &Verdict) -> Markup {
    match &verdict.proof {
        Proof::Whole {
            first, head, torn, ..
        } => html! {
            section.proof {
                strong.mark { "✓" }
                strong { "The log is whole" }
                @if let (Some(first), Some(head)) = (first, head) {
                    p { "Records " (first) " to " (head.seq) " are as they were written." }
                    @if *first > 1 { p { "Older ones were removed as the config has it." } }
                    @if *torn > 0 { p { "Lines that a crash has torn: " (torn) "." } }
                    p.muted.small { "Head: " code { (head.seq) ":" (head.hash) } }
                }
            }
        },
        Proof::Tampered {
            fault,
            file,
            line_in_file,
        } => html! {
            section.proof.bad role="alert" {
                strong.mark { "✕" }
                strong { "The log was tampered with" }
                p { "Line " (fault.line) ": " (fault.problem) "." }
                p.muted.small { code { (shown(&file.display().to_string())) ":" (line_in_file) } }
            }
        },
    }
}

fn figures(summary: &Summary) -> Markup {
    html! {
        dl.figures {
            div { dt { "Commands" } dd #commands { (number(summary.counts.total())) } }
            @for kind in Kind::ALL {
                div class=(kind.name()) {
                    dt { (mark(kind)) (title(kind)) }
                    dd id=(kind.name()) { (number(summary.counts.of(kind))) }
                }
            }
        }
    }
}

/// A sign for a kind, so that its colour is not all that tells it.
fn mark(kind: Kind) -> Markup {
    let sign = match kind {
        Kind::Succeeded => "✓",
        Kind::Failed => "✕",
        Kind::Stopped => "◷",
        Kind::Refused => "⊘",
        Kind::HandedOver => "→",
        Kind::Unended => "?",
    };
    html! { span.mark.(kind.name()) aria-hidden="true" { (sign) } }
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Succeeded => "Succeeded",
        Kind::Failed => "Failed",
        Kind::Stopped => "Stopped",
        Kind::Refused => "Refused",
        Kind::HandedOver => "Handed over",
        Kind::Unended => "Unended",
    }
}

/// With a thin space between thousands.
fn number(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(String::from_utf8_lossy)
        .collect();
    groups.join("\u{2009}")
}

fn percent(part: u64, whole: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "it is drawn, not counted")]
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    format!("{share:.2}%")
}

#[cfg(test)]
mod tests;
