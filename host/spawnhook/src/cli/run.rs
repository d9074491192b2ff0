use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::mem::ManuallyDrop;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use spawnhook::request::{ExecRequest, Keep};
use spawnhook::wire::NoOutcome;
use spawnhook::{Execution, Host};
use spawnhook_exec::{Canceller, Leftovers, Parent, Spawner};
use spawnhook_model::{Event, Origin, Outcome, Session};
use tokio::signal::unix::{SignalKind, signal};

use super::args::{RunArguments, TextChoice};
use super::ask::TerminalAsk;
use super::stream::Form;
use super::{ambient, exit, host};

mod ticket;
mod view;

use ticket::Redeemed;
use view::View;

const NO_PARENT: &str = "--die-with-parent: the process that started spawnhook has ended, or is \
                         not to be seen from here";

/// A run that came to no outcome.
struct Failed {
    why: NoOutcome,
    error: anyhow::Error,
}

impl Failed {
    fn invalid(error: impl Into<anyhow::Error>) -> Self {
        Self {
            why: NoOutcome::Invalid,
            error: error.into(),
        }
    }

    fn host(error: impl Into<anyhow::Error>) -> Self {
        Self {
            why: NoOutcome::HostFailed,
            error: error.into(),
        }
    }
}

pub(crate) fn main(arguments: RunArguments) -> ExitCode {
    let form = match (arguments.json, arguments.events) {
        (true, _) => Form::Object,
        (_, true) => Form::Events,
        _ => Form::Text,
    };
    match run(arguments, form) {
        Ok(outcome) => exit::code(&outcome.ending),
        Err(failed) => exit::no_outcome(failed.why, exit::one_line(&failed.error), form),
    }
}

fn run(arguments: RunArguments, form: Form) -> Result<Outcome, Failed> {
    let parent = match arguments.die_with_parent {
        true => Some(Parent::now().context(NO_PARENT).map_err(Failed::host)?),
        false => None,
    };
    // This process ends with the command, and the system takes everything back at once.
    let redeemed = redeem(&arguments).map_err(Failed::invalid)?;
    let host = build(&arguments, redeemed.as_ref()).map_err(Failed::host)?;
    let host = ManuallyDrop::new(host);
    let (streams, text) = (arguments.streams.into(), arguments.text.into());
    let view = View::new(form, streams, text, arguments.fold);
    let mut request = request(arguments, form, &host).map_err(Failed::invalid)?;
    if view.shows_all() {
        request.keep = Keep::Tail;
    }
    if let Some(redeemed) = redeemed {
        redeemed.apply(&mut request);
    }
    let runtime = host::runtime_for_one().map_err(Failed::host)?;
    runtime.block_on(async {
        let execution = host.start(request).map_err(Failed::invalid)?;
        let canceller = execution.canceller();
        cancel_on_signals(&canceller).map_err(Failed::host)?;
        if let Some(parent) = parent {
            drop(tokio::spawn(async move {
                parent.ended().await;
                canceller.cancel();
            }));
        }
        follow(execution, view).await.map_err(Failed::host)
    })
}

/// The ticket that was named, taken before anything else is done for it.
fn redeem(arguments: &RunArguments) -> anyhow::Result<Option<Redeemed>> {
    let Some(path) = &arguments.ticket else {
        return Ok(None);
    };
    Redeemed::take(path, &command(arguments.words.clone())?).map(Some)
}

fn build(arguments: &RunArguments, redeemed: Option<&Redeemed>) -> anyhow::Result<Host> {
    let engine = ambient::engine_for_one()?;
    let mut builder = match redeemed.and_then(Redeemed::host) {
        Some((host, start_directory)) => {
            host::builder_in(&host, engine, Spawner::fork_for_one, start_directory)?
        }
        None => host::builder(&arguments.host, engine, Spawner::fork_for_one)?,
    };
    if let Some(ask) = TerminalAsk::new() {
        builder = builder.ask(ask);
    }
    Ok(builder.build()?)
}

