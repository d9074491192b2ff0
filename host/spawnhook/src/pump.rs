use spawnhook_exec::{Collector, OpenFile};
use spawnhook_model::{Chunk, Event, Output};
use tokio::sync::mpsc;

/// Takes a command's output to its two readers: the outcome and the front end.
pub(crate) struct Pump {
    collector: Collector,
    events: mpsc::Sender<Event>,
}

impl Pump {
    pub(crate) fn new(collector: Collector, events: mpsc::Sender<Event>) -> Self {
        Self { collector, events }
    }

    /// Until the command's side is closed. A front end that is gone stops nothing.
    pub(crate) async fn run(&mut self, mut chunks: mpsc::Receiver<Chunk>) {
        while let Some(chunk) = chunks.recv().await {
            self.collector.write(chunk.stream(), &chunk);
            drop(self.events.send(Event::Output(chunk)).await);
        }
    }

    /// The file for those who go on writing, if one is wanted.
    pub(crate) fn hand_over(&mut self) -> Option<OpenFile> {
        self.collector.hand_over()
    }

    /// What was collected, and what went wrong with it.
    pub(crate) fn finish(self) -> (Output, Vec<String>) {
        self.collector.finish()
    }
}
