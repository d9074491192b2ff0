use spawnhook_model::{Output, OutputLimits};

use super::cleaner::{Cleaner, Text};
use super::spill::{Spill, SpillOptions};
use super::tail::TailBuffer;

/// Collects what one command writes. Memory is bounded by the limits, whatever the volume: about
/// five times the limit of bytes.
#[derive(Debug)]
pub struct Collector {
    limits: OutputLimits,
    cleaner: Cleaner,
    tail: TailBuffer,
    raw_bytes: u64,
    full: Full,
}

/// The bytes as they were written.
#[derive(Debug)]
enum Full {
    /// Nobody wants them.
    Unwanted,
    /// All of them so far, fewer than the limit.
    Held(Vec<u8>, SpillOptions),
    Spilled(Spill),
}

impl Collector {
    /// A collector at the start of an output. Once there is more of it than the limits allow, raw
    /// or cleaned, a file with every byte is kept as `spill` says, or none.
    pub fn new(limits: OutputLimits, spill: Option<SpillOptions>) -> Self {
        Self {
            limits,
            cleaner: Cleaner::new(),
            tail: TailBuffer::new(limits),
            raw_bytes: 0,
            full: spill.map_or(Full::Unwanted, |options| Full::Held(Vec::new(), options)),
        }
    }

    /// The same at the start of an output, with another policy than [`Text::Clean`] for its text.
    /// The file has the bytes as they were written in any case.
    #[must_use]
    pub fn with_policy(mut self, policy: Text) -> Self {
        self.cleaner = Cleaner::with_policy(policy);
        self
    }

    /// Takes the next bytes, wherever they are split. Writes to the file, if one is kept, at once.
    pub fn write(&mut self, bytes: &[u8]) {
        self.raw_bytes += bytes.len() as u64;
        self.cleaner.write(bytes, &mut self.tail);
        self.keep(bytes);
    }

    /// What there is so far; an unfinished character at its end is left out.
    pub fn snapshot(&self) -> Output {
        let tail = self.tail.tail();
        Output {
            text: tail.text,
            truncation: tail.truncation,
            full_output: match &self.full {
                Full::Spilled(spill) => spill.path().map(ToOwned::to_owned),
                Full::Unwanted | Full::Held(..) => None,
            },
            raw_bytes: self.raw_bytes,
            lines: tail.lines,
        }
    }

    /// The whole, the file being complete, and what its reader should know besides, one sentence
    /// each.
    pub fn finish(mut self) -> (Output, Vec<String>) {
        self.cleaner.end(&mut self.tail);
        self.keep(&[]);
        let notice = match &self.full {
            Full::Spilled(spill) => spill.notice().map(ToOwned::to_owned),
            Full::Unwanted | Full::Held(..) => None,
        };
        (self.snapshot(), notice.into_iter().collect())
    }

    fn keep(&mut self, bytes: &[u8]) {
        let is_over = self.raw_bytes > self.limits.max_bytes as u64 || self.tail.is_over();
        match &mut self.full {
            Full::Unwanted => {}
            Full::Spilled(spill) => spill.write(bytes),
            Full::Held(held, _) if !is_over => held.extend_from_slice(bytes),
            Full::Held(held, options) => {
                let mut spill = Spill::create(options);
                spill.write(held);
                spill.write(bytes);
                self.full = Full::Spilled(spill);
            }
        }
    }
}

#[cfg(test)]
mod tests;
