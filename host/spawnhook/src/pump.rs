use spawnhook_exec::Collector;
use spawnhook_model::{Event, Output};
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
    pub(crate) async fn run(&mut self, mut chunks: mpsc::Receiver<Vec<u8>>) {
        while let Some(chunk) = chunks.recv().await {
            self.collector.write(&chunk);
            drop(self.events.send(Event::Output(chunk)).await);
        }
    }

    /// What was collected, and what went wrong with it.
    pub(crate) fn finish(self) -> (Output, Vec<String>) {
        self.collector.finish()
    }
}
