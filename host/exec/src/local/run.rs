use std::io::{self, PipeWriter};
use std::path::PathBuf;

use spawnhook_model::{Ending, Leftover, Timeout};
use tokio::task::JoinHandle;

use super::process::Process;
use super::pump::{Pump, Pumped};
use super::timers::Timers;
use crate::lifecycle::{
    Action, Cause, Exit, Finish, Input, KILL_LIMIT, Lifecycle, Report, Stop, Timer,
};
use crate::sys::launch::launch;
use crate::sys::leader::Signal;
use crate::sys::members::Member;
use crate::sys::pipe::pipe;
use crate::{Cancel, Ran, Spawn, SpawnError, Wires, shell};

/// Runs a command to its end.
pub(super) async fn run(shell: PathBuf, spawn: Spawn, wires: Wires) -> Result<Ran, SpawnError> {
    let (pump, writer) = match output(wires.output) {
        Ok(ends) => ends,
        Err(source) => return Err(SpawnError::Other { shell, source }),
    };
    let timeout = spawn.timeout;
    let lifecycle = Lifecycle::new(timeout.map(Timeout::duration), spawn.stop_grace);
    // Forking takes the longer the more memory this process has.
    let spawning = tokio::task::spawn_blocking(move || start(shell, &spawn, writer));
    let run = Run {
        lifecycle,
        timeout,
        process: None,
        pump,
        timers: Timers::default(),
        cancel: wires.cancel,
        notices: Vec::new(),
    };
    run.complete(spawning).await
}

type Output = tokio::sync::mpsc::Sender<Vec<u8>>;

fn output(output: Output) -> io::Result<(Pump, PipeWriter)> {
    let (reader, writer) = pipe()?;
    Ok((Pump::new(reader, output)?, writer))
}

fn start(shell: PathBuf, spawn: &Spawn, output: PipeWriter) -> Result<Process, SpawnError> {
    let arguments = shell::arguments(&shell, &spawn.command);
    launch(&shell, &arguments, spawn, output)
        .and_then(Process::new)
        .map_err(|source| SpawnError::from_system(source, shell, &spawn.command, &spawn.env))
}

/// The one that executes what the lifecycle says. Dropping it kills the command.
struct Run {
    lifecycle: Lifecycle,
    timeout: Option<Timeout>,
    process: Option<Process>,
    pump: Pump,
    timers: Timers,
    cancel: Cancel,
    notices: Vec<String>,
}

impl Run {
    /// Exit, cancellation and timers come before the output, so that no volume of it delays them;
    /// each of them comes once, or seldom, so that the output gets its turn.
    async fn complete(
        mut self,
        mut spawning: JoinHandle<Result<Process, SpawnError>>,
    ) -> Result<Ran, SpawnError> {
        let mut cancellable = true;
        let mut exits = true;
        let mut reads = true;
        loop {
            let input = tokio::select! {
                biased;
                process = &mut spawning, if self.process.is_none() => {
                    self.process = Some(process.expect("invariant: starting does not panic")?);
                    Input::Spawned
                }
                exit = exit_of(self.process.as_mut()), if exits => {
                    exits = false;
                    let exit = exit.map_err(|source| SpawnError::StatusLost { source })?;
                    Input::LeaderExited(exit)
                }
                () = self.cancel.cancelled(), if cancellable => {
                    cancellable = false;
                    Input::Cancel
                }
                timer = self.timers.elapsed() => match (timer, reads) {
                    (Timer::DrainIdle, true) => input_from(self.pump.read_now()),
                    _ => Input::Elapsed(timer),
                },
                pumped = self.pump.next(), if reads => input_from(pumped),
            };
            reads &= input != Input::EndOfFile;
            if let Some(report) = self.handle(input) {
                return Ok(self.finish(report));
            }
        }
    }

