use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use spawnhook::Execution;
use spawnhook_exec::Text;
use spawnhook_model::{Call, Event, Outcome, SpawnContext};
use tokio::sync::watch;

use super::super::pieces::Pieces;
use super::backlog::{Backlog, Piece};

/// A command of a client, for as long as somebody may ask about it.
#[derive(Debug)]
pub(super) struct Job {
    /// What the client knows it by.
    pub(super) handle: String,
    /// The command as it was asked for.
    pub(super) requested: String,
    pub(super) cwd: PathBuf,
    pub(super) asked: Instant,
    record: Mutex<Record>,
    progress: watch::Sender<Progress>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Progress {
    /// When every hook had agreed.
    pub(super) started: Option<Instant>,
    /// Bytes that it has written.
    pub(super) bytes: u64,
    pub(super) is_finished: bool,
}

#[derive(Debug, Default)]
struct Record {
    backlog: Backlog,
    /// How far its output was asked for.
    read: u64,
    spawned: Option<Spawned>,
    end: Option<End>,
}

/// What really runs.
#[derive(Clone, Debug)]
pub(super) struct Spawned {
    pub(super) call: Arc<Call>,
    pub(super) spawn: Arc<SpawnContext>,
}

/// What became of it; the error is the host's.
pub(super) type End = Result<Arc<Outcome>, String>;

impl Job {
    pub(super) fn new(handle: String, requested: String, cwd: PathBuf) -> Self {
        Self {
            handle,
            requested,
            cwd,
            asked: Instant::now(),
            record: Mutex::default(),
            progress: watch::Sender::default(),
        }
    }

    /// Takes what a command writes until its end.
    pub(super) async fn follow(self: Arc<Self>, mut execution: Execution) {
        let mut pieces = Pieces::new(Text::default());
        while let Some(event) = execution.next_event().await {
            match event {
                Event::Started { call, spawn } => {
                    self.record().spawned = Some(Spawned { call, spawn });
                    self.tell(|progress| progress.started = Some(Instant::now()));
                }
                Event::Output(chunk) => {
                    pieces.push(&chunk);
                    self.take(&pieces.take_appended());
                }
                Event::Finished(outcome) => {
                    pieces.finish();
                    self.take(&pieces.take_appended());
                    return self.end(Ok(Arc::new(*outcome)));
                }
                _ => {}
            }
        }
        let lost = execution.outcome().await;
        self.end(lost.map(Arc::new).map_err(|error| error.to_string()));
    }

    pub(super) fn progress(&self) -> Progress {
        *self.progress.borrow()
    }

    /// Returns once it is so. Cancel safe.
    pub(super) async fn wait_for(&self, is_so: impl FnMut(&Progress) -> bool) {
        let mut progress = self.progress.subscribe();
        // The sender lives as long as `self`.
        progress.wait_for(is_so).await.ok();
    }

    /// Returns what became of it, once it has ended. Cancel safe.
    pub(super) async fn finished(&self) -> End {
        loop {
            self.wait_for(|progress| progress.is_finished).await;
            if let Some(end) = self.record().end.clone() {
                return end;
            }
        }
    }

    /// What became of it; none while it runs.
    pub(super) fn ended(&self) -> Option<End> {
        self.record().end.clone()
    }

    /// What really runs, once every hook has agreed.
    pub(super) fn spawned(&self) -> Option<Spawned> {
        self.record().spawned.clone()
    }

    /// What it has written from `cursor` on, or since it was last asked.
    pub(super) fn read(&self, cursor: Option<u64>, most: usize) -> Piece {
        let mut record = self.record();
        let piece = record.backlog.read(cursor.unwrap_or(record.read), most);
        record.read = piece.cursor;
        piece
    }

    /// The end of what it has written.
    pub(super) fn tail(&self, most: usize) -> String {
        self.record().backlog.tail(most).to_owned()
    }

    fn take(&self, text: &str) {
        let bytes = {
            let mut record = self.record();
            record.backlog.push(text);
            record.backlog.end()
        };
        self.tell(|progress| progress.bytes = bytes);
    }

    fn end(&self, end: End) {
        self.record().end = Some(end);
        self.tell(|progress| progress.is_finished = true);
    }

    fn tell(&self, change: impl FnOnce(&mut Progress)) {
        self.progress.send_modify(change);
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
