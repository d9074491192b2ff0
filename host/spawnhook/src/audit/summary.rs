//! What many commands have in common. No I/O.

use std::collections::{BTreeMap, VecDeque};

use jiff::Timestamp;

use super::command::{Command, HANDED_OVER};

mod timeline;

pub use timeline::{Column, Timeline};

/// How many commands stand in a list of the slowest or the most refused.
const LISTED: usize = 10;
/// How many of the last that a hook has rewritten are shown.
const REWRITTEN: usize = 6;
/// How many of the last commands stand in the table.
const LATEST: usize = 2000;
/// How many different refusals are told apart.
const REFUSALS: usize = 1000;

/// What became of a command, as far as colours tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It exited with 0.
    Succeeded,
    /// It exited with another code, was killed by a signal, or could not be spawned.
    Failed,
    /// It ran into its time limit or was cancelled.
    Stopped,
    /// A hook refused it or failed, so that it did not run.
    Refused,
    /// It was left to an agent, which tells nobody what became of it.
    HandedOver,
    /// No record says so.
    Unended,
}

impl Kind {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::Succeeded,
        Self::Failed,
        Self::Stopped,
        Self::Refused,
        Self::HandedOver,
        Self::Unended,
    ];

    /// What became of this command.
    pub fn of(command: &Command) -> Self {
        match (command.ending.as_deref(), command.exit_code) {
            (None, _) => Self::Unended,
            (Some("exited"), None | Some(0)) => Self::Succeeded,
            (Some("timed-out" | "cancelled"), _) => Self::Stopped,
            (Some("denied" | "hook-failed"), _) => Self::Refused,
            (Some(HANDED_OVER), _) => Self::HandedOver,
            _ => Self::Failed,
        }
    }

    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Refused => "refused",
            Self::HandedOver => HANDED_OVER,
            Self::Unended => "unended",
        }
    }
}

/// The ending of commands that succeeded.
pub(super) const EXITED_WITH_0: &str = "exited 0";

/// How many commands of each kind, in the order of [`Kind::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([u64; 6]);

impl Counts {
    /// How many of this kind.
    pub fn of(&self, kind: Kind) -> u64 {
        self.0[kind as usize]
    }

    /// How many of all kinds.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    fn count(&mut self, kind: Kind) {
        self.0[kind as usize] += 1;
    }

    fn add(&mut self, other: &Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

/// Durations from one bound to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DurationClass {
    /// What it is called.
    pub name: &'static str,
    /// The bound in milliseconds that it ends below.
    below: u64,
}

/// The classes of durations, shortest first.
pub const DURATIONS: [DurationClass; 6] = [
    DurationClass {
        name: "below 10 ms",
        below: 10,
    },
    DurationClass {
        name: "below 100 ms",
        below: 100,
    },
    DurationClass {
        name: "below 1 s",
        below: 1000,
    },
    DurationClass {
        name: "below 10 s",
        below: 10_000,
    },
    DurationClass {
        name: "below 1 min",
        below: 60_000,
    },
    DurationClass {
        name: "1 min and more",
        below: u64::MAX,
    },
];

/// The refusals of one program by one hook.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// The hook.
    pub hook: String,
    /// The first program of the commands.
    pub program: String,
    /// How many.
    pub count: u64,
    /// The reason of the last.
    pub reason: String,
}

/// What a hook did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookWork {
    /// How many commands it changed.
    pub changed: u64,
    /// How often it changed each field.
    pub fields: BTreeMap<String, u64>,
    /// How many commands it refused, or stopped by failing.
    pub refused: u64,
    /// How often it failed and was left out.
    pub left_out: u64,
}

