use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use jiff::Timestamp;
use spawnhook::audit::{Filter, LogFiles, Proof, Summary, page, verify};

use super::arguments::ReportArguments;
use super::{commands, path};
use crate::cli::stream;

pub(super) fn main(arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    let log = path(&arguments.log)?;
    let filter = arguments.filter.filter()?;
    let verdict = verify(LogFiles::open(&log)?, None)?;
    let mut summary = Summary::default();
    commands(LogFiles::open(&log)?, |command| {
        if filter.wants(&command) {
            summary.push(command);
        }
    })?;
    let mut title = std::path::absolute(&log)
        .unwrap_or(log)
        .display()
        .to_string();
    if filter != Filter::default() {
        title += ", what the filters let through";
    }
    let page = page(&title, &summary, &verdict, Timestamp::now());
    if let Proof::Tampered { fault, .. } = &verdict.proof {
        stream::say(&format!(
            "the log was tampered with: line {}: {}",
            fault.line, fault.problem
        ));
    }
    match &arguments.output {
        Some(file) => {
            write(file, &page).with_context(|| format!("--output: {}", file.display()))?;
        }
        None => stream::to_stdout(&page),
    }
    Ok(ExitCode::SUCCESS)
}

/// For the same eyes as the log.
fn write(file: &Path, page: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(file)?.write_all(page.as_bytes())
}
