use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use spawnhook::authoring::scaffold::Language;
use spawnhook_model::Stage;

use crate::cli::args::ConfigFile;

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// Start a project for a hook: builds and passes its own test as it is
    New(NewArguments),
    /// Say what a component is, what it asks for, needs and is granted
    Inspect(InspectArguments),
    /// Pass one command through a hook, within the limits of production
    Run(Box<RunArguments>),
    /// Run the tests that a hook has in its hook-tests.toml
    Test(TestArguments),
    /// Measure what the tests of a hook cost
    Bench(BenchArguments),
    /// Make up commands and settings, and search for what a hook cannot cope with
    Fuzz(FuzzArguments),
}

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// What the hook is written in
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) lang: LanguageName,
    /// The name of the hook and of its folder: letters, digits and -, a letter first
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LanguageName {
    /// Rust
    Rust,
    /// JavaScript
    Js,
    /// Python
    Python,
}

impl From<LanguageName> for Language {
    fn from(name: LanguageName) -> Self {
        match name {
            LanguageName::Rust => Self::Rust,
            LanguageName::Js => Self::JavaScript,
            LanguageName::Python => Self::Python,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct InspectArguments {
    /// A file, `builtin:NAME`, or the name of a hook of the deployment
    #[arg(value_name = "COMPONENT")]
    pub(crate) component: String,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) config: ConfigFile,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// A file or `builtin:NAME`
    #[arg(value_name = "COMPONENT")]
    pub(crate) component: String,
    /// The stage that the hook stands in: rewrite, guard or audit [default: audit if it needs it,
    /// else rewrite]
    #[arg(long, value_name = "STAGE", value_parser = super::stage)]
    pub(crate) stage: Option<Stage>,
    /// Settings: a JSON object, or the path of a file that has one
    #[arg(long, value_name = "JSON|FILE")]
    pub(crate) settings: Option<String>,
    /// Working directory of the command; it need not exist [default: the current one]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) cwd: Option<PathBuf>,
    /// A variable of the command, which has no others; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<OsString>,
    /// Let the hook see these variables. Without any --may option it may do all that its stage lets
    /// it; may be given more than once, as those that follow
    #[arg(long, value_name = "GLOB")]
    pub(crate) may_see_env: Vec<String>,
    /// Let it set these variables
    #[arg(long, value_name = "GLOB")]
    pub(crate) may_set_env: Vec<String>,
    /// Let it unset these variables
    #[arg(long, value_name = "GLOB")]
    pub(crate) may_unset_env: Vec<String>,
    /// Let it change the command
    #[arg(long)]
    pub(crate) may_command: bool,
    /// Let it change the working directory
    #[arg(long)]
    pub(crate) may_cwd: bool,
    /// The limits for a component that carries an interpreter
    #[arg(long)]
    pub(crate) interpreted: bool,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The command: one argument is shell text, several are quoted words
    #[arg(required = true, trailing_var_arg = true, value_name = "CMD")]
    pub(crate) words: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct TestArguments {
    /// Files of tests, or folders that have a hook-tests.toml
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) files: Vec<PathBuf>,
    /// Write a report in the form of JUnit, too
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// A file of tests, or a folder that has a hook-tests.toml
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) file: PathBuf,
    /// How often each test is called
    #[arg(long, value_name = "N", default_value = "1000")]
    pub(crate) calls: NonZeroU64,
    /// Fail if a test takes more instructions than in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the instructions to the baseline instead
    #[arg(long, requires = "baseline")]
    pub(crate) save_baseline: bool,
    /// How many percent more instructions are tolerated
    #[arg(long, value_name = "PERCENT", default_value_t = 5)]
    pub(crate) tolerance: u64,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FuzzArguments {
    /// A file of tests, or a folder that has a hook-tests.toml; what is found is added to it
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) file: PathBuf,
    /// How long to search [default: 60, unless there are --cases]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) seconds: Option<NonZeroU64>,
    /// How many cases to try
    #[arg(long, value_name = "N")]
    pub(crate) cases: Option<NonZeroU64>,
    /// What the cases follow from; the same number makes the same cases [default: chance]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Leave the file as it is
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
