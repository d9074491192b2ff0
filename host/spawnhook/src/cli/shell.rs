//! The program in the place of a shell, for agents that can be told which shell to use.
//!
//! What a shell does that this does not: an interactive shell, whose commands no hook would see.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Read as _};
use std::mem::ManuallyDrop;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use spawnhook::request::{ExecRequest, Keep, MAX_COMMAND_BYTES};
use spawnhook::wrapping::Agent;
use spawnhook::{Execution, Host};
use spawnhook_exec::{Invocation, Parent, ShellSearch, Spawner, Stdin, Streams, end_by_signal};
use spawnhook_model::{Ending, Event, Origin, Outcome};

use super::args::{ConfigFile, HostArguments};
use super::ask::TerminalAsk;
use super::{ambient, exit, host, stream};

mod arguments;
mod nesting;
mod signals;

use arguments::{Call, Script, Unusable};
use signals::Signals;

/// The exit code, if the arguments are those of a shell.
pub(crate) fn main(arguments: &[OsString]) -> Option<ExitCode> {
    let call = arguments::shell(arguments)?;
    Some(match run(call, Parent::now()) {
        Ok(code) => code,
        Err(error) => exit::report(Err(error)),
    })
}

/// Like a shell, it ends as its command does.
fn run(call: Result<Call, Unusable>, parent: Option<Parent>) -> anyhow::Result<ExitCode> {
    let call = call?;
    let Some(script) = Text::of(&call)? else {
        return Ok(ExitCode::SUCCESS);
    };
    // This process ends with the command, and the system takes everything back at once.
    let host = ManuallyDrop::new(build()?);
    let is_nested = nesting::is_nested();
    let request = request(call, script, &host, is_nested)?;
    let runtime = host::runtime_for_one()?;
    let signals = Signals::default();
    let outcome = runtime.block_on(async {
        let execution = host.start(request)?;
        let canceller = execution.canceller();
        signals.listen(&canceller)?;
        // The command that this one is a part of ends with its agent, and decides what it leaves.
        if let Some(parent) = parent.filter(|_| !is_nested) {
            drop(tokio::spawn(async move {
                parent.ended().await;
                canceller.cancel();
            }));
        }
        follow(execution, &signals).await
    })?;
    Ok(end(&outcome, &signals))
}

fn build() -> anyhow::Result<Host> {
    let arguments = HostArguments {
        hook: Vec::new(),
        config: ConfigFile { path: None },
    };
    let mut builder = host::builder(
        &arguments,
        ambient::engine_for_one()?,
        Spawner::fork_for_one,
    )?;
    if let Some(ask) = TerminalAsk::new() {
        builder = builder.ask(ask);
    }
    Ok(builder.build()?)
}

/// What a shell is given to run.
enum Text {
    Command(String),
    /// Standard input had it.
    Input(String),
    /// The real shell reads it, or needs none.
    Elsewhere,
}

impl Text {
    /// None if there is nothing to do, which a shell does well.
    fn of(call: &Call) -> anyhow::Result<Option<Self>> {
        let text = match &call.script {
            Script::Text(text, _) => Self::Command(utf8(text)?.to_owned()),
            Script::StandardInput => Self::Input(standard_input()?),
            Script::File(_) | Script::Question => Self::Elsewhere,
        };
        let is_empty = match &text {
            Self::Command(text) | Self::Input(text) => text.trim().is_empty(),
            Self::Elsewhere => false,
        };
        Ok((!is_empty).then_some(text))
    }
}

/// A script on standard input, to its end: hooks judge all of it before any of it runs.
fn standard_input() -> anyhow::Result<String> {
    let input = io::stdin();
    if input.is_terminal() {
        bail!(
            "there is no command, and standard input is a terminal: commands that are typed into \
             a shell would pass no hook; give one with -c, a script file, or a script on standard \
             input"
        );
    }
    let mut script = Vec::new();
    let most = MAX_COMMAND_BYTES as u64 + 1;
    let read = input.lock().take(most).read_to_end(&mut script);
    read.context("cannot read the script on standard input")?;
    if script.len() > MAX_COMMAND_BYTES {
        bail!(
            "the script on standard input has more than {MAX_COMMAND_BYTES} bytes, which is the \
             most that one command may have; write it to a file and run that"
        );
    }
    String::from_utf8(script).context("the script on standard input is not UTF-8 text")
}

