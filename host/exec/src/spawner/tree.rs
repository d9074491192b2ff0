use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::sys::pidfd::PidFd;
use crate::sys::processes::{self, Process, own_pid};

/// After this long a process that SIGKILL did not end is in uninterruptible sleep or another
/// user's.
pub(crate) const KILL_LIMIT: Duration = Duration::from_secs(2);
/// The longest wait for a round of kills to take effect before the next.
pub(crate) const ROUND_INTERVAL: Duration = Duration::from_millis(5);
/// How often one round looks for processes that were forked before their parents stood still. What
/// is missed in one round is found in the next.
const LOOKS: usize = 16;

/// The descendants of a process that adopts what its descendants leave.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    root: i32,
    /// Whoever has no part in it, with all descendants.
    spared: BTreeSet<i32>,
}

impl Tree {
    /// The descendants of this very process, but for those that are `spared` and theirs.
    pub(crate) fn of_this_process(spared: BTreeSet<i32>) -> Self {
        Self {
            root: own_pid(),
            spared,
        }
    }

    /// Those that can run.
    pub(crate) fn living(&self) -> io::Result<Vec<Process>> {
        Ok(self.among(processes::all()?))
    }

    /// Those whose parent is the root, zombies too.
    pub(crate) fn children(&self) -> io::Result<Vec<Process>> {
        let mut processes = processes::all()?;
        processes
            .retain(|process| process.parent == self.root && !self.spared.contains(&process.pid));
        Ok(processes)
    }

    fn among(&self, mut others: Vec<Process>) -> Vec<Process> {
        let mut ancestors = BTreeSet::from([self.root]);
        let mut found = Vec::new();
        loop {
            let (mut next, rest): (Vec<_>, Vec<_>) = others.into_iter().partition(|process| {
                ancestors.contains(&process.parent) && !self.spared.contains(&process.pid)
            });
            if next.is_empty() {
                found.retain(|process: &Process| process.can_run);
                return found;
            }
            ancestors = next.iter().map(|process| process.pid).collect();
            found.append(&mut next);
            others = rest;
        }
    }

    /// Kills every descendant that can be seen. They are stopped first, until none is new: what
    /// stands still does not fork.
    pub(crate) fn kill_once(&self) -> io::Result<()> {
        let mut stopped = BTreeSet::new();
        for _ in 0..LOOKS {
            let before = stopped.len();
            for process in self.living()? {
                if stopped.insert(process.pid) {
                    self.signal(process.pid, Signal::SIGSTOP);
                }
            }
            if stopped.len() == before {
                break;
            }
        }
        for pid in stopped {
            self.signal(pid, Signal::SIGKILL);
        }
        Ok(())
    }

    /// Signals the descendants that belong to a group.
    pub(crate) fn signal_group(&self, group: i32, signal: Signal) {
        let living = self.living().unwrap_or_default();
        for process in living.iter().filter(|process| process.group == group) {
            self.signal(process.pid, signal);
        }
    }

    /// Kills in rounds, until there is no descendant or [`KILL_LIMIT`] is over. `settled` waits
    /// for a round to take effect, no longer than it is told, and returns whether nobody is left.
    pub(crate) fn kill(&self, mut settled: impl FnMut(Duration) -> bool) -> bool {
        let start = Instant::now();
        while start.elapsed() < KILL_LIMIT {
            // What cannot be seen now is looked for again until the limit.
            drop(self.kill_once());
            if settled(ROUND_INTERVAL) {
                return true;
            }
        }
        false
    }

    /// A number may have become another process's since it was seen, so ancestry is looked at
    /// again once the process is held by its descriptor. What must not, or cannot, be signalled
    /// is found among the living later.
    fn signal(&self, pid: i32, signal: Signal) {
        if let Ok(process) = PidFd::open(pid)
            && self.contains(pid)
        {
            drop(process.signal(signal));
        }
    }

    fn contains(&self, pid: i32) -> bool {
        let mut pid = pid;
        while pid > 1 && !self.spared.contains(&pid) {
            match processes::one(pid) {
                Some(process) if process.parent == self.root => return true,
                Some(process) => pid = process.parent,
                None => return false,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn process(pid: i32, parent: i32) -> Process {
        Process {
            pid,
            parent,
            group: pid,
            name: String::new(),
            can_run: pid % 3 != 0,
        }
    }

    fn is_below(processes: &[Process], tree: &Tree, pid: i32) -> bool {
        if tree.spared.contains(&pid) {
            return false;
        }
        let parent = processes.iter().find(|process| process.pid == pid);
        parent.is_some_and(|process| {
            process.parent == tree.root || is_below(processes, tree, process.parent)
        })
    }

    proptest! {
        #[test]
        fn a_tree_is_whoever_has_its_root_above_and_nobody_spared_between(
            parents in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
            spared in prop::collection::btree_set(11..50_i32, 0..4),
        ) {
            // Processes 10 and up, each with a parent that was there before.
            let processes: Vec<Process> = parents
                .iter()
                .enumerate()
                .map(|(at, parent)| {
                    let pid = 11 + i32::try_from(at).unwrap();
                    let parent = i32::try_from(parent.index(at + 1)).unwrap();
                    process(pid, 10 + parent)
                })
                .collect();
            let tree = Tree { root: 10, spared };
            let mut found: Vec<i32> = tree.among(processes.clone()).iter().map(|process| process.pid).collect();
            found.sort_unstable();
            let expected: Vec<i32> = processes
                .iter()
                .filter(|process| process.can_run && is_below(&processes, &tree, process.pid))
                .map(|process| process.pid)
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}
