//! Whether lines are a chain, and where it is broken if they are not. No I/O.

use std::cmp::Ordering;
use std::collections::VecDeque;

use spawnhook_model::AuditHead;

use super::file::GENESIS;

mod fault;
mod torn;

pub use fault::{Fault, Problem};
use torn::is_torn;

/// How many lines back an insertion is found at its first line; longer ones at the first line
/// behind them.
const REMEMBERED: usize = 1024;

/// A line as far as the chain goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'a> {
    pub(super) text: &'a [u8],
    pub(super) hash: &'a str,
    /// The number and the hash before, if it is a record.
    pub(super) record: Option<(u64, &'a str)>,
}

/// The lines so far.
#[derive(Debug)]
pub(super) struct Chain {
    head: Option<AuditHead>,
    /// The number of the first line, if all is as it should be.
    due: u64,
    /// The number of the first line and the hash that it has of the one before.
    first: Option<(u64, Option<String>)>,
    next: u64,
    /// The hashes of the last lines, the newest at the back.
    hashes: VecDeque<String>,
    /// How many lines up to here are torn, with no record behind them that confirms them.
    unconfirmed: u64,
    torn: u64,
    /// The last line has its number, and another hash than that of the line before it.
    suspect: bool,
}

/// What a chain is that has no fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    /// The number of the first line; none of an empty log.
    pub(super) first: Option<u64>,
    /// Number and hash of the last line; none of an empty log.
    pub(super) last: Option<AuditHead>,
    /// How many lines a crash has torn.
    pub(super) torn: u64,
    /// Whether the last line is one of them.
    pub(super) ends_torn: bool,
    /// Whether the record of the head is older than all that is there, so that nothing can be
    /// said of it.
    pub(super) head_is_older: bool,
}

fn fault<T>(line: u64, problem: Problem) -> Result<T, Fault> {
    Err(Fault { line, problem })
}

impl Chain {
    /// A chain that should have `head` in it. Its first line is `oldest`, or an older one where a
    /// crash has kept files from being removed; none for a log of which nothing was removed.
    pub(super) fn new(head: Option<AuditHead>, oldest: Option<u64>) -> Self {
        Self {
            head,
            due: oldest.unwrap_or(1),
            first: None,
            next: oldest.unwrap_or(1),
            hashes: VecDeque::new(),
            unconfirmed: 0,
            torn: 0,
            suspect: false,
        }
    }

    /// The number of the next line.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Takes the next line.
    pub(super) fn push(&mut self, link: Link<'_>) -> Result<(), Fault> {
        self.settle(link)?;
        match link.record {
            _ if self.first.is_none() => self.begin(link)?,
            None => self.torn(link)?,
            Some((seq, prev)) => self.record(seq, prev, link.hash)?,
        }
        self.compare_head(link.hash)?;
        if self.hashes.len() == REMEMBERED {
            self.hashes.pop_front();
        }
        self.hashes.push_back(link.hash.to_owned());
        self.next = self.next.saturating_add(1);
        Ok(())
    }

    /// Says which of the two lines was changed whose link is broken: the later one is whole if
    /// this one follows it.
    fn settle(&self, link: Link<'_>) -> Result<(), Fault> {
        if !self.suspect {
            return Ok(());
        }
        let follows = link.record.is_none_or(|(_, prev)| self.follows(prev));
        fault(
            self.next.saturating_sub(if follows { 2 } else { 1 }),
            Problem::Changed,
        )
    }

    fn begin(&mut self, link: Link<'_>) -> Result<(), Fault> {
        let Some((seq, prev)) = link.record else {
            self.first = Some((self.next, None));
            return self.torn(link);
        };
        match (seq, prev == GENESIS) {
            (1, false) => return fault(1, Problem::Changed),
            (2.., true) | (0, _) => return fault(self.due, Problem::Renumbered(seq)),
            _ if seq > self.due => {
                let (from, to) = (self.due, seq - 1);
                return fault(from, Problem::Missing { from, to });
            }
            _ => self.next = seq,
        }
        self.first = Some((seq, Some(prev.to_owned())));
        Ok(())
    }

