use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use spawnhook::audit::{Command, Proof, Verdict, verify};
use spawnhook_exec::visible;

use super::arguments::VerifyArguments;
use super::{TAMPERED, open};
use crate::cli::stream;

pub(super) fn main(arguments: &VerifyArguments) -> anyhow::Result<ExitCode> {
    let files = open(&arguments.log)?;
    let verdict = verify(files, arguments.head.as_ref())?;
    if arguments.json {
        drop(stream::json_line(&Object::of(&verdict)));
    } else {
        stream::to_stdout(&text(&verdict));
    }
    Ok(match verdict.proof {
        Proof::Whole { .. } => ExitCode::SUCCESS,
        Proof::Tampered { .. } => ExitCode::from(TAMPERED),
    })
}

fn text(verdict: &Verdict) -> String {
    match &verdict.proof {
        Proof::Whole {
            first,
            head,
            torn,
            ends_torn,
        } => {
            let head = head.as_ref();
            let mut text = match (first, head) {
                (Some(first), Some(head)) => {
                    format!(
                        "whole: records {first} to {}, {}\n",
                        head.seq,
                        count(verdict.files.len() as u64, "file")
                    )
                }
                _ => "whole: no records\n".to_owned(),
            };
            if first.is_some_and(|first| first > 1) {
                text += &format!(
                    "the chain starts at record {}: older files were removed as the config has it\n",
                    first.unwrap_or_default()
                );
            }
            text += &torn_text(*torn, *ends_torn);
            text += &unended_text(verdict);
            if let Some(head) = head {
                text += &format!("head: {}:{}\n", head.seq, head.hash);
            }
            text
        }
        Proof::Tampered {
            fault,
            file,
            line_in_file,
        } => format!(
            "tampered: line {} ({}:{line_in_file}): {}\n",
            fault.line,
            visible(&file.display().to_string()),
            fault.problem
        ),
    }
}

fn torn_text(torn: u64, ends_torn: bool) -> String {
    match (torn, ends_torn) {
        (0, _) => String::new(),
        (1, true) => "the last line is torn: its writer died, or the disk was full\n".to_owned(),
        _ => format!(
            "{} torn: a writer died there; the chain goes on behind\n",
            count(torn, "line")
        ),
    }
}

fn unended_text(verdict: &Verdict) -> String {
    let mut text = String::new();
    for command in &verdict.unended {
        let shown = command
            .command
            .as_deref()
            .unwrap_or(&command.command_sha256);
        text += &format!(
            "no exit record, so it still runs or its host was killed: {} {}\n",
            visible(&command.call),
            visible(shown)
        );
    }
    let more = verdict.unended_count - verdict.unended.len() as u64;
    if more > 0 {
        text += &format!("no exit record: {} more\n", count(more, "command"));
    }
    text
}

fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

#[derive(Serialize)]
struct Object<'a> {
    whole: bool,
    files: &'a [PathBuf],
    lines: u64,
    first_seq: Option<u64>,
    head: Option<Head<'a>>,
    torn_lines: Option<u64>,
    ends_torn: Option<bool>,
    fault: Option<FaultObject<'a>>,
    unended_count: u64,
    unended: Vec<Unended<'a>>,
}

#[derive(Serialize)]
struct Head<'a> {
    seq: u64,
    hash: &'a str,
}

#[derive(Serialize)]
struct FaultObject<'a> {
    line: u64,
    file: &'a PathBuf,
    line_in_file: u64,
    problem: &'static str,
    message: String,
}

#[derive(Serialize)]
struct Unended<'a> {
    call: &'a str,
    seq: u64,
    started: Option<jiff::Timestamp>,
    command: Option<&'a str>,
    command_sha256: &'a str,
}

impl<'a> From<&'a Command> for Unended<'a> {
    fn from(command: &'a Command) -> Self {
        Self {
            call: &command.call,
            seq: command.seq,
            started: command.started,
            command: command.command.as_deref(),
            command_sha256: &command.command_sha256,
        }
    }
}

impl<'a> Object<'a> {
    fn of(verdict: &'a Verdict) -> Self {
        let mut object = Self {
            whole: false,
            files: &verdict.files,
            lines: verdict.lines,
            first_seq: None,
            head: None,
            torn_lines: None,
            ends_torn: None,
            fault: None,
            unended_count: verdict.unended_count,
            unended: verdict.unended.iter().map(Unended::from).collect(),
        };
        match &verdict.proof {
            Proof::Whole {
                first,
                head,
                torn,
                ends_torn,
            } => {
                object.whole = true;
                object.first_seq = *first;
                object.torn_lines = Some(*torn);
                object.ends_torn = Some(*ends_torn);
                object.head = head.as_ref().map(|head| Head {
                    seq: head.seq,
                    hash: &head.hash,
                });
            }
            Proof::Tampered {
                fault,
                file,
                line_in_file,
            } => {
                object.fault = Some(FaultObject {
                    line: fault.line,
                    file,
                    line_in_file: *line_in_file,
                    problem: fault.problem.name(),
                    message: fault.problem.to_string(),
                });
            }
        }
        object
    }
}
