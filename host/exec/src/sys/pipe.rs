use std::io::{self, PipeReader, PipeWriter};

use nix::fcntl::{FcntlArg, OFlag, fcntl};

/// What a process without privileges may have by default, pipe(7), /proc/sys/fs/pipe-max-size. At
/// the usual 64 KiB a command that writes much and its reader wait for each other all the time.
const CAPACITY: i32 = 1 << 20;

/// A pipe whose reading end never blocks, and whose writing end does, as programs expect. Both
/// ends stay out of children.
pub(crate) fn pipe() -> io::Result<(PipeReader, PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    fcntl(&reader, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    // A user with very many pipes is refused, and has smaller ones.
    let _smaller = fcntl(&reader, FcntlArg::F_SETPIPE_SZ(CAPACITY));
    Ok((reader, writer))
}
