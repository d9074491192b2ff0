//! The proof that a log is whole.

use std::path::PathBuf;

use spawnhook_model::AuditHead;

use super::chain::{Chain, Fault, Link, Whole};
use super::command::{Command, Commands};
use super::entry::Entry;
use super::files::{LogFiles, ReadError};

/// How many commands without an end are told by name.
const NAMED: usize = 100;

/// What was found of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The files that were read, oldest first.
    pub files: Vec<PathBuf>,
    /// How many lines were read; all of them if the log is whole.
    pub lines: u64,
    /// What the log is worth.
    pub proof: Proof,
    /// Commands that have a record of their spawn, and none of their exit: they still run, or
    /// their host was killed. Of many only the first are here.
    pub unended: Vec<Command>,
    /// How many of those there are.
    pub unended_count: u64,
}

/// What a log is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It is as it was written.
    Whole {
        /// The number of the first record; above 1 where old files were removed. None of an empty
        /// log.
        first: Option<u64>,
        /// Number and hash of the last line, to be kept elsewhere; none of an empty log.
        head: Option<AuditHead>,
        /// How many lines were torn by a crash.
        torn: u64,
        /// Whether the last line is one of them.
        ends_torn: bool,
    },
    /// It isn't.
    Tampered {
        /// What is wrong first.
        fault: Fault,
        /// The file of that line.
        file: PathBuf,
        /// Its number in the file, counted from 1.
        line_in_file: u64,
    },
}

/// A log that nothing can be said of.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The records that the head would be among were removed.
    #[error(
        "the head is record {head}, and the log begins with record {first}, since older files were \
         removed; give a later head"
    )]
    OldHead {
        /// The number of the head.
        head: u64,
        /// That of the first record.
        first: u64,
    },
}

/// A text that is no head of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected SEQ:HASH, the `audit.seq` and `audit.hash` of a result, the hash in 64 hex digits"
)]
pub struct HeadError;

/// Reads `SEQ:HASH`.
///
/// # Errors
///
/// If it is of another form.
pub fn parse_head(text: &str) -> Result<AuditHead, HeadError> {
    let (seq, hash) = text.split_once(':').ok_or(HeadError)?;
    let seq = seq.parse().ok().filter(|seq| *seq > 0).ok_or(HeadError)?;
    let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = hash.to_ascii_lowercase();
    is_hash.then_some(AuditHead { seq, hash }).ok_or(HeadError)
}

/// Reads a log to its end or to the first fault, in memory that doesn't grow with it.
///
/// # Errors
///
/// If it cannot be read, or the head is one of records that were removed.
pub fn verify(files: LogFiles, head: Option<&AuditHead>) -> Result<Verdict, VerifyError> {
    let paths = files.paths();
    let chain = Chain::new(head.cloned(), files.oldest()?);
    let mut check = Check {
        chain,
        starts: Vec::new(),
        commands: Commands::default(),
        lines: 0,
        unended: Vec::new(),
        unended_count: 0,
    };
    let found = check.read(files)?;
    let whole = match found {
        Ok(()) => std::mem::replace(&mut check.chain, Chain::new(None, None)).finish(),
        Err(fault) => Err(fault),
    };
    let proof = match whole {
        Ok(whole) => proven(whole, head)?,
        Err(fault) => check.located(fault, &paths),
    };
    Ok(check.verdict(paths, proof))
}

fn proven(whole: Whole, head: Option<&AuditHead>) -> Result<Proof, VerifyError> {
    if let (true, Some(head), Some(first)) = (whole.head_is_older, head, whole.first) {
        let head = head.seq;
        return Err(VerifyError::OldHead { head, first });
    }
    Ok(Proof::Whole {
        first: whole.first,
        head: whole.last,
        torn: whole.torn,
        ends_torn: whole.ends_torn,
    })
}

struct Check {
    chain: Chain,
    /// The number of the first line of each file.
    starts: Vec<u64>,
    commands: Commands,
    lines: u64,
    unended: Vec<Command>,
    unended_count: u64,
}

impl Check {
    fn read(&mut self, files: LogFiles) -> Result<Result<(), Fault>, ReadError> {
        for line in files.lines() {
            let line = line?;
            let entry = Entry::parse(&line.text);
            let before = self.chain.next();
            let pushed = self.chain.push(Link {
                text: &line.text,
                hash: &line.hash,
                record: entry.as_ref().map(|entry| (entry.seq, entry.prev.as_str())),
            });
            self.lines += 1;
            // The first line alone may turn out to have another number than was expected.
            let number = match pushed {
                Ok(()) => self.chain.next() - 1,
                Err(_) => before,
            };
            self.starts.resize(line.file + 1, number);
            if let Err(fault) = pushed {
                return Ok(Err(fault));
            }
            let ended = entry.and_then(|entry| self.commands.push(entry));
            self.count(ended);
        }
        Ok(Ok(()))
    }

    fn count(&mut self, command: Option<Command>) {
        let Some(command) = command.filter(|command| command.ended.is_none()) else {
            return;
        };
        self.unended_count += 1;
        if self.unended.len() < NAMED {
            self.unended.push(command);
        }
    }

    fn located(&self, fault: Fault, files: &[PathBuf]) -> Proof {
        let begun = self.starts.iter().rposition(|start| *start <= fault.line);
        let file = begun.unwrap_or_default();
        let start = self.starts.get(file).copied().unwrap_or(1);
        Proof::Tampered {
            file: files[file].clone(),
            line_in_file: fault.line.saturating_sub(start).saturating_add(1),
            fault,
        }
    }

    fn verdict(mut self, files: Vec<PathBuf>, proof: Proof) -> Verdict {
        // Behind a fault stands what could end them.
        let is_whole = matches!(proof, Proof::Whole { .. });
        for command in std::mem::take(&mut self.commands).finish() {
            self.count(Some(command).filter(|_| is_whole));
        }
        Verdict {
            files,
            lines: self.lines,
            proof,
            unended: self.unended,
            unended_count: self.unended_count,
        }
    }
}

#[cfg(test)]
mod tests;
