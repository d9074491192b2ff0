use tokio::sync::watch;

/// The caller's end of a cancellation. Clones cancel the same command; cancelling twice is
/// cancelling once; dropping every clone cancels nothing.
#[derive(Clone, Debug)]
pub struct Canceller(watch::Sender<bool>);

/// The command's end of a cancellation.
#[derive(Clone, Debug)]
pub struct Cancel(watch::Receiver<bool>);

impl Canceller {
    /// The two ends of a cancellation that has not happened.
    pub fn new() -> (Self, Cancel) {
        let (sender, receiver) = watch::channel(false);
        (Self(sender), Cancel(receiver))
    }

    /// Cancels, whether the command is still to be started, runs, or has ended.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

impl Cancel {
    /// Whether it has happened.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns once it has happened, and never if nobody can make it happen any more.
    pub async fn cancelled(&mut self) {
        if self.0.wait_for(|cancelled| *cancelled).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_cancellation_reaches_every_clone_and_stays() {
        let (canceller, cancel) = Canceller::new();
        let mut clone = cancel.clone();
        assert!(!cancel.is_cancelled());
        canceller.clone().cancel();
        canceller.cancel();
        drop(canceller);
        clone.cancelled().await;
        clone.cancelled().await;
        assert!(cancel.is_cancelled());
    }

    #[tokio::test(start_paused = true)]
    async fn dropping_the_canceller_cancels_nothing() {
        let (canceller, mut cancel) = Canceller::new();
        drop(canceller);
        let waited = tokio::time::timeout(Duration::from_secs(3600), cancel.cancelled()).await;
        assert!(waited.is_err());
        assert!(!cancel.is_cancelled());
    }
}
