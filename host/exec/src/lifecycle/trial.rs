use std::collections::BTreeMap;

use super::*;

/// A lifecycle with a clock, and with a record of what it was told and wanted done.
#[derive(Debug)]
pub(crate) struct Trial {
    lifecycle: Lifecycle,
    pub(crate) now: Duration,
    armed: BTreeMap<usize, (Duration, Timer)>,
    inputs: Vec<Input>,
    pub(crate) actions: Vec<Action>,
}

impl Trial {
    pub(crate) fn new(lifecycle: Lifecycle) -> Self {
        Self {
            lifecycle,
            now: Duration::ZERO,
            armed: BTreeMap::new(),
            inputs: Vec::new(),
            actions: Vec::new(),
        }
    }

    pub(crate) fn take(&mut self, input: Input) {
        self.inputs.push(input);
        for action in self.lifecycle.handle(input) {
            self.actions.push(action);
            if let Action::Arm(timer, after) = action {
                self.armed.insert(timer as usize, (self.now + after, timer));
            }
            if let Action::Report(report) = action {
                self.check(report);
            }
        }
    }

    /// Lets the clock run until a timer elapses. What lives stays alive for as long as it can.
    pub(crate) fn elapse(&mut self) -> bool {
        let Some((at, timer)) = self.armed.values().min_by_key(|(at, _)| *at).copied() else {
            return false;
        };
        self.armed.remove(&(timer as usize));
        self.now = self.now.max(at);
        self.take(Input::Elapsed(timer));
        true
    }

    /// Cancels the command and lets the clock run. Whatever lives on, that is reported, and within
    /// the limits.
    pub(crate) fn cancel(&mut self, grace: Duration) {
        self.take(Input::Spawned);
        self.take(Input::Cancel);
        let start = self.now;
        for _ in 0..20 {
            if self.reports() == 1 || !self.elapse() {
                break;
            }
        }
        assert_eq!(self.reports(), 1);
        assert!(self.now - start <= grace + KILL_LIMIT + DRAIN_LIMIT + KILL_LIMIT);
    }

    /// There is one report at most, and nothing is to be done after it.
    pub(crate) fn assert_reported_last(&self) {
        match self.reports() {
            0 => {}
            1 => assert!(matches!(self.actions.last(), Some(Action::Report(_)))),
            reports => panic!("{reports} reports"),
        }
    }

    /// A report must rest on what was told before it.
    fn check(&self, report: Report) {
        let told = |input| self.inputs.contains(&input);
        if let Finish::Exited(exit) = report.finish {
            let exits = [Input::LeaderExited(exit), Input::LeaderExitedAlone(exit)];
            assert!(exits.into_iter().any(told) || told(Input::Lost));
        }
        let kills = self.actions.contains(&Action::Kill);
        let stops = kills || self.actions.contains(&Action::Terminate);
        match report.certainty {
            Certainty::Gone => {
                let alone = |input: &Input| matches!(input, Input::LeaderExitedAlone(_));
                let empty = told(Input::TreeEmpty) || self.inputs.iter().any(alone);
                assert!(empty || (!stops && told(Input::Left)));
            }
            Certainty::Remaining => assert!(kills && told(Input::TreeRemains)),
            Certainty::Unknown => assert!(told(Input::Elapsed(Timer::KillLimit))),
            Certainty::Lost => assert!(told(Input::Lost)),
        }
        assert_eq!(report.held_open, !self.inputs.contains(&Input::EndOfFile));
    }

    pub(crate) fn reports(&self) -> usize {
        let is_report = |action: &&Action| matches!(action, Action::Report(_));
        self.actions.iter().filter(is_report).count()
    }
}
