use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use spawnhook_model::Leftover;
use tokio::io::unix::AsyncFd;

use super::later::LaterOutput;
use crate::spawner::Spawner;
use crate::spawner::wire::{Order, Report};
use crate::sys::socket::{self, Wait};
use crate::sys::watch::watch;

/// The connection to a command's supervisor, which kills the command when it is dropped.
#[derive(Debug)]
pub(super) struct Connection {
    control: AsyncFd<OwnedFd>,
    spawner: Spawner,
    supervisor: Option<i32>,
}

impl Connection {
    pub(super) fn new(control: OwnedFd, spawner: Spawner) -> io::Result<Self> {
        Ok(Self {
            control: watch(control)?,
            spawner,
            supervisor: None,
        })
    }

    /// What the supervisor tells next; none if it is gone, and its orphans with it. Cancel safe.
    pub(super) async fn report(&mut self) -> Option<Report> {
        loop {
            let Ok(mut ready) = self.control.readable().await else {
                return None;
            };
            match socket::receive(self.control.get_ref().as_fd(), Wait::No) {
                Ok(Some(message)) => {
                    let report = Report::decode(&message.bytes);
                    if let Some(Report::Started { supervisor }) = report {
                        self.spawner.started(supervisor);
                        self.supervisor = Some(supervisor);
                    }
                    return report;
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => ready.clear_ready(),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// A supervisor that has left meanwhile has told why.
    pub(super) fn order(&self, order: Order, descriptors: &[BorrowedFd<'_>]) {
        self.spawner.wake();
        let control = self.control.get_ref().as_fd();
        drop(socket::send(
            control,
            &order.encode(),
            descriptors,
            Wait::No,
        ));
    }

    /// For what the supervisor reads once the command has ended.
    pub(super) fn later_output(&self) -> Option<LaterOutput> {
        let control = self.control.get_ref().try_clone().ok()?;
        Some(LaterOutput { control })
    }

    /// After the end of the reports: makes sure that what the supervisor has left is dead. Returns
    /// what could not be killed.
    pub(super) async fn sweep(&mut self) -> Vec<Leftover> {
        let Some(supervisor) = self.supervisor else {
            return Vec::new();
        };
        let spawner = self.spawner.clone();
        let swept = tokio::task::spawn_blocking(move || spawner.sweep(supervisor)).await;
        swept.unwrap_or_default()
    }

    /// What is to be held as long as what the command has left is to live.
    pub(super) fn into_session(mut self) -> Option<Session> {
        let supervisor = self.supervisor.take()?;
        let control = self.control.get_ref().try_clone().ok()?;
        Some(Session {
            control,
            spawner: self.spawner.clone(),
            supervisor,
        })
    }

    /// The supervisor lives on, with what the command has left.
    pub(super) fn leave(mut self) {
        self.supervisor = None;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(supervisor) = self.supervisor {
            self.spawner.ended(supervisor);
        }
    }
}

/// Keeps what a command has left alive until it is dropped.
#[derive(Debug)]
pub(super) struct Session {
    control: OwnedFd,
    spawner: Spawner,
    supervisor: i32,
}

impl Session {
    /// Whether nothing is left of it.
    pub(super) fn is_over(&self) -> bool {
        socket::is_closed(&self.control)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.spawner.ended(self.supervisor);
    }
}
