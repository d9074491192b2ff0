//! Puts this program into the settings of an agent, takes it out again, and says whether it is there
//! and works.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use spawnhook::Via;
use spawnhook_hooks::Snapshots;
use spawnhook_model::Stage;

use super::HookOptions;
use super::decide::SELF_TEST;
use super::dialect::Agent;
use super::supervise::WITHIN;
use crate::cli::{ambient, exit, host, stream};

mod file;
mod places;
mod proof;
mod settings;
mod target;
mod undo;

use places::{Line, Scope};
use target::{Settings, prove};
use undo::Undo;

/// Not in the settings.
const NOT_INSTALLED: u8 = 1;

#[derive(Debug, Args)]
pub(crate) struct InstallArguments {
    #[command(flatten)]
    place: PlaceArguments,
    #[command(flatten)]
    options: HookOptions,
}

#[derive(Debug, Args)]
pub(crate) struct UninstallArguments {
    #[command(flatten)]
    place: PlaceArguments,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// The agent
    agent: Agent,
}

#[derive(Debug, Args)]
struct PlaceArguments {
    /// The agent
    agent: Agent,
    /// Whose settings: the project's in this directory, or the user's
    #[arg(long, default_value = "user")]
    scope: Scope,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn install(arguments: InstallArguments) -> ExitCode {
    exit::report(try_install(arguments))
}

fn try_install(arguments: InstallArguments) -> anyhow::Result<()> {
    let InstallArguments { place, options } = arguments;
    let agent = place.agent;
    let settings = Settings::open(agent, place.scope)?;
    let entries = places::entries(agent, &line(agent, &options)?, rewrites(&options)?);
    let (before, mut made) = match settings.undo()? {
        Some(undo) => (undo.before.clone(), undo.made()),
        None => (settings.without_ours()?, Vec::new()),
    };
    let after = settings::add(before.as_deref().unwrap_or_default(), agent, &entries);
    let after = after.with_context(|| settings.problem())?;
    if place.dry_run {
        settings.show_difference(&after);
        return Ok(());
    }
    made.splice(0..0, file::make_folder(&settings.path)?);
    let undo = Undo::new(&settings.path, before, &after, made);
    settings.replace(&after, undo)?;
    tell_installed(agent, &settings.path, &options);
    Ok(())
}

fn tell_installed(agent: Agent, path: &Path, options: &HookOptions) {
    let mut text = format!(
        "installed in {}\nproved: it denies a call that must be denied. To see that {} asks it, \
         have the agent run `{SELF_TEST}`, which is always denied.\n",
        path.display(),
        agent.title()
    );
    if agent == Agent::Codex {
        text += "Codex runs it once you have trusted it: enter /hooks.\n";
    }
    if !options.own_process {
        text += "Rewrite hooks and guards hold; [env], [limits], [process] and the record of the end \
                 hold with --own-process.\n";
    }
    stream::to_stdout(&text);
}

pub(super) fn uninstall(arguments: &UninstallArguments) -> ExitCode {
    exit::report(try_uninstall(&arguments.place))
}

fn try_uninstall(place: &PlaceArguments) -> anyhow::Result<()> {
    let settings = Settings::open(place.agent, place.scope)?;
    let path = settings.path.display();
    if let Some(undo) = settings.undo()? {
        if place.dry_run {
            settings.show_difference(undo.before.as_deref().unwrap_or_default());
            return Ok(());
        }
        undo.restore()?;
        stream::to_stdout(&format!("{path} is again what it was\n"));
        return Ok(());
    }
    let without = settings::remove(settings.text(), place.agent);
    match without.with_context(|| settings.problem())? {
        None => stream::to_stdout(&format!("not installed in {path}\n")),
        Some(after) if place.dry_run => settings.show_difference(&after),
        Some(after) => {
            file::write(&settings.path, &after, 0o644)?;
            undo::forget(&settings.path)?;
            stream::to_stdout(&format!(
                "removed from {path}; what else was changed there since is kept\n"
            ));
        }
    }
    Ok(())
}

pub(super) fn status(arguments: &StatusArguments) -> ExitCode {
    try_status(arguments.agent).unwrap_or_else(|error| exit::report(Err(error)))
}

fn try_status(agent: Agent) -> anyhow::Result<ExitCode> {
    let mut code = NOT_INSTALLED;
    for scope in [Scope::Project, Scope::User] {
        let settings = Settings::open(agent, scope)?;
        let path = settings.path.display();
        let found = settings.found()?;
        if found.is_empty() {
            stream::to_stdout(&format!("not installed in {path}\n"));
            continue;
        }
        if code == NOT_INSTALLED {
            code = 0;
        }
        for hook in &found {
            let line = hook.started.words().join(" ");
            stream::to_stdout(&format!("installed in {path}: {}: {line}\n", hook.event));
        }
        match prove(agent, settings.text()) {
            Ok(()) => stream::to_stdout("works: it denies a call that must be denied\n"),
            Err(error) => {
                stream::say(&exit::one_line(&error));
                code = exit::FAILED;
            }
        }
    }
    Ok(ExitCode::from(code))
}

/// What the agent is to start.
fn line(agent: Agent, options: &HookOptions) -> anyhow::Result<Line> {
    let program = ambient::program()?;
    let mut words = vec![
        program.into_os_string(),
        "agent-hook".into(),
        agent.name().into(),
    ];
    if options.own_process {
        words.push("--own-process".into());
    }
    if options.approve {
        words.push("--approve".into());
    }
    let within = options.within.to_string();
    if within != WITHIN {
        words.extend(["--within".into(), within.into()]);
    }
    if let Some(config) = super::own_process::absolute(options.host.config.path.as_deref())? {
        words.extend(["--config".into(), config.into()]);
    }
    for hook in super::own_process::absolute_hooks(&options.host.hook)? {
        words.extend(["--hook".into(), hook]);
    }
    let words: Vec<String> = words
        .into_iter()
        .map(|word| {
            let problem =
                |word: std::ffi::OsString| anyhow::anyhow!("{} is not UTF-8 text", word.display());
            word.into_string().map_err(problem)
        })
        .collect::<Result<_, _>>()?;
    let quoted = shlex::try_join(words.iter().map(String::as_str))?;
    let within = options.within.duration().as_secs() + 1;
    Ok(Line {
        words,
        quoted,
        within,
    })
}

/// Whether a command may become another. Loads every hook for it, so that the first call of the
/// agent finds it compiled.
fn rewrites(options: &HookOptions) -> anyhow::Result<bool> {
    let engine = ambient::engine(Snapshots::Take)?;
    let current = ambient::current_directory()?;
    let builder = host::builder_from(&options.host, engine, current, || Ok(Via::Nowhere))?;
    let host = builder.build()?;
    let config = host.config();
    let extra = options.host.hook.iter();
    let extra = extra.filter_map(|hook| host::split(hook, b':'));
    Ok(options.own_process
        || !config.shell.prefix.is_empty()
        || config.hooks.iter().any(|hook| hook.stage == Stage::Rewrite)
        || extra
            .into_iter()
            .any(|(stage, _)| stage == Stage::Rewrite.name()))
}