fn request(arguments: RunArguments, form: Form, host: &Host) -> anyhow::Result<ExecRequest> {
    let mut request = ExecRequest::new(command(arguments.words)?, Origin::Cli);
    request.timeout = arguments.timeout;
    request.leftovers = arguments.leftovers.map(Leftovers::from);
    if form == Form::Text && matches!(arguments.text, TextChoice::Raw) {
        bail!(
            "--text raw: give --json or --events with it; without them what the command writes \
             passes as it is, but for a terminal, which only shows clean text"
        );
    }
    request.streams = arguments.streams.into();
    request.text = arguments.text.into();
    request.cwd = host::cwd(arguments.cwd, host)?;
    request.env = variables(&arguments.env)?;
    request.session = session(&arguments.session)?;
    Ok(request)
}

/// One word is shell text, several are words that the shell takes as they are.
pub(super) fn command(words: Vec<OsString>) -> anyhow::Result<String> {
    let words: Vec<String> = words
        .into_iter()
        .map(|word| {
            word.into_string().map_err(|word| {
                anyhow!(
                    "The command is not UTF-8 text: {}; \
                     write such bytes as an escape, for example with `printf`",
                    word.display()
                )
            })
        })
        .collect::<Result<_, _>>()?;
    match words.as_slice() {
        [text] => Ok(text.clone()),
        words => Ok(shlex::try_join(words.iter().map(String::as_str))?),
    }
}

pub(super) fn variables(
    texts: &[OsString],
) -> anyhow::Result<BTreeMap<OsString, Option<OsString>>> {
    texts
        .iter()
        .map(|text| {
            let (name, value) = host::split(text, b'=')
                .with_context(|| format!("--env {}: expected NAME=VALUE", text.display()))?;
            Ok((name, Some(value)))
        })
        .collect()
}

fn session(texts: &[String]) -> anyhow::Result<Session> {
    let mut session = Session::default();
    for text in texts {
        let (name, value) = text
            .split_once('=')
            .with_context(|| format!("--session {text}: expected NAME=VALUE"))?;
        let Some(fact) = session.fact_mut(name) else {
            let known = Session::FACTS.join(", ");
            bail!("--session {text}: there is no fact `{name}`; there are {known}");
        };
        *fact = Some(value.to_owned());
    }
    Ok(session)
}

/// The command is in a session of its own, so that only we can tell it of the terminal's signals.
/// What this program was told to ignore, by `nohup` for example, cancels nothing.
fn cancel_on_signals(canceller: &Canceller) -> anyhow::Result<()> {
    let ignored = ambient::Ignored::now();
    for kind in [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ] {
        if ignored.has(kind.as_raw_value()) {
            continue;
        }
        let mut signals = signal(kind).context("cannot listen for signals")?;
        let canceller = canceller.clone();
        drop(tokio::spawn(async move {
            while signals.recv().await.is_some() {
                canceller.cancel();
            }
        }));
    }
    Ok(())
}

/// Shows the events until the last.
async fn follow(mut execution: Execution, mut view: View) -> anyhow::Result<Outcome> {
    let canceller = execution.canceller();
    let mut ticks = tokio::time::interval(view::TICK);
    loop {
        let event = tokio::select! {
            event = execution.next_event() => match event {
                Some(Event::Finished(outcome)) => {
                    view.finished(&outcome);
                    return Ok(*outcome);
                }
                Some(event) => Some(event),
                None => return Ok(execution.outcome().await?),
            },
            _ = ticks.tick() => None,
        };
        if !view.has_to_show(event.as_ref()) {
            continue;
        }
        let shown;
        (view, shown) = show(view, event).await?;
        if shown.is_err() {
            // Nobody reads any more, so nobody wants the command to go on.
            canceller.cancel();
        }
    }
}

/// On a thread of its own: whoever reads may take its time, and the limits hold meanwhile.
async fn show(mut view: View, event: Option<Event>) -> anyhow::Result<(View, io::Result<()>)> {
    let showing = tokio::task::spawn_blocking(move || {
        let shown = match event {
            Some(event) => view.event(&event),
            None => view.tick(),
        };
        (view, shown)
    });
    Ok(showing.await?)
}
