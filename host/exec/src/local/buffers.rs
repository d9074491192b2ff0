use std::sync::{Arc, Mutex, PoisonError};

use spawnhook_model::{Chunk, Stream};

/// The most bytes of a chunk: a quarter of the pipe, so that reader and writer work side by side.
pub(super) const CHUNK_BYTES: usize = 256 * 1024;
/// What is smaller is copied, so that it holds no whole buffer for as long as it is held.
const COPIED_BYTES: usize = 16 * 1024;
/// The most buffers that wait for their next use: as many as a caller's channel may well hold.
const SPARES: usize = 8;

/// Buffers that come back once nobody reads them any more: fresh memory costs more than a copy.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    current: Option<Buffer>,
    spares: Arc<Mutex<Vec<Buffer>>>,
}

type Buffer = Box<[u8]>;

impl Buffers {
    /// Where the next bytes may be read to.
    pub(super) fn space(&mut self) -> &mut [u8] {
        let spares = &self.spares;
        self.current.get_or_insert_with(|| {
            let spare = spares.lock().unwrap_or_else(PoisonError::into_inner).pop();
            spare.unwrap_or_else(|| vec![0; CHUNK_BYTES].into_boxed_slice())
        })
    }

    /// The first bytes of [`Self::space`] as a chunk.
    pub(super) fn filled(&mut self, stream: Stream, length: usize) -> Chunk {
        if length < COPIED_BYTES {
            return Chunk::new(stream, self.space()[..length].to_vec());
        }
        self.space();
        Chunk::new(
            stream,
            Filled {
                buffer: self.current.take().unwrap_or_default(),
                length,
                spares: self.spares.clone(),
            },
        )
    }
}

/// A buffer on its way through its readers.
struct Filled {
    buffer: Buffer,
    length: usize,
    spares: Arc<Mutex<Vec<Buffer>>>,
}

impl AsRef<[u8]> for Filled {
    fn as_ref(&self) -> &[u8] {
        &self.buffer[..self.length]
    }
}

impl Drop for Filled {
    fn drop(&mut self) {
        let mut spares = self.spares.lock().unwrap_or_else(PoisonError::into_inner);
        if spares.len() < SPARES {
            spares.push(std::mem::take(&mut self.buffer));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_comes_back_when_its_last_reader_is_gone() {
        let mut buffers = Buffers::default();
        buffers.space()[..2].copy_from_slice(b"ab");
        let chunk = buffers.filled(Stream::Merged, CHUNK_BYTES);
        let reader = chunk.clone();
        drop(chunk);
        assert_eq!(buffers.spares.lock().unwrap().len(), 0);
        assert_eq!(buffers.space().len(), CHUNK_BYTES);
        assert_eq!((reader.len(), &reader[..2]), (CHUNK_BYTES, &b"ab"[..]));
        drop(reader);
        assert_eq!(buffers.spares.lock().unwrap().len(), 1);
    }

    #[test]
    fn few_bytes_hold_no_buffer() {
        let mut buffers = Buffers::default();
        buffers.space()[..2].copy_from_slice(b"ab");
        let chunk = buffers.filled(Stream::Stderr, 2);
        buffers.space()[..2].copy_from_slice(b"cd");
        assert_eq!((&chunk[..], chunk.stream()), (&b"ab"[..], Stream::Stderr));
    }
}
