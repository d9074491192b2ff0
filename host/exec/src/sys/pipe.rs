use std::io::{self, PipeReader, PipeWriter};

use nix::fcntl::{FcntlArg, OFlag, fcntl};

/// A pipe whose reading end never blocks, and whose writing end does, as programs expect. Both
/// ends stay out of children.
pub(crate) fn pipe() -> io::Result<(PipeReader, PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    fcntl(&reader, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok((reader, writer))
}
