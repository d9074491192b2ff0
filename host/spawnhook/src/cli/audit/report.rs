use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use jiff::Timestamp;
use spawnhook::audit::{LogFiles, Summary, page, verify};

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
    let log = std::path::absolute(&log).unwrap_or(log);
    let page = page(
        &log.display().to_string(),
        &summary,
        &verdict,
        Timestamp::now(),
    );
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