/// What a log says in all.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many commands of each kind.
    pub counts: Counts,
    /// How many with each ending.
    pub endings: BTreeMap<String, u64>,
    /// How many in each of [`DURATIONS`], of those that ran and ended.
    pub durations: [u64; DURATIONS.len()],
    /// When they were.
    pub timeline: Timeline,
    /// What hooks did, by their names.
    pub hooks: BTreeMap<String, HookWork>,
    /// Those that took longest, the longest first.
    pub slowest: Vec<Command>,
    /// The last whose text a hook changed, the last first.
    pub rewritten: VecDeque<Command>,
    /// The last of all, the last first.
    pub latest: VecDeque<Command>,
    refusals: BTreeMap<(String, String), Refusals>,
}

impl Summary {
    /// Takes one command.
    pub fn push(&mut self, command: Command) {
        let kind = Kind::of(&command);
        self.counts.count(kind);
        *self.endings.entry(ending(&command)).or_default() += 1;
        if let Some(time) = command.time() {
            self.timeline.count(time, kind);
        }
        self.push_duration(&command);
        self.push_hooks(&command);
        if kind == Kind::Refused {
            self.push_refusal(&command);
        }
        let is_rewritten = |command: &Command| {
            let mut fields = command.changed.iter().flat_map(|by| &by.fields);
            fields.any(|field| field == "command")
        };
        if is_rewritten(&command) {
            keep_last(&mut self.rewritten, command.clone(), REWRITTEN);
        }
        keep_last(&mut self.latest, command, LATEST);
    }

    /// When the first began and the last.
    pub fn period(&self) -> Option<(Timestamp, Timestamp)> {
        self.timeline.period()
    }

    /// Those that are refused most, the most first.
    pub fn most_refused(&self) -> Vec<&Refusals> {
        let mut refusals: Vec<_> = self.refusals.values().collect();
        refusals.sort_by_key(|refusals| std::cmp::Reverse(refusals.count));
        refusals.truncate(LISTED);
        refusals
    }

    fn push_duration(&mut self, command: &Command) {
        let (Some(_), Some(_), Some(duration)) =
            (command.started, command.ended, command.duration_ms)
        else {
            return;
        };
        let class = DURATIONS.iter().position(|class| duration < class.below);
        self.durations[class.unwrap_or(DURATIONS.len() - 1)] += 1;
        let longer = |other: &Command| other.duration_ms >= Some(duration);
        let place = self.slowest.partition_point(longer);
        if place < LISTED {
            self.slowest.insert(place, command.clone());
            self.slowest.truncate(LISTED);
        }
    }

    fn push_hooks(&mut self, command: &Command) {
        for by in &command.changed {
            let work = self.hooks.entry(by.hook.clone()).or_default();
            work.changed += 1;
            for field in &by.fields {
                *work.fields.entry(field.to_string()).or_default() += 1;
            }
        }
        if let Some(hook) = &command.refused_by {
            self.hooks.entry(hook.clone()).or_default().refused += 1;
        }
        for skipped in &command.skipped {
            self.hooks.entry(skipped.hook.clone()).or_default().left_out += 1;
        }
    }

    fn push_refusal(&mut self, command: &Command) {
        let hook = command.refused_by.clone().unwrap_or_default();
        let program = command.programs().into_iter().next().unwrap_or_default();
        let key = (hook, program);
        if self.refusals.len() >= REFUSALS && !self.refusals.contains_key(&key) {
            return;
        }
        let (hook, program) = key.clone();
        let refusals = self.refusals.entry(key).or_default();
        *refusals = Refusals {
            hook,
            program,
            count: refusals.count + 1,
            reason: command.reason.clone().unwrap_or_default(),
        };
    }
}

/// The name of its ending; one that exited is told apart by whether it succeeded.
fn ending(command: &Command) -> String {
    match (command.ending.as_deref(), Kind::of(command)) {
        (Some("exited"), Kind::Succeeded) => EXITED_WITH_0.to_owned(),
        (Some("exited"), _) => "exited otherwise".to_owned(),
        (ending, _) => ending.unwrap_or("unended").to_owned(),
    }
}

fn keep_last(list: &mut VecDeque<Command>, command: Command, most: usize) {
    list.push_front(command);
    list.truncate(most);
}

#[cfg(test)]
mod tests;
