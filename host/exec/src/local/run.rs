use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use spawnhook_model::{Ending, Leftover, Timeout};

use super::LocalBackend;
use super::connection::Connection;
use super::notices::{certainty_notice, held_open_notice};
use super::outputs::{Writers, outputs};
use super::pump::{Pump, Pumped};
use super::timers::Timers;
use crate::lifecycle::{Action, Cause, Exit, Finish, Input, Lifecycle, Report, Stop, Timer};
use crate::spawner::wire::{self, Order};
use crate::spawner::{Plan, Request, Spawner};
use crate::sys::socket;
use crate::{Cancel, Leftovers, Ran, Spawn, SpawnError, Stdin, Wires, shell};

/// How many spawners may be killed before a command has one that starts it.
const ATTEMPTS: usize = 3;

/// Runs a command to its end.
pub(super) async fn run(
    backend: &LocalBackend,
    shell: PathBuf,
    spawn: Spawn,
    wires: Wires,
) -> Result<Ran, SpawnError> {
    let mut attempts = 1;
    loop {
        match attempt(backend, &shell, &spawn, &wires).await {
            // Nothing was run.
            Err(SpawnError::SpawnerLost { source: None }) if attempts < ATTEMPTS => attempts += 1,
            result => return result,
        }
    }
}

async fn attempt(
    backend: &LocalBackend,
    shell: &Path,
    spawn: &Spawn,
    wires: &Wires,
) -> Result<Ran, SpawnError> {
    let other = |source| SpawnError::Other {
        shell: shell.to_owned(),
        source,
    };
    let (readers, writers) = outputs(spawn.streams).map_err(other)?;
    let (output, spares) = (wires.output.clone(), backend.spares.clone());
    let pump = Pump::new(readers, output, spares).map_err(other)?;
    let (ours, request) = request(shell, spawn, writers).map_err(other)?;
    let connection = Connection::new(ours, backend.spawner.clone()).map_err(other)?;
    send(&backend.spawner, request).await?;
    let timeout = spawn.timeout.map(Timeout::duration);
    let run = Run {
        backend,
        shell,
        spawn,
        lifecycle: Lifecycle::new(timeout, spawn.stop_grace, spawn.leftovers),
        connection,
        spawned: false,
        pump,
        timers: Timers::default(),
        cancel: wires.cancel.clone(),
        named: Vec::new(),
        notices: Vec::new(),
    };
    run.complete().await
}

fn request(
    shell: &Path,
    spawn: &Spawn,
    (output, errors): Writers,
) -> io::Result<(OwnedFd, Request)> {
    let arguments = shell::arguments(shell, &spawn.invocation, &spawn.command);
    let (ours, theirs) = socket::pair()?;
    let request = Request {
        control: theirs,
        plan: Plan::new(shell, &arguments, &spawn.env, spawn.rlimits).pack()?,
        cwd: spawn.cwd.as_fd().try_clone_to_owned()?,
        output,
        errors,
        stdin: match spawn.stdin {
            Stdin::Null => None,
            Stdin::Inherit => Some(io::stdin().as_fd().try_clone_to_owned()?),
        },
    };
    Ok((ours, request))
}

/// Off the runtime if the spawner has to be waited for, or started anew.
async fn send(spawner: &Spawner, request: Request) -> Result<(), SpawnError> {
    if spawner.try_send(&request).is_ok() {
        return Ok(());
    }
    let spawner = spawner.clone();
    let sent = tokio::task::spawn_blocking(move || spawner.send(&request)).await;
    sent.map_err(io::Error::other)
        .flatten()
        .map_err(|source| SpawnError::SpawnerLost {
            source: Some(source),
        })
}

/// The one that executes what the lifecycle says. Dropping it kills the command.
struct Run<'a> {
    backend: &'a LocalBackend,
    shell: &'a Path,
    spawn: &'a Spawn,
    lifecycle: Lifecycle,
    connection: Connection,
    spawned: bool,
    pump: Pump,
    timers: Timers,
    cancel: Cancel,
    /// Processes that the supervisor has named: those that it could not kill, or those that the
    /// command has left.
    named: Vec<Leftover>,
    notices: Vec<String>,
}

