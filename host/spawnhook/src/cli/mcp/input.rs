use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// An input that tells of its end at once: whoever serves it first finishes what it has begun.
pub(super) struct Input<R> {
    input: R,
    ended: CancellationToken,
}

impl<R> Input<R> {
    pub(super) fn new(input: R) -> Self {
        let ended = CancellationToken::new();
        Self { input, ended }
    }

    /// Cancelled at the end of the input.
    pub(super) fn ended(&self) -> CancellationToken {
        self.ended.clone()
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Input<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let had_room = buffer.remaining() > 0;
        let read = Pin::new(&mut this.input).poll_read(context, buffer);
        match &read {
            Poll::Ready(Ok(())) if had_room && buffer.filled().len() == before => {
                this.ended.cancel();
            }
            Poll::Ready(Err(_)) => this.ended.cancel(),
            _ => {}
        }
        read
    }
}