fn request(call: Call, text: Text, host: &Host, is_nested: bool) -> anyhow::Result<ExecRequest> {
    let environment = ambient::environment();
    let mut request = ExecRequest::new("", Origin::Shell);
    request.stdin = match &text {
        Text::Input(_) => Stdin::Null,
        Text::Command(_) | Text::Elsewhere => Stdin::Inherit,
    };
    request.invocation.shell = call.shell;
    if !is_nested && call.parameters.is_empty() {
        request.wrapped_by = Agent::of(&environment);
    }
    request.command = match text {
        Text::Command(text) | Text::Input(text) => {
            let parameters = set_parameters(&call.parameters)?;
            request.invocation = invocation(call);
            format!("{parameters}{text}")
        }
        Text::Elsewhere => start(call, host)?,
    };
    request.streams = Streams::Inherit;
    request.keep = Keep::Tail;
    request.timeout = Some(host.config().limits.max_timeout.seconds());
    request.cwd = Some(std::env::current_dir().context(ambient::NO_CURRENT_DIRECTORY)?);
    request.session = host.config().session.session(&environment);
    for (name, value) in environment.iter() {
        // What a command gives the shells that it starts it has got past the policy, or set
        // itself; and each shell counts those above it.
        if is_nested || name == "SHLVL" {
            let (name, value) = (name.to_owned(), value.to_owned());
            request.env.insert(name, Some(value));
        }
    }
    Ok(request)
}

fn invocation(call: Call) -> Invocation {
    Invocation {
        shell: call.shell,
        options: call.options,
        name: match call.script {
            Script::Text(_, name) => name,
            _ => None,
        },
    }
}

/// The parameters of a command are as much of what it does as its text, so hooks get them there.
fn set_parameters(parameters: &[OsString]) -> anyhow::Result<String> {
    if parameters.is_empty() {
        return Ok(String::new());
    }
    let words = parameters.iter().map(utf8).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("set -- {}; ", shlex::try_join(words)?))
}

/// The text that has the real shell do what it is asked for.
fn start(call: Call, host: &Host) -> anyhow::Result<String> {
    let search_path = ambient::environment().get("PATH").map(ToOwned::to_owned);
    let configured = host.config().shell.path.clone();
    let shells = ShellSearch::new(configured, search_path, ambient::program()?);
    let mut words = vec![shells.find(call.shell)?.into_os_string()];
    words.extend(call.options);
    if let Script::File(file) = call.script {
        words.extend(["--".into(), file]);
    }
    words.extend(call.parameters);
    let words = words.iter().map(utf8).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("exec {}", shlex::try_join(words)?))
}

fn utf8(word: &OsString) -> anyhow::Result<&str> {
    word.to_str().with_context(|| {
        let word = word.display();
        format!("not UTF-8 text: {word}; write such bytes as an escape, for example with `printf`")
    })
}

/// To the last event. What the command writes goes past this process.
async fn follow(mut execution: Execution, signals: &Signals) -> anyhow::Result<Outcome> {
    loop {
        match execution.next_event().await {
            Some(Event::Started { .. }) => signals.started(),
            Some(Event::Finished(outcome)) => return Ok(*outcome),
            Some(_) => {}
            None => return Ok(execution.outcome().await?),
        }
    }
}

fn end(outcome: &Outcome, signals: &Signals) -> ExitCode {
    for notice in &outcome.notices {
        stream::say(notice);
    }
    let signal = match &outcome.ending {
        Ending::Signaled(signal) => Some(*signal),
        Ending::Cancelled { .. } => signals.ended_by(),
        Ending::Exited(_) => None,
        ending => {
            if let Some(status) = spawnhook::message::status(ending) {
                stream::say(&status);
            }
            None
        }
    };
    if let Some(signal) = signal {
        end_by_signal(signal);
    }
    exit::code(&outcome.ending)
}
