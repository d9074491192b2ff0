use spawnhook_model::{Output, OutputLimits, Stream, Streams};

use super::cleaner::{Cleaner, Sink, Text};
use super::spill::{OpenFile, Spill, SpillOptions};
use super::tail::TailBuffer;

/// Collects what one command writes. Memory is bounded by the limits, whatever the volume: about
/// five times the limit of bytes, three times that if the streams are kept apart.
#[derive(Debug)]
pub struct Collector {
    limits: OutputLimits,
    /// A character that was begun on one stream is not ended on another.
    merged: Cleaner,
    stdout: Cleaner,
    stderr: Cleaner,
    tail: TailBuffer,
    apart: Option<Apart>,
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

/// Each stream by itself.
#[derive(Debug)]
struct Apart {
    stdout: TailBuffer,
    stderr: TailBuffer,
}

impl Collector {
    /// A collector at the start of an output. Once there is more of it than the limits allow, raw
    /// or cleaned, a file with every byte is kept as `spill` says, or none.
    pub fn new(limits: OutputLimits, spill: Option<SpillOptions>) -> Self {
        Self {
            limits,
            merged: Cleaner::new(),
            stdout: Cleaner::new(),
            stderr: Cleaner::new(),
            tail: TailBuffer::new(limits),
            apart: None,
            raw_bytes: 0,
            full: spill.map_or(Full::Unwanted, |options| Full::Held(Vec::new(), options)),
        }
    }

    /// The same at the start of an output, with another policy than [`Text::Clean`] for its text.
    /// The file has the bytes as they were written in any case.
    #[must_use]
    pub fn with_policy(mut self, policy: Text) -> Self {
        self.merged = Cleaner::with_policy(policy);
        self.stdout = Cleaner::with_policy(policy);
        self.stderr = Cleaner::with_policy(policy);
        self
    }

    /// The same at the start of an output, and besides the text as it came each stream's own is
    /// kept.
    #[must_use]
    pub fn with_streams_apart(mut self) -> Self {
        self.apart = Some(Apart {
            stdout: TailBuffer::new(self.limits),
            stderr: TailBuffer::new(self.limits),
        });
        self
    }

    /// Takes the next bytes, wherever they are split. Writes to the file, if one is kept, at once.
    pub fn write(&mut self, stream: Stream, bytes: &[u8]) {
        self.raw_bytes += bytes.len() as u64;
        self.with_sink(stream, |cleaner, sink| cleaner.write(bytes, sink));
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
            streams: self.apart.as_ref().map(|apart| Streams {
                stdout: apart.stdout.tail(),
                stderr: apart.stderr.tail(),
            }),
        }
    }

    /// Has a file of everything, if one is wanted, however little there is, for those who go on
    /// writing: what follows is theirs to write, and this collector takes no more.
    pub fn hand_over(&mut self) -> Option<OpenFile> {
        if let Full::Held(held, options) = &self.full {
            let mut spill = Spill::create(options);
            spill.write(held);
            self.full = Full::Spilled(spill);
        }
        match &mut self.full {
            Full::Spilled(spill) => spill.hand_over(),
            Full::Unwanted | Full::Held(..) => None,
        }
    }

    /// The whole, the file being complete, and what its reader should know besides, one sentence
    /// each.
    pub fn finish(mut self) -> (Output, Vec<String>) {
        for stream in [Stream::Merged, Stream::Stdout, Stream::Stderr] {
            self.with_sink(stream, |cleaner, sink| cleaner.end(sink));
        }
        self.keep(&[]);
        let notice = match &self.full {
            Full::Spilled(spill) => spill.notice().map(ToOwned::to_owned),
            Full::Unwanted | Full::Held(..) => None,
        };
        (self.snapshot(), notice.into_iter().collect())
    }

    fn with_sink(&mut self, stream: Stream, work: impl FnOnce(&mut Cleaner, &mut Tails<'_>)) {
        let cleaner = match stream {
            Stream::Merged => &mut self.merged,
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let own = match (&mut self.apart, stream) {
            (None, _) | (_, Stream::Merged) => None,
            (Some(apart), Stream::Stdout) => Some(&mut apart.stdout),
            (Some(apart), Stream::Stderr) => Some(&mut apart.stderr),
        };
        let all = &mut self.tail;
        work(cleaner, &mut Tails { all, own });
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

/// Where a stream's text goes.
struct Tails<'a> {
    all: &'a mut TailBuffer,
    own: Option<&'a mut TailBuffer>,
}

impl Sink for Tails<'_> {
    fn text(&mut self, text: &str) {
        self.all.text(text);
        if let Some(own) = &mut self.own {
            own.text(text);
        }
    }

    fn restart_line(&mut self) {
        self.all.restart_line();
        if let Some(own) = &mut self.own {
            own.restart_line();
        }
    }
}

#[cfg(test)]
mod tests;
