use std::future::poll_fn;
use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::task::{Context, Poll};

use spawnhook_model::{Chunk, Stream};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc::Sender;

use super::buffers::{Buffers, Spares};
use crate::sys::watch::watch;

/// Moves the output from the command's pipes to the caller's channel, one chunk at a time.
#[derive(Debug)]
pub(super) struct Pump {
    /// Those that have not ended; the one that was read last comes last.
    pipes: Vec<(Stream, Pipe)>,
    output: Sender<Chunk>,
    /// A chunk that the caller has not taken yet.
    pending: Option<Chunk>,
    buffers: Buffers,
}

type Pipe = AsyncFd<PipeReader>;

/// What came of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pumped {
    Output,
    /// Every pipe has ended.
    EndOfFile,
    /// There is nothing to read just now.
    Nothing,
}

impl Pump {
    pub(super) fn new(
        pipes: Vec<(Stream, PipeReader)>,
        output: Sender<Chunk>,
        spares: Spares,
    ) -> io::Result<Self> {
        let watched = pipes
            .into_iter()
            .map(|(stream, pipe)| Ok((stream, watch(pipe)?)));
        Ok(Self {
            pipes: watched.collect::<io::Result<_>>()?,
            output,
            pending: None,
            buffers: Buffers::new(spares),
        })
    }

    /// Hands on what was read before, and then reads. No byte is lost if the future is dropped.
    pub(super) async fn next(&mut self) -> Pumped {
        if self.pending.is_some()
            && let Ok(permit) = self.output.reserve().await
            && let Some(chunk) = self.pending.take()
        {
            permit.send(chunk);
        }
        // A caller that is gone takes nothing.
        self.pending = None;
        poll_fn(|context| self.poll_read(context)).await
    }

    fn poll_read(&mut self, context: &mut Context<'_>) -> Poll<Pumped> {
        loop {
            // An error is found by reading.
            let is_ready = |pipe: &Pipe| pipe.poll_read_ready(context).is_ready();
            let Some(at) = self.pipes.iter().map(|(_, pipe)| pipe).position(is_ready) else {
                return match self.pipes.is_empty() {
                    true => Poll::Ready(Pumped::EndOfFile),
                    false => Poll::Pending,
                };
            };
            let read = |pipe: &Pipe, space: &mut [u8]| {
                pipe.try_io(Interest::READABLE, |mut pipe| pipe.read(space))
            };
            if let Some(pumped) = self.read(at, read) {
                return Poll::Ready(pumped);
            }
        }
    }

    /// Reads what is there already, however busy this process was when it came.
    pub(super) fn read_now(&mut self) -> Pumped {
        if self.pending.is_some() {
            return Pumped::Output;
        }
        for at in (0..self.pipes.len()).rev() {
            let read = |pipe: &Pipe, space: &mut [u8]| pipe.get_ref().read(space);
            if let Some(pumped) = self.read(at, read) {
                return pumped;
            }
        }
        Pumped::Nothing
    }

    /// Reads from one pipe, which then comes after the others; none if nothing was there. One that
    /// cannot be read is as good as one that has ended.
    fn read(
        &mut self,
        at: usize,
        read: impl FnOnce(&Pipe, &mut [u8]) -> io::Result<usize>,
    ) -> Option<Pumped> {
        let (stream, pipe) = &self.pipes[at];
        let result = read(pipe, self.buffers.space());
        match result.map_err(|error| error.kind()) {
            Ok(length @ 1..) => {
                self.pending = Some(self.buffers.filled(*stream, length));
                self.pipes[at..].rotate_left(1);
                Some(Pumped::Output)
            }
            Err(io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => None,
            Ok(_) | Err(_) => {
                drop(self.pipes.remove(at));
                self.pipes.is_empty().then_some(Pumped::EndOfFile)
            }
        }
    }

    /// The reading ends of the pipes that have not ended.
    pub(super) fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.pipes
            .iter()
            .map(|(_, pipe)| pipe.get_ref().as_fd())
            .collect()
    }

    /// Whether something was read that the caller has not taken.
    pub(super) fn is_blocked(&self) -> bool {
        self.pending.is_some()
    }
}
