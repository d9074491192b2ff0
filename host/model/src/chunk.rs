use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Which of a command's streams bytes were written to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// Both, through one pipe, which keeps their order.
    #[default]
    Merged,
    /// The standard output.
    Stdout,
    /// The standard error.
    Stderr,
}

impl Stream {
    /// The name that events use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Merged => "merged",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}

/// Bytes as a command wrote them; a character may be split over two chunks. Clones share them.
#[derive(Clone)]
pub struct Chunk {
    stream: Stream,
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
}

impl Chunk {
    /// Bytes that were written to `stream`.
    pub fn new(stream: Stream, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self {
            stream,
            bytes: Arc::new(bytes),
        }
    }

    /// Where they were written to.
    pub fn stream(&self) -> Stream {
        self.stream
    }
}

impl Deref for Chunk {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk")
            .field("stream", &self.stream)
            .field("bytes", &self.len())
            .finish()
    }
}
