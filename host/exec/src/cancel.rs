use tokio::sync::watch;

/// The caller's hold on a command: it cancels the command, or passes signals on to it. Clones hold
/// the same command; cancelling twice is cancelling once; dropping every clone cancels nothing.
#[derive(Clone, Debug)]
pub struct Canceller {
    wishes: watch::Sender<Wishes>,
    passed_on: watch::Receiver<usize>,
}

/// The command's end of it.
#[derive(Clone, Debug)]
pub struct Cancel {
    wishes: watch::Receiver<Wishes>,
    /// How many signals this end was given.
    given: usize,
    passed_on: watch::Sender<usize>,
}

/// What the caller wants so far.
#[derive(Debug, Default)]
struct Wishes {
    cancelled: bool,
    /// In the order of their arrival. They come from people at terminals, so they are few.
    signals: Vec<i32>,
}

impl Canceller {
    /// The two ends of a cancellation that has not happened.
    pub fn new() -> (Self, Cancel) {
        let (sender, wishes) = watch::channel(Wishes::default());
        let (passed_on, receiver) = watch::channel(0);
        let canceller = Self {
            wishes: sender,
            passed_on: receiver,
        };
        let cancel = Cancel {
            wishes,
            given: 0,
            passed_on,
        };
        (canceller, cancel)
    }

    /// Cancels, whether the command is still to be started, runs, or has ended.
    pub fn cancel(&self) {
        self.wishes.send_modify(|wishes| wishes.cancelled = true);
    }

    /// Has a signal, by its number, passed on to the command's process group, as a terminal sends
    /// it. What comes of it is the command's affair. One that comes too early waits for the
    /// command; one that comes too late does nothing.
    pub fn signal(&self, signal: i32) {
        self.wishes
            .send_modify(|wishes| wishes.signals.push(signal));
    }

    /// Returns once every signal so far was passed on, or nobody is left who could do that.
    pub async fn signals_passed_on(&self) {
        let wanted = self.wishes.borrow().signals.len();
        let mut passed_on = self.passed_on.clone();
        let _nobody = passed_on.wait_for(|number| *number >= wanted).await;
    }
}

impl Cancel {
    /// Whether it has happened.
    pub fn is_cancelled(&self) -> bool {
        self.wishes.borrow().cancelled
    }

    /// Returns once it has happened, and never if nobody can make it happen any more.
    pub async fn cancelled(&mut self) {
        self.until(|wishes| wishes.cancelled).await;
    }

    /// The next signal that is to be passed on; never, if there can be none any more. Asking for it
    /// says that those before were. Cancel safe.
    pub async fn signalled(&mut self) -> i32 {
        let given = self.given;
        self.passed_on.send_if_modified(|number| {
            let is_news = *number < given;
            *number = given.max(*number);
            is_news
        });
        self.until(|wishes| wishes.signals.len() > given).await;
        self.given += 1;
        self.wishes.borrow().signals[given]
    }

    async fn until(&mut self, is_so: impl FnMut(&Wishes) -> bool) {
        if self.wishes.wait_for(is_so).await.is_err() {
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

    #[tokio::test(start_paused = true)]
    async fn every_signal_is_passed_on_once_and_in_order_and_cancels_nothing() {
        let (canceller, mut cancel) = Canceller::new();
        canceller.signal(2);
        canceller.signal(2);
        assert_eq!(cancel.signalled().await, 2);
        canceller.signal(28);
        assert_eq!(cancel.signalled().await, 2);
        assert_eq!(cancel.signalled().await, 28);
        let hour = Duration::from_secs(3600);
        let passed_on = tokio::time::timeout(hour, canceller.signals_passed_on()).await;
        assert!(passed_on.is_err());
        tokio::select! {
            _ = cancel.signalled() => unreachable!(),
            () = canceller.signals_passed_on() => {}
        }
        drop(canceller);
        let waited = tokio::time::timeout(Duration::from_secs(3600), cancel.signalled()).await;
        assert!(waited.is_err());
        assert!(!cancel.is_cancelled());
    }
}
