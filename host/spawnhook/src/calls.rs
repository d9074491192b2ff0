//! The commands of a server: many at once, each of which can be cancelled by name, and all of
//! which end together.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spawnhook_exec::Canceller;
use tokio_util::task::TaskTracker;

use crate::execution::Execution;
use crate::host::Host;
use crate::request::{ExecRequest, RequestError};

/// Starts commands and knows which of them run. Clones are one.
///
/// A `Name` is what the client knows a command by. Several may have the same.
pub struct Calls<Name> {
    shared: Arc<Shared<Name>>,
}

struct Shared<Name> {
    host: Host,
    followers: TaskTracker,
    running: Mutex<Running<Name>>,
}

#[derive(Debug)]
struct Running<Name> {
    is_ending: bool,
    started: u64,
    calls: BTreeMap<u64, (Name, Canceller)>,
}

/// Why a command was not started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// [`Calls::end`] was called.
    #[error("The server is ending, and starts nothing any more")]
    Ending,
    /// The request could not run whatever the hooks say.
    #[error(transparent)]
    Request(#[from] RequestError),
}

/// Takes a call off the list, however its follower ended.
struct Listed<Name> {
    shared: Arc<Shared<Name>>,
    number: u64,
}

impl<Name: Clone + PartialEq + Send + 'static> Calls<Name> {
    /// Without a command as yet.
    pub fn new(host: Host) -> Self {
        Self {
            shared: Arc::new(Shared {
                host,
                followers: TaskTracker::new(),
                running: Mutex::new(Running {
                    is_ending: false,
                    started: 0,
                    calls: BTreeMap::new(),
                }),
            }),
        }
    }

    /// The host that the commands run on.
    pub fn host(&self) -> &Host {
        &self.shared.host
    }

    /// Starts a command, and a task of the current tokio runtime that follows it to its end. A
    /// follower that gives the execution up cancels the command.
    ///
    /// # Errors
    ///
    /// If the request is not accepted, or the server is ending.
    pub fn start<Follower>(
        &self,
        name: Name,
        request: ExecRequest,
        follow: impl FnOnce(Execution) -> Follower,
    ) -> Result<(), StartError>
    where
        Follower: Future<Output = ()> + Send + 'static,
    {
        // Held until the call is listed, so that no call escapes `end`.
        let mut running = self.shared.running();
        if running.is_ending {
            return Err(StartError::Ending);
        }
        let execution = self.shared.host.start(request)?;
        let number = running.started;
        running.started += 1;
        running.calls.insert(number, (name, execution.canceller()));
        let listed = Listed {
            shared: self.shared.clone(),
            number,
        };
        let follower = follow(execution);
        drop(self.shared.followers.spawn(async move {
            let _listed = listed;
            follower.await;
        }));
        Ok(())
    }

    /// Cancels the commands of this name that run, and says how many there are.
    pub fn cancel(&self, name: &Name) -> usize {
        self.cancel_where(|known| known == name)
    }

    /// Cancels every command that runs, and says how many there are.
    pub fn cancel_all(&self) -> usize {
        self.cancel_where(|_| true)
    }

    /// Cancels every command, starts none any more, and returns once all have ended and their
    /// followers too.
    pub async fn end(&self) {
        self.shared.running().is_ending = true;
        self.cancel_all();
        self.shared.followers.close();
        self.shared.followers.wait().await;
    }

    fn cancel_where(&self, is_meant: impl Fn(&Name) -> bool) -> usize {
        let running = self.shared.running();
        let meant = running.calls.values().filter(|(name, _)| is_meant(name));
        meant.inspect(|(_, canceller)| canceller.cancel()).count()
    }
}

impl<Name> Clone for Calls<Name> {
    fn clone(&self) -> Self {
        Self {
            shared: self.shared.clone(),
        }
    }
}

impl<Name> Shared<Name> {
    fn running(&self) -> MutexGuard<'_, Running<Name>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Name> Drop for Listed<Name> {
    fn drop(&mut self) {
        self.shared.running().calls.remove(&self.number);
    }
}

#[cfg(test)]
mod tests;
