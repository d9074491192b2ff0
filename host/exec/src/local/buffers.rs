use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use spawnhook_model::{Chunk, Stream};

/// The most bytes of a chunk: a quarter of the pipe, so that reader and writer work side by side.
pub(super) const CHUNK_BYTES: usize = 256 * 1024;
/// What is smaller is copied, so that it holds no whole buffer for as long as it is held.
const COPIED_BYTES: usize = 16 * 1024;
/// The most buffers that wait for their next use: as many as a caller's channel may well hold.
const SPARES: usize = 8;

/// Buffers that wait for their next use, whichever command's it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Spares(Arc<Mutex<Vec<Buffer>>>);

type Buffer = Box<[u8]>;

impl Spares {
    fn take(&self) -> Buffer {
        let spare = self.lock().pop();
        spare.unwrap_or_else(|| vec![0; CHUNK_BYTES].into_boxed_slice())
    }

    fn give_back(&self, buffer: Buffer) {
        let mut spares = self.lock();
        if spares.len() < SPARES {
            spares.push(buffer);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Buffer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The buffers of one command. They come back once nobody reads them any more: fresh memory costs
/// more than a copy.
#[derive(Debug)]
pub(super) struct Buffers {
    current: Option<Buffer>,
    spares: Spares,
}

impl Buffers {
    pub(super) fn new(spares: Spares) -> Self {
        Self {
            current: None,
            spares,
        }
    }

    /// Where the next bytes may be read to.
    pub(super) fn space(&mut self) -> &mut [u8] {
        self.current.get_or_insert_with(|| self.spares.take())
    }

    /// The first bytes of [`Self::space`] as a chunk.
    pub(super) fn filled(&mut self, stream: Stream, length: usize) -> Chunk {
        if length < COPIED_BYTES {
            return Chunk::new(stream, self.space()[..length].to_vec());
        }
        let filled = Filled {
            buffer: self.current.take().unwrap_or_else(|| self.spares.take()),
            length,
            spares: self.spares.clone(),
        };
        Chunk::new(stream, filled)
    }
}

impl Drop for Buffers {
    fn drop(&mut self) {
        if let Some(buffer) = self.current.take() {
            self.spares.give_back(buffer);
        }
    }
}

/// A buffer on its way through its readers.
struct Filled {
    buffer: Buffer,
    length: usize,
    spares: Spares,
}

impl AsRef<[u8]> for Filled {
    fn as_ref(&self) -> &[u8] {
        &self.buffer[..self.length]
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        self.spares.give_back(std::mem::take(&mut self.buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_comes_back_when_its_last_reader_is_gone() {
        let mut buffers = Buffers::new(Spares::default());
        buffers.space()[..2].copy_from_slice(b"ab");
        let chunk = buffers.filled(Stream::Merged, CHUNK_BYTES);
        let reader = chunk.clone();
        drop(chunk);
        assert_eq!(buffers.spares.lock().len(), 0);
        assert_eq!(buffers.space().len(), CHUNK_BYTES);
        assert_eq!((reader.len(), &reader[..2]), (CHUNK_BYTES, &b"ab"[..]));
        drop(reader);
        assert_eq!(buffers.spares.lock().len(), 1);
        let spares = buffers.spares.clone();
        drop(buffers);
        assert_eq!(spares.lock().len(), 2);
    }

    #[test]
    fn few_bytes_hold_no_buffer() {
        let mut buffers = Buffers::new(Spares::default());
        buffers.space()[..2].copy_from_slice(b"ab");
        let chunk = buffers.filled(Stream::Stderr, 2);
        buffers.space()[..2].copy_from_slice(b"cd");
        assert_eq!((&chunk[..], chunk.stream()), (&b"ab"[..], Stream::Stderr));
    }
}
