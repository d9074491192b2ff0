//! Signals to a shell. Its command is in a session of its own, so what the terminal, the agent or
//! the system tells the shell, only the shell can tell the command.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use anyhow::Context as _;
use rustix::process::{Signal, getpid, kill_process};
use spawnhook_exec::Canceller;
use tokio::signal::unix::{SignalKind, signal};

use super::super::ambient;

/// A suspension from the keyboard, and the end of it. signal(7) has numbers that depend on the
/// architecture.
const TSTP: i32 = Signal::TSTP.as_raw();
const CONT: i32 = Signal::CONT.as_raw();

/// What is passed on as it comes: the command decides what becomes of it, and of the shell with
/// it, as it does where both are in one group.
const PASSED_ON: [i32; 5] = [
    Signal::INT.as_raw(),
    Signal::QUIT.as_raw(),
    Signal::WINCH.as_raw(),
    CONT,
    TSTP,
];

/// What ends everything that the command has started.
const ENDING: [i32; 2] = [Signal::TERM.as_raw(), Signal::HUP.as_raw()];

/// What becomes of the signals of one command.
#[derive(Clone, Default)]
pub(super) struct Signals(Arc<State>);

#[derive(Default)]
struct State {
    /// Before, there is nobody to pass anything on to.
    runs: AtomicBool,
    /// 0 if none did.
    ended_by: AtomicI32,
}

impl Signals {
    /// Listens from now on. What this program was told to ignore concerns no one.
    pub(super) fn listen(&self, canceller: &Canceller) -> anyhow::Result<()> {
        let ignored = ambient::Ignored::now();
        for number in PASSED_ON.into_iter().chain(ENDING) {
            if ignored.has(number) {
                continue;
            }
            let kind = SignalKind::from_raw(number);
            let mut arrivals = signal(kind).context("cannot listen for signals")?;
            let (signals, canceller) = (self.clone(), canceller.clone());
            drop(tokio::spawn(async move {
                while arrivals.recv().await.is_some() {
                    signals.handle(number, &canceller).await;
                }
            }));
        }
        Ok(())
    }

    /// The command runs.
    pub(super) fn started(&self) {
        self.0.runs.store(true, Ordering::Relaxed);
    }

    /// The signal that the shell was ended by.
    pub(super) fn ended_by(&self) -> Option<i32> {
        Some(self.0.ended_by.load(Ordering::Relaxed)).filter(|signal| *signal != 0)
    }

    async fn handle(&self, number: i32, canceller: &Canceller) {
        let runs = self.0.runs.load(Ordering::Relaxed);
        let ends = ENDING.contains(&number);
        match number {
            TSTP => {
                if runs {
                    // Nobody of its session could let the command go on, so the kernel would not
                    // stop it for the softer one.
                    canceller.signal(Signal::STOP.as_raw());
                    canceller.signals_passed_on().await;
                }
                let _stopped = kill_process(getpid(), Signal::STOP);
            }
            number if runs && !ends => canceller.signal(number),
            CONT => {}
            number if number == Signal::WINCH.as_raw() => {}
            number => {
                self.0.ended_by.store(number, Ordering::Relaxed);
                canceller.cancel();
            }
        }
    }
}
