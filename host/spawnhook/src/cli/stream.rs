//! What is printed. A reader that has gone is no error: whoever calls learns it from the result.

use std::io::{self, Write as _};

use serde::Serialize;
use spawnhook::wire::ResultObject;
use spawnhook_exec::visible;
use spawnhook_model::{Chunk, Stream};

/// What a run prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The command's output, and a line on stderr where there is something to say.
    Text,
    /// One object.
    Object,
    /// JSON Lines.
    Events,
}

#[derive(Serialize)]
struct Finished<'a> {
    event: &'static str,
    result: &'a ResultObject,
}

/// One line of ours on stderr, whatever is in the text.
pub(crate) fn say(text: &str) {
    let lines = text.trim_end().split('\n').map(visible);
    let lines: Vec<_> = lines.collect();
    to_stderr(&format!("spawnhook: {}\n", lines.join("\n           ")));
}

pub(crate) fn to_stderr(text: &str) {
    drop(write_stderr(text.as_bytes()));
}

pub(crate) fn to_stdout(text: &str) {
    drop(write_stdout(text.as_bytes()));
}

/// Writes and flushes; an error means that nobody reads any more.
pub(crate) fn write_stdout(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// An error means that nobody reads any more.
pub(crate) fn write_stderr(bytes: &[u8]) -> io::Result<()> {
    io::stderr().write_all(bytes)
}

/// Passes on what a command wrote to where it was written.
pub(crate) fn write(chunk: &Chunk) -> io::Result<()> {
    match chunk.stream() {
        Stream::Merged | Stream::Stdout => write_stdout(chunk),
        Stream::Stderr => write_stderr(chunk),
    }
}

pub(crate) fn object(object: &ResultObject) {
    drop(json_line(object));
}

pub(crate) fn finished(result: &ResultObject) {
    drop(json_line(&Finished {
        event: "finished",
        result,
    }));
}

/// One line of JSON on stdout.
pub(crate) fn json_line(value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    write_stdout(&line)
}
