use std::time::Duration;

use serde_json::Value;

/// One case of the contract, or a part of one.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) about: &'static str,
    pub(super) act: Act,
    pub(super) config: String,
    pub(super) options: Vec<&'static str>,
    pub(super) env: Vec<(&'static str, &'static str)>,
    /// A guest of `tests/guests` that stands in the deployment.
    pub(super) guest: Option<&'static str>,
    /// A signal that reaches the program as soon as the command has made the file `started`.
    pub(super) signal: Option<&'static str>,
    /// How often it may be tried until it comes out as expected.
    pub(super) attempts: usize,
    /// The code that the program exits with.
    pub(super) code: i32,
    pub(super) at_least: Duration,
    pub(super) at_most: Duration,
    pub(super) verdict: Verdict,
    pub(super) expected: Value,
}

/// What a row does.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// `run --json`.
    Run(String),
    /// `run --events`, of which the last object is looked at, and `updates` is how many came before.
    Events(String),
    /// The library, which returns what there is to look at.
    Library(fn() -> Value),
}

/// How a row stands to what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Match,
    Better(&'static str),
}

/// A row that still lacks what is expected of it. See [`super::check`] for the keys of that.
pub(super) fn row(id: &'static str, about: &'static str) -> Row {
    Row {
        id,
        about,
        act: Act::Run(String::new()),
        config: String::new(),
        options: Vec::new(),
        env: Vec::new(),
        guest: None,
        signal: None,
        attempts: 1,
        code: 0,
        at_least: Duration::ZERO,
        at_most: Duration::from_secs(30),
        verdict: Verdict::Match,
        expected: Value::Null,
    }
}

impl Row {
    pub(super) fn run(mut self, command: impl Into<String>) -> Self {
        self.act = Act::Run(command.into());
        self
    }

    pub(super) fn events(mut self, command: &str) -> Self {
        self.act = Act::Events(command.to_owned());
        self
    }

    pub(super) fn library(mut self, act: fn() -> Value) -> Self {
        self.act = Act::Library(act);
        self
    }

    /// The user's config.
    pub(super) fn config(mut self, config: &str) -> Self {
        config.clone_into(&mut self.config);
        self
    }

    /// Options of `run`.
    pub(super) fn with(mut self, options: &[&'static str]) -> Self {
        self.options.extend(options);
        self
    }

    /// A variable of the program; `{machine}` in it is the folder of this row's machine.
    pub(super) fn env(mut self, name: &'static str, value: &'static str) -> Self {
        self.env.push((name, value));
        self
    }

    pub(super) fn guest(mut self, name: &'static str) -> Self {
        self.guest = Some(name);
        self
    }

    pub(super) fn signalled(mut self, signal: &'static str) -> Self {
        self.signal = Some(signal);
        self
    }

    /// SIGINT, which aborts the command.
    pub(super) fn interrupted(self) -> Self {
        self.signalled("INT").code(130)
    }

    /// Its command has to keep time, which a machine that stalls it can spoil.
    pub(super) fn in_real_time(mut self) -> Self {
        self.attempts = 5;
        self
    }

    /// What the program exits with; less than 0 is the signal that ended it.
    pub(super) fn code(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    pub(super) fn at_least(mut self, millis: u64) -> Self {
        self.at_least = Duration::from_millis(millis);
        self
    }

    /// A bound of the contract; what a busy machine may add is granted by the check.
    pub(super) fn at_most(mut self, millis: u64) -> Self {
        self.at_most = Duration::from_millis(millis);
        self
    }

    pub(super) fn matches(mut self, expected: Value) -> Self {
        self.expected = expected;
        self
    }

    /// Differs from what was recorded, on purpose.
    pub(super) fn better(mut self, why: &'static str, expected: Value) -> Self {
        self.verdict = Verdict::Better(why);
        self.expected = expected;
        self
    }

    pub(super) fn name(&self) -> String {
        format!("{} ({})", self.id, self.about)
    }
}
