use std::time::{Duration, Instant};

use spawnhook_hooks::ExitFacts;
use spawnhook_model::{Ending, Leftover, Output};

/// What came of the spawn, or of what kept the command from it.
pub(super) struct Ended {
    pub(super) ending: Ending,
    pub(super) facts: ExitFacts,
    pub(super) output: Output,
    pub(super) leftovers: Vec<Leftover>,
}

impl Ended {
    pub(super) fn without_spawn(ending: Ending) -> Self {
        let facts = ExitFacts {
            ending: ending.clone(),
            duration: Duration::ZERO,
            output_bytes: None,
            output_lines: None,
            truncated: false,
            leftover_processes: 0,
        };
        Self {
            ending,
            facts,
            output: Output::default(),
            leftovers: Vec::new(),
        }
    }

    pub(super) fn after_spawn(
        ending: Ending,
        output: Output,
        leftovers: Vec<Leftover>,
        spawned: Instant,
    ) -> Self {
        let facts = ExitFacts {
            ending: ending.clone(),
            duration: spawned.elapsed(),
            output_bytes: Some(output.raw_bytes),
            output_lines: Some(output.lines),
            truncated: output.truncation.is_some(),
            leftover_processes: u32::try_from(leftovers.len()).unwrap_or(u32::MAX),
        };
        Self {
            ending,
            facts,
            output,
            leftovers,
        }
    }

    /// The same if nobody has seen what the command wrote.
    pub(super) fn without_output(mut self) -> Self {
        self.facts.output_bytes = None;
        self.facts.output_lines = None;
        self
    }
}
