use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

use crate::log::{Log, Writer};

/// What a guest may write before it asks again: the size that WASI's own streams allow.
const PERMIT: usize = 64 << 10;

/// A guest's standard output or error, which ends in its log. Takes everything at once, and fails
/// never: a hook must not stop at a message.
#[derive(Clone)]
pub(super) struct LogStream {
    writer: Writer,
    log: Arc<Mutex<Log>>,
}

impl LogStream {
    pub(super) fn new(writer: Writer, log: &Arc<Mutex<Log>>) -> Self {
        Self {
            writer,
            log: Arc::clone(log),
        }
    }
}

impl IsTerminal for LogStream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for LogStream {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    /// Only the interfaces of WASI 0.3 ask for this one, and they are not offered.
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }
}

impl OutputStream for LogStream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .stream(self.writer, &bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(PERMIT)
    }
}

#[async_trait]
impl Pollable for LogStream {
    async fn ready(&mut self) {}
}
