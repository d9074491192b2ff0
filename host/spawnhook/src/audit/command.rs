//! The records of each call joined. No I/O.

use std::collections::{BTreeMap, HashMap, VecDeque};

use jiff::Timestamp;
use serde::Serialize;
use spawnhook_shell::{Dialect, analyze};

use super::entry::{Entry, Event};
use super::record::{ChangedBy, SkippedHook};

mod details;

use details::{Details, Status};

/// How many commands may run at once without one of them being given up. What a killed host leaves
/// stays among them.
const RUNNING: usize = 4096;
/// How many of the commands that have ended are remembered, for the records of further hooks.
const ENDED: usize = 1024;
/// What stands for the ending of a command that was left to an agent.
pub(super) const HANDED_OVER: &str = "handed-over";

/// What a log says of one command.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Command {
    /// The id of the call.
    pub call: String,
    /// The number of its first record.
    pub seq: u64,
    /// When it was about to be spawned; none if it never was, or no record says so.
    pub started: Option<Timestamp>,
    /// When it had ended or was refused; none if no record says so.
    pub ended: Option<Timestamp>,
    /// The name of its ending, or `handed-over` if an agent ran it itself; none if no record says
    /// so.
    pub ending: Option<String>,
    /// What the shell exited with, if it did.
    pub exit_code: Option<i32>,
    /// The number of the signal that killed the shell, if one did.
    pub signal: Option<i32>,
    /// Why it was refused or could not be spawned.
    pub reason: Option<String>,
    /// The hook that refused, or whose failure stopped the command.
    pub refused_by: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// What ran, or would have.
    pub command: Option<String>,
    /// What was asked for.
    pub requested: Option<String>,
    /// The hex SHA-256 of the command's bytes.
    pub command_sha256: String,
    /// Where it ran.
    pub cwd: Option<String>,
    /// Where it came from.
    pub origin: Option<String>,
    /// What is known of its session.
    pub session: BTreeMap<String, String>,
    /// Bytes of output.
    pub output_bytes: Option<u64>,
    /// Lines of output.
    pub output_lines: Option<u64>,
    /// How many processes it left.
    pub leftover_processes: Option<u32>,
    /// The hooks that changed it.
    pub changed: Vec<ChangedBy>,
    /// The hooks that failed and were left out.
    pub skipped: Vec<SkippedHook>,
    /// The hooks that recorded it.
    pub recorded_by: Vec<String>,
}

impl Command {
    /// The time to sort it by: its start, or else its end.
    pub fn time(&self) -> Option<Timestamp> {
        self.started.or(self.ended)
    }

    /// The names of the programs that its text would run, without folders, as far as the text
    /// tells.
    pub fn programs(&self) -> Vec<String> {
        let text = self.command.as_deref().unwrap_or_default();
        let analysis = analyze(text, Dialect::Bash);
        let words = analysis.parts.iter().filter_map(|part| part.program());
        let called = words.filter_map(|word| word.literal().map(|called| called.to_owned()));
        let mut programs: Vec<String> = Vec::new();
        for called in called {
            let name = called.rsplit('/').next().unwrap_or_default().to_owned();
            if !programs.contains(&name) {
                programs.push(name);
            }
        }
        programs
    }

    /// Whether a hook of this name changed, refused or recorded it, or was left out.
    pub fn concerns(&self, hook: &str) -> bool {
        self.refused_by.as_deref() == Some(hook)
            || self.changed.iter().any(|by| by.hook == hook)
            || self.skipped.iter().any(|skipped| skipped.hook == hook)
            || self.recorded_by.iter().any(|name| name == hook)
    }

    fn take(&mut self, entry: Entry) {
        let details = entry.entry.as_deref().map(Details::read);
        match entry.event {
            Event::Spawn => self.started = self.started.or(Some(entry.time)),
            Event::Exit | Event::Refused => {
                self.ended = self.ended.or(Some(entry.time));
                fill(&mut self.ending, entry.ending);
            }
            Event::HandedOver => {
                self.ended = self.ended.or(Some(entry.time));
                fill(&mut self.ending, Some(HANDED_OVER.to_owned()));
            }
        }
        fill(&mut self.refused_by, entry.refused_by);
        if self.changed.is_empty() {
            self.changed = entry.changed;
        }
        if self.skipped.len() < entry.skipped.len() {
            self.skipped = entry.skipped;
        }
        if !self.recorded_by.contains(&entry.hook) {
            self.recorded_by.push(entry.hook);
        }
        self.take_details(details.unwrap_or_default());
    }