    fn torn(&mut self, link: Link<'_>) -> Result<(), Fault> {
        if !is_torn(link.text, self.next) {
            // A line that was split has such an end, and a beginning that seems to be torn.
            return fault(self.next - self.unconfirmed, Problem::NoRecord);
        }
        self.unconfirmed += 1;
        self.torn += 1;
        Ok(())
    }

    fn record(&mut self, seq: u64, prev: &str, hash: &str) -> Result<(), Fault> {
        let line = self.next;
        match (self.follows(prev), seq.cmp(&line)) {
            (true, Ordering::Equal) => self.unconfirmed = 0,
            (true, _) => return fault(line, Problem::Renumbered(seq)),
            (false, Ordering::Equal) => self.suspect = true,
            (false, order) => return Err(self.out_of_order(seq, prev, hash, order)),
        }
        Ok(())
    }

    /// What is wrong where a record has neither its number nor its link.
    fn out_of_order(&self, seq: u64, prev: &str, hash: &str, order: Ordering) -> Fault {
        let line = self.next;
        let is_copy = self.hash_of(seq) == Some(hash);
        let before = match seq {
            1 => Some(GENESIS),
            _ => self.hash_of(seq.wrapping_sub(1)),
        };
        let first = self.first.as_ref().map_or(line, |(first, _)| *first);
        let (line, problem) = if order == Ordering::Less && is_copy {
            (line, Problem::Moved(seq))
        } else if order == Ordering::Less && before == Some(prev) {
            (seq, Problem::Inserted { to: line - 1 })
        } else if line == first.saturating_add(1) && first != self.due {
            // Nothing else says what the number of the first line is.
            (first, Problem::Renumbered(first))
        } else if order == Ordering::Less {
            (line, Problem::Moved(seq))
        } else {
            let (from, to) = (line, seq - 1);
            (line, Problem::Missing { from, to })
        };
        Fault { line, problem }
    }

    fn compare_head(&self, hash: &str) -> Result<(), Fault> {
        let line = self.next;
        match self.head.as_ref().filter(|head| head.seq == line) {
            None => Ok(()),
            Some(head) if self.suspect => {
                fault(line - u64::from(head.hash == hash), Problem::Changed)
            }
            Some(head) if head.hash != hash => fault(line, Problem::NotTheHead),
            Some(_) => Ok(()),
        }
    }

    /// Ends the chain.
    pub(super) fn finish(self) -> Result<Whole, Fault> {
        if self.suspect {
            // It may as well be the last one; the earlier is where to look first.
            return fault(self.next.saturating_sub(2), Problem::Changed);
        }
        let last = self.hashes.back().map(|hash| AuditHead {
            seq: self.next - 1,
            hash: hash.clone(),
        });
        let mut head_is_older = false;
        if let Some(head) = &self.head {
            if head.seq >= self.next {
                return fault(self.next, Problem::Cut { head: head.seq });
            }
            let (first, prev) = self
                .first
                .as_ref()
                .map_or((1, &None), |(seq, prev)| (*seq, prev));
            if head.seq.saturating_add(1) == first
                && prev.as_ref().is_some_and(|prev| *prev != head.hash)
            {
                return fault(first, Problem::NotTheHead);
            }
            head_is_older = head.seq.saturating_add(1) < first;
        }
        Ok(Whole {
            first: self.first.map(|(first, _)| first),
            last,
            torn: self.torn,
            ends_torn: self.unconfirmed > 0,
            head_is_older,
        })
    }

    fn follows(&self, prev: &str) -> bool {
        self.hashes.back().is_some_and(|hash| hash == prev)
    }

    /// The hash of a line of before, if it is remembered.
    fn hash_of(&self, line: u64) -> Option<&str> {
        let back = usize::try_from(self.next.checked_sub(line)?).ok()?;
        let index = self.hashes.len().checked_sub(back)?;
        self.hashes.get(index).map(String::as_str)
    }
}

#[cfg(test)]
mod tests;
