use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use spawnhook::audit::{Filter, parse_head, parse_time};
use spawnhook_model::AuditHead;

use crate::cli::args::ConfigFile;

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Prove that the log is as it was written
    #[command(after_help = VERIFY_HELP)]
    Verify(VerifyArguments),
    /// Print the commands of the log, each when it has ended
    #[command(after_help = SHOW_HELP)]
    Show(ShowArguments),
    /// Draw the log as a page of HTML that needs nothing else
    Report(ReportArguments),
}

const VERIFY_HELP: &str = "\
Exit codes: 0 the log is whole; 1 it was tampered with; 125 it cannot be read.

Without --head a log whose end was cut off, or that was written anew, is as whole as any other.";

const SHOW_HELP: &str = "\
Times are in UTC. Commands without an exit record come last, as `unended`: they still run, or their
host was killed. What `agent-hook` left to the agent to run is `handed-over`.

TIME is a time such as 2026-01-31T12:00:00Z, a day or a time in UTC such as 2026-01-31 or
2026-01-31T12:00, or how long ago it was, such as 90m or 2d.";

/// Which log is read.
#[derive(Debug, Args)]
pub(crate) struct LogFile {
    /// The log; files that were put aside of it are read as well [default: the deployment's]
    #[arg(value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) config: ConfigFile,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// A record that must be in the log: the `audit.seq` and `audit.hash` of a result
    #[arg(long, value_name = "SEQ:HASH", value_parser = parse_head)]
    pub(super) head: Option<AuditHead>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) log: LogFile,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    #[command(flatten)]
    pub(super) filter: FilterArguments,
    /// Print a JSON object for each command
    #[arg(long)]
    pub(super) json: bool,
    /// Go on printing what is appended
    #[arg(long, short)]
    pub(super) follow: bool,
    #[command(flatten)]
    pub(super) log: LogFile,
}

/// Which commands are wanted.
#[derive(Debug, Args)]
pub(crate) struct FilterArguments {
    /// Commands that began then or later
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Commands that began then or earlier
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// The command of this id, or those whose ids begin so
    #[arg(long, value_name = "ID")]
    call: Option<String>,
    /// Commands that would run this program; may be given more than once
    #[arg(long, value_name = "NAME")]
    program: Vec<String>,
    /// Commands that ended so; may be given more than once
    #[arg(long, value_name = "ENDING", value_parser = ENDINGS)]
    ending: Vec<String>,
    /// Commands that this hook changed, refused or recorded; may be given more than once
    #[arg(long, value_name = "NAME")]
    hook: Vec<String>,
}

/// The names of endings, and what stands for those that nobody knows.
const ENDINGS: [&str; 9] = [
    "exited",
    "signaled",
    "timed-out",
    "cancelled",
    "denied",
    "hook-failed",
    "spawn-failed",
    "handed-over",
    "unended",
];

impl FilterArguments {
    pub(super) fn filter(&self) -> anyhow::Result<Filter> {
        let now = Timestamp::now();
        let time = |option: &str, text: &Option<String>| {
            let time = text.as_ref().map(|text| parse_time(text, now));
            let wrong = || format!("{option}: {:?}", text.as_deref().unwrap_or_default());
            time.transpose().with_context(wrong)
        };
        Ok(Filter {
            since: time("--since", &self.since)?,
            until: time("--until", &self.until)?,
            call: self.call.clone(),
            programs: self.program.clone(),
            endings: self.ending.clone(),
            hooks: self.hook.clone(),
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Where the page is written [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) filter: FilterArguments,
    #[command(flatten)]
    pub(super) log: LogFile,
}
