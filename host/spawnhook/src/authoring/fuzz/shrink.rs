use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use super::FuzzError;
use super::case::{Case, CaseSettings};
use super::report::Finding;
use super::worker::{Found, MARGIN, Tried, Worker, is_of_time};
use crate::authoring::Violation;

/// How long a case is made smaller: a reader waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes a case smaller as long as the same invariant does not hold for it.
struct Shrinker<'a> {
    worker: &'a Worker<'a>,
    started: Instant,
    times: u32,
    best: Case,
    violation: Violation,
}

pub(super) fn shrink(worker: &Worker<'_>, found: Found) -> Result<Finding, FuzzError> {
    let mut shrinker = Shrinker {
        worker,
        started: Instant::now(),
        times: if is_of_time(&found.violation) {
            MARGIN
        } else {
            1
        },
        best: found.case,
        violation: found.violation,
    };
    shrinker.simplify()?;
    Ok(Finding {
        number: found.number,
        case: shrinker.best,
        violation: shrinker.violation,
    })
}

impl Shrinker<'_> {
    fn simplify(&mut self) -> Result<(), FuzzError> {
        self.settings()?;
        self.variables()?;
        let cwd = Case {
            cwd: "/project".into(),
            ..self.best.clone()
        };
        if self.best.cwd != Path::new("/project") {
            self.take(cwd)?;
        }
        self.command()
    }

    /// Takes `case` if the same thing is wrong with it.
    fn take(&mut self, case: Case) -> Result<bool, FuzzError> {
        if self.is_over() {
            return Ok(false);
        }
        match self.worker.attempt(&case, self.times)? {
            Tried::Violated(violation)
                if violation.invariant == self.violation.invariant
                    && violation.class == self.violation.class =>
            {
                // What the longer limit says of itself is not what the real one says.
                if self.times == 1 {
                    self.violation = violation;
                }
                self.best = case;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn is_over(&self) -> bool {
        self.started.elapsed() > PATIENCE
    }

    /// The author's own settings tell more than made-up ones.
    fn settings(&mut self) -> Result<(), FuzzError> {
        let kept = match &self.best.settings {
            CaseSettings::Authored(index) => *index,
            CaseSettings::MadeUp(_) => self.worker.settings().len(),
        };
        for index in 0..kept {
            let case = Case {
                settings: CaseSettings::Authored(index),
                ..self.best.clone()
            };
            if self.take(case)? {
                break;
            }
        }
        Ok(())
    }

    /// Without all variables, or else without each that does not matter.
    fn variables(&mut self) -> Result<(), FuzzError> {
        let without = Case {
            env: BTreeMap::new(),
            ..self.best.clone()
        };
        if self.best.env.is_empty() || self.take(without)? {
            return Ok(());
        }
        for name in self.best.env.clone().into_keys() {
            let mut case = self.best.clone();
            case.env.remove(&name);
            self.take(case)?;
        }
        Ok(())
    }

    /// Leaves out parts of the command, at first the halves, in the end single characters.
    fn command(&mut self) -> Result<(), FuzzError> {
        let mut size = self.best.command.chars().count();
        while size > 0 && !self.is_over() {
            let shorter = self.without_parts(size)?;
            // What became shorter may have become so at a place that was tried before.
            if !shorter || size > 1 {
                size /= 2;
            }
        }
        Ok(())
    }

    /// Leaves out every part of `size` characters that does not matter; whether there was one.
    fn without_parts(&mut self, size: usize) -> Result<bool, FuzzError> {
        let mut shorter = false;
        let mut start = 0;
        loop {
            let text: Vec<char> = self.best.command.chars().collect();
            if start >= text.len() || self.is_over() {
                return Ok(shorter);
            }
            let end = (start + size).min(text.len());
            let case = Case {
                command: text[..start].iter().chain(&text[end..]).collect(),
                ..self.best.clone()
            };
            if self.take(case)? {
                shorter = true;
            } else {
                start = end;
            }
        }
    }
}
