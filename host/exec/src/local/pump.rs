use std::io::{self, PipeReader, Read};
use std::os::fd::{AsFd, BorrowedFd};

use tokio::io::unix::AsyncFd;
use tokio::sync::mpsc::Sender;

use crate::sys::watch::watch;

/// What a pipe holds at most by default, pipe(7).
const CHUNK_BYTES: usize = 64 * 1024;

/// Moves the output from the command's pipe to the caller's channel, one chunk at a time.
#[derive(Debug)]
pub(super) struct Pump {
    pipe: AsyncFd<PipeReader>,
    output: Sender<Vec<u8>>,
    /// A chunk that the caller has not taken yet.
    pending: Option<Vec<u8>>,
    buffer: Box<[u8]>,
}

/// What came of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pumped {
    Output,
    EndOfFile,
    /// There is nothing to read just now.
    Nothing,
}

impl Pump {
    pub(super) fn new(pipe: PipeReader, output: Sender<Vec<u8>>) -> io::Result<Self> {
        Ok(Self {
            pipe: watch(pipe)?,
            output,
            pending: None,
            buffer: vec![0; CHUNK_BYTES].into_boxed_slice(),
        })
    }

    /// Hands on what was read before, and then reads. No byte is lost if the future is dropped.
    pub(super) async fn next(&mut self) -> Pumped {
        loop {
            if self.pending.is_some()
                && let Ok(permit) = self.output.reserve().await
            {
                permit.send(self.pending.take().unwrap_or_default());
            }
            self.pending = None;
            let Ok(mut ready) = self.pipe.readable().await else {
                return Pumped::EndOfFile;
            };
            let pumped = read(self.pipe.get_ref(), &mut self.buffer, &mut self.pending);
            if pumped != Pumped::Nothing {
                return pumped;
            }
            ready.clear_ready();
        }
    }

    /// Reads what is there already, however busy this process was when it came.
    pub(super) fn read_now(&mut self) -> Pumped {
        if self.pending.is_some() {
            return Pumped::Output;
        }
        read(self.pipe.get_ref(), &mut self.buffer, &mut self.pending)
    }

    /// The reading end of the pipe.
    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.pipe.get_ref().as_fd()
    }

    /// Whether something was read that the caller has not taken.
    pub(super) fn is_blocked(&self) -> bool {
        self.pending.is_some()
    }
}

/// A pipe that cannot be read is as good as one that has ended.
fn read(mut pipe: &PipeReader, buffer: &mut [u8], pending: &mut Option<Vec<u8>>) -> Pumped {
    loop {
        match pipe.read(buffer) {
            Ok(0) => return Pumped::EndOfFile,
            Ok(length) => {
                *pending = Some(buffer[..length].to_vec());
                return Pumped::Output;
            }
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted => {}
                io::ErrorKind::WouldBlock => return Pumped::Nothing,
                _ => return Pumped::EndOfFile,
            },
        }
    }
}