    fn take_details(&mut self, details: Details) {
        fill(&mut self.command, details.command);
        fill(&mut self.requested, details.requested);
        fill(&mut self.cwd, details.cwd);
        fill(&mut self.origin, details.origin);
        fill(&mut self.output_bytes, details.output_bytes);
        fill(&mut self.output_lines, details.output_lines);
        fill(&mut self.leftover_processes, details.leftover_processes);
        fill(&mut self.duration_ms, details.duration_ms);
        if self.session.is_empty() {
            self.session = details.session;
        }
        let Status {
            code,
            signal,
            reason,
        } = details.status.unwrap_or_default();
        fill(&mut self.exit_code, code);
        fill(&mut self.signal, signal);
        fill(&mut self.reason, reason);
    }

    /// What no hook has told follows from the times of the records.
    fn complete(mut self) -> Self {
        if let (Some(started), Some(ended)) = (self.started, self.ended) {
            let between = u64::try_from(ended.duration_since(started).as_millis());
            fill(&mut self.duration_ms, between.ok());
        }
        self
    }
}

fn fill<T>(slot: &mut Option<T>, given: Option<T>) {
    if slot.is_none() {
        *slot = given;
    }
}

/// Joins entries, in the order of the log.
#[derive(Debug, Default)]
pub struct Commands {
    running: HashMap<String, Running>,
    /// The calls in the order of their first records; those that have ended among them.
    order: VecDeque<(u64, String)>,
    ended: VecDeque<String>,
}

#[derive(Debug, Default)]
struct Running {
    command: Command,
    /// How many records before the spawn have none after the exit yet.
    owing: usize,
}

impl Commands {
    /// Takes the next entry, and returns the command that it ends, or one that is given up: too
    /// many have begun since.
    pub fn push(&mut self, entry: Entry) -> Option<Command> {
        let event = entry.event;
        if !self.running.contains_key(&entry.call) {
            if event != Event::Spawn && self.ended.contains(&entry.call) {
                return None;
            }
            self.begin(&entry);
        }
        let call = entry.call.clone();
        let running = self.running.get_mut(&call)?;
        running.command.take(entry);
        match event {
            Event::Spawn => running.owing += 1,
            Event::Exit | Event::Refused | Event::HandedOver => {
                running.owing = running.owing.saturating_sub(1);
            }
        }
        if event != Event::Spawn && running.owing == 0 {
            return self.end(call);
        }
        self.give_up()
    }

    /// The commands that no record says the end of, in the order of their first records.
    pub fn finish(mut self) -> Vec<Command> {
        let calls = std::mem::take(&mut self.order).into_iter();
        let unended = calls.filter_map(|(seq, call)| self.remove(seq, &call));
        unended.collect()
    }

    fn begin(&mut self, entry: &Entry) {
        let command = Command {
            call: entry.call.clone(),
            seq: entry.seq,
            command_sha256: entry.command_sha256.clone(),
            ..Command::default()
        };
        self.order.push_back((entry.seq, entry.call.clone()));
        let running = Running { command, owing: 0 };
        self.running.insert(entry.call.clone(), running);
    }

    fn end(&mut self, call: String) -> Option<Command> {
        let Running { command, .. } = self.running.remove(&call)?;
        if self.ended.len() == ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back(call);
        // Those at the front that have ended are of no more use.
        while let Some((seq, call)) = self.order.front()
            && self
                .running
                .get(call)
                .is_none_or(|running| running.command.seq != *seq)
        {
            self.order.pop_front();
        }
        Some(command.complete())
    }

    fn give_up(&mut self) -> Option<Command> {
        if self.running.len() <= RUNNING {
            return None;
        }
        let (seq, call) = self.order.pop_front()?;
        self.remove(seq, &call)
    }

    fn remove(&mut self, seq: u64, call: &str) -> Option<Command> {
        self.running
            .get(call)
            .filter(|running| running.command.seq == seq)?;
        let Running { command, .. } = self.running.remove(call)?;
        Some(command.complete())
    }
}

#[cfg(test)]
mod tests;