impl Run<'_> {
    /// The supervisor, cancellation and timers come before the output, so that no volume of it
    /// delays them; each of them comes seldom, so that the output gets its turn.
    async fn complete(mut self) -> Result<Ran, SpawnError> {
        let mut cancellable = true;
        let mut signals = self.cancel.clone();
        let mut reports = true;
        let mut reads = true;
        loop {
            let input = tokio::select! {
                biased;
                report = self.connection.report(), if reports => {
                    reports = report.as_ref().is_some_and(|report| !report.is_last());
                    match report {
                        Some(report) => self.input_of(report)?,
                        None => self.lost().await?,
                    }
                }
                () = self.cancel.cancelled(), if cancellable => {
                    cancellable = false;
                    Input::Cancel
                }
                signal = signals.signalled() => {
                    self.connection.order(Order::Signal(signal), &[]);
                    continue;
                }
                timer = self.timers.elapsed() => match (timer, reads) {
                    (Timer::DrainIdle, true) => input_from(self.pump.read_now()),
                    _ => Input::Elapsed(timer),
                },
                pumped = self.pump.next(), if reads => input_from(pumped),
            };
            reads &= input != Input::EndOfFile;
            for action in self.lifecycle.handle(input) {
                match action {
                    Action::Terminate => self.connection.order(Order::Terminate, &[]),
                    Action::Kill => self.connection.order(Order::Kill, &[]),
                    Action::Leave => self.leave(),
                    Action::Arm(timer, after) => self.timers.arm(timer, after),
                    Action::Report(report) => return Ok(self.finish(report)),
                }
            }
        }
    }

    fn input_of(&mut self, report: wire::Report) -> Result<Input, SpawnError> {
        Ok(match report {
            wire::Report::Started { .. } => {
                self.spawned = true;
                Input::Spawned
            }
            wire::Report::Failed { errno } => {
                let source = io::Error::from_raw_os_error(errno);
                let Spawn { command, env, .. } = self.spawn;
                let shell = self.shell.to_owned();
                return Err(SpawnError::from_system(source, shell, command, env));
            }
            wire::Report::Exited(exit) => Input::LeaderExited(exit),
            wire::Report::ExitedAlone(exit) => Input::LeaderExitedAlone(exit),
            wire::Report::Empty => Input::TreeEmpty,
            wire::Report::Remaining(processes) => {
                self.named = processes;
                Input::TreeRemains
            }
            wire::Report::Left(processes) => {
                self.named = processes;
                Input::Left
            }
        })
    }

    async fn lost(&mut self) -> Result<Input, SpawnError> {
        if !self.spawned {
            return Err(SpawnError::SpawnerLost { source: None });
        }
        self.named = self.connection.sweep().await;
        Ok(Input::Lost)
    }

    /// The supervisor reads what is still written to the output.
    fn leave(&self) {
        let order = match self.spawn.leftovers {
            Leftovers::Keep => Order::LeaveForGood,
            Leftovers::Session | Leftovers::Kill => Order::LeaveForSession,
        };
        self.connection.order(order, &self.pump.descriptors());
    }

    fn finish(mut self, report: Report) -> Ran {
        if self.pump.is_blocked() {
            self.notices
                .push("The rest of the output was not taken in time and is lost.".to_owned());
        }
        let named = std::mem::take(&mut self.named);
        self.notices
            .extend(certainty_notice(report.certainty, &named));
        let ending = self.ending(report.finish);
        let leftovers = match report.finish {
            Finish::Exited(_) => named,
            Finish::Stopped(_) => Vec::new(),
        };
        let goes_on = !leftovers.is_empty() && self.spawn.leftovers != Leftovers::Kill;
        let later = (goes_on && report.held_open)
            .then(|| self.connection.later_output())
            .flatten();
        if report.held_open && later.is_none() && !self.pump.is_blocked() {
            self.notices
                .push(held_open_notice(report.finish).to_owned());
        }
        let notices = std::mem::take(&mut self.notices);
        if goes_on {
            self.let_live();
        }
        Ran {
            ending,
            leftovers,
            later,
            notices,
        }
    }

    fn let_live(self) {
        match self.spawn.leftovers {
            Leftovers::Session => {
                if let Some(session) = self.connection.into_session() {
                    self.backend.sessions.hold(session);
                }
            }
            Leftovers::Keep => self.connection.leave(),
            Leftovers::Kill => {}
        }
    }

    fn ending(&self, finish: Finish) -> Ending {
        match finish {
            Finish::Exited(Exit::Code(code)) => Ending::Exited(code),
            Finish::Exited(Exit::Signal(signal)) => Ending::Signaled(signal),
            Finish::Stopped(Stop { cause, shell }) => {
                let shell = shell.map(Exit::code);
                match (cause, self.spawn.timeout) {
                    (Cause::TimedOut, Some(after)) => Ending::TimedOut { after, shell },
                    (Cause::TimedOut, None) => {
                        unreachable!("invariant: without a time limit no deadline is armed")
                    }
                    (Cause::Cancelled, _) => Ending::Cancelled { shell },
                }
            }
        }
    }
}

fn input_from(pumped: Pumped) -> Input {
    match pumped {
        Pumped::Output => Input::Output,
        Pumped::EndOfFile => Input::EndOfFile,
        Pumped::Nothing => Input::Elapsed(Timer::DrainIdle),
    }
}
