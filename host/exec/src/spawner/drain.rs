use std::fs::File;
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// What a pipe holds at most by default, pipe(7).
const BUFFER_BYTES: usize = 64 * 1024;

/// What those write that a command has left: it is read, so that nobody who writes is ended by
/// SIGPIPE, and kept in a file as long as there is one with room.
#[derive(Debug, Default)]
pub(super) struct Drain {
    pipes: Vec<PipeReader>,
    /// None as long as the host has its own part of the output to write.
    to: Option<Destination>,
}

#[derive(Debug)]
struct Destination {
    file: Option<File>,
    room: u64,
}

impl Drain {
    /// Nothing is read before [`Self::open`].
    pub(super) fn of(pipes: Vec<OwnedFd>) -> Self {
        Self {
            pipes: pipes.into_iter().map(PipeReader::from).collect(),
            to: None,
        }
    }

    /// From now on it goes to `file`, at most `room` bytes of it, and the rest to nobody.
    pub(super) fn open(&mut self, file: Option<OwnedFd>, room: u64) {
        self.to.get_or_insert(Destination {
            file: file.map(File::from),
            room,
        });
    }

    /// Those to be read once they are readable.
    pub(super) fn watched(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let opened = self.to.as_ref().map(|_| self.pipes.iter());
        opened.into_iter().flatten().map(AsFd::as_fd)
    }

    /// Reads from every pipe what is there, one piece at most.
    pub(super) fn read(&mut self) {
        let Some(to) = &mut self.to else {
            return;
        };
        let mut buffer = [0; BUFFER_BYTES];
        self.pipes.retain_mut(|pipe| match pipe.read(&mut buffer) {
            Ok(length @ 1..) => {
                to.write(&buffer[..length]);
                true
            }
            Ok(0) => false,
            Err(error) => error.kind() == io::ErrorKind::WouldBlock,
        });
    }
}

impl Destination {
    /// A file that takes no more gets no more.
    fn write(&mut self, bytes: &[u8]) {
        let Some(file) = &mut self.file else {
            return;
        };
        let fits = usize::try_from(self.room)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let written = file.write_all(&bytes[..fits]);
        self.room -= fits as u64;
        if written.is_err() || self.room == 0 {
            self.file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::sys::pipe::pipe;

    #[test]
    fn bytes_wait_for_the_file_and_end_with_its_room() {
        let (reader, mut writer) = pipe().unwrap();
        let mut drain = Drain::of(vec![reader.into()]);
        writer.write_all(b"abc").unwrap();
        drain.read();
        assert_eq!(drain.watched().count(), 0);

        let file = tempfile::NamedTempFile::new().unwrap();
        let written = || std::fs::read_to_string(file.path()).unwrap();
        drain.open(Some(file.reopen().unwrap().into()), 4);
        assert_eq!(drain.watched().count(), 1);
        drain.read();
        assert_eq!(written(), "abc");
        writer.write_all(b"def").unwrap();
        drain.read();
        drain.read();
        assert_eq!(written(), "abcd");

        drop(writer);
        // A child that another test forks has the writing end too, until it runs its program.
        let started = Instant::now();
        while drain.watched().count() > 0 {
            assert!(started.elapsed() < Duration::from_secs(60));
            drain.read();
        }
    }

    #[test]
    fn without_a_file_bytes_are_read_all_the_same() {
        let (reader, mut writer) = pipe().unwrap();
        let mut drain = Drain::of(vec![reader.into()]);
        drain.open(None, 0);
        let longer_than_the_pipe = vec![b'x'; 100_000];
        for _ in 0..30 {
            writer.write_all(&longer_than_the_pipe).unwrap();
            drain.read();
            drain.read();
        }
    }
}
