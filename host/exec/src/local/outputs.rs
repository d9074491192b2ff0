use std::io::{self, PipeReader};
use std::os::fd::{AsFd, OwnedFd};

use spawnhook_model::Stream;

use crate::Streams;
use crate::sys::pipe::pipe;

/// The outputs that are read here.
pub(super) type Readers = Vec<(Stream, PipeReader)>;

/// Where the output goes and, if it goes elsewhere, the standard error.
pub(super) type Writers = (OwnedFd, Option<OwnedFd>);

/// What the command is to write to, and what of it is read here.
pub(super) fn outputs(streams: Streams) -> io::Result<(Readers, Writers)> {
    if streams == Streams::Inherit {
        let output = io::stdout().as_fd().try_clone_to_owned()?;
        let errors = io::stderr().as_fd().try_clone_to_owned()?;
        return Ok((Vec::new(), (output, Some(errors))));
    }
    let (output, to_output) = pipe()?;
    if streams == Streams::Merged {
        return Ok((vec![(Stream::Merged, output)], (to_output.into(), None)));
    }
    let (errors, to_errors) = pipe()?;
    let readers = vec![(Stream::Stdout, output), (Stream::Stderr, errors)];
    Ok((readers, (to_output.into(), Some(to_errors.into()))))
}