    /// Does what the lifecycle wants done, until it wants nothing more for now.
    fn handle(&mut self, input: Input) -> Option<Report> {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            for action in self.lifecycle.handle(input) {
                match action {
                    Action::Terminate => self.signal(Signal::SIGTERM),
                    Action::Kill => self.signal(Signal::SIGKILL),
                    Action::CheckGroup => inputs.push(self.check_group()),
                    Action::Arm(timer, after) => self.timers.arm(timer, after),
                    Action::NameSurvivors => self.name_survivors(),
                    Action::Reap => self.reap(),
                    Action::Report(report) => return Some(report),
                }
            }
        }
        None
    }

    fn signal(&self, signal: Signal) {
        if let Some(process) = &self.process {
            process.leader.signal(signal);
        }
    }

    fn check_group(&mut self) -> Input {
        let Some(process) = &self.process else {
            return Input::GroupEmpty;
        };
        match process.leader.members() {
            Ok(members) if members.is_empty() => Input::GroupEmpty,
            // What cannot be seen is signalled until the limit, and reported then.
            Ok(_) | Err(_) => Input::GroupAlive,
        }
    }

    fn name_survivors(&mut self) {
        let Some(process) = &self.process else {
            return;
        };
        self.notices.push(match process.leader.members() {
            Ok(members) => survivors_notice(&members),
            Err(error) => format!(
                "Whether every process of the command is gone could not be found out: {error}."
            ),
        });
    }

    fn reap(&mut self) {
        if let Some(process) = &mut self.process {
            process.leader.reap();
        }
    }

    fn finish(mut self, report: Report) -> Ran {
        if self.pump.is_blocked() {
            self.notices
                .push("The rest of the output was not taken in time and is lost.".to_owned());
        } else if report.held_open {
            self.notices
                .push(held_open_notice(report.finish).to_owned());
        }
        Ran {
            ending: self.ending(report.finish),
            leftovers: self.leftovers(report),
            notices: std::mem::take(&mut self.notices),
        }
    }

    /// Looking through all processes costs as much as a spawn, so it is done where there is a sign
    /// of one.
    fn leftovers(&self, report: Report) -> Vec<Leftover> {
        match (&self.process, report.finish) {
            (Some(process), Finish::Exited(_)) => process.leader.leftovers(report.held_open),
            _ => Vec::new(),
        }
    }

    fn ending(&self, finish: Finish) -> Ending {
        match finish {
            Finish::Exited(Exit::Code(code)) => Ending::Exited(code),
            Finish::Exited(Exit::Signal(signal)) => Ending::Signaled(signal),
            Finish::Stopped(Stop { cause, shell }) => {
                let shell = shell.map(Exit::code);
                match (cause, self.timeout) {
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

/// A wait that never ends as long as there is no process.
async fn exit_of(process: Option<&mut Process>) -> io::Result<Exit> {
    match process {
        Some(process) => process.exit().await,
        None => std::future::pending().await,
    }
}

fn input_from(pumped: Pumped) -> Input {
    match pumped {
        Pumped::Output => Input::Output,
        Pumped::EndOfFile => Input::EndOfFile,
        Pumped::Nothing => Input::Elapsed(Timer::DrainIdle),
    }
}

fn survivors_notice(members: &[Member]) -> String {
    let names: Vec<String> = members.iter().map(Member::to_string).collect();
    format!(
        "SIGKILL did not end all of the command within {} s; still there: {}.",
        KILL_LIMIT.as_secs(),
        names.join(", ")
    )
}

fn held_open_notice(finish: Finish) -> &'static str {
    match finish {
        Finish::Exited(_) => {
            "A background process kept the output open after the command had ended; what it \
             writes later is not shown."
        }
        Finish::Stopped(_) => {
            "A process that had left the command's group kept the output open when the command \
             was stopped; it may still run."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_survives_a_kill_is_named() {
        let member = |pid, name: &str| Member {
            pid,
            name: name.to_owned(),
        };
        insta::assert_snapshot!(
            survivors_notice(&[member(70, "mount"), member(71, "a\nb")]),
            @r"SIGKILL did not end all of the command within 2 s; still there: mount (pid 70), a\nb (pid 71)."
        );
    }
}
