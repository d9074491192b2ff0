use spawnhook_model::{Chunk, Stream};
use tokio::sync::mpsc;

use super::harness::*;
use crate::{Backend, Canceller, Spawn, Streams, Wires};

/// What a command writes to each of its streams.
async fn streams_of(command: &str) -> [String; 3] {
    let spawn = Spawn {
        streams: Streams::Separate,
        ..spawn(command)
    };
    let (output, mut chunks) = mpsc::channel::<Chunk>(2);
    let (_canceller, cancel) = Canceller::new();
    let mut bytes = [const { Vec::new() }; 3];
    let read = async {
        while let Some(chunk) = chunks.recv().await {
            let at = [Stream::Merged, Stream::Stdout, Stream::Stderr];
            let at = at.iter().position(|stream| *stream == chunk.stream());
            bytes[at.unwrap()].extend_from_slice(&chunk);
        }
    };
    let backend = backend();
    let (ran, ()) = tokio::join!(backend.run(spawn, Wires { output, cancel }), read);
    assert_eq!(ran.unwrap().notices, [] as [String; 0]);
    bytes.map(|bytes| String::from_utf8(bytes).unwrap())
}

#[tokio::test]
async fn separate_streams_come_apart_and_whole() {
    let [merged, stdout, stderr] = streams_of("seq 200000; seq 300000 >&2; echo end").await;
    assert_eq!(merged, "");
    let seq = |end: u32| {
        (1..=end)
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    assert!(stdout == seq(200_000) + "end\n");
    assert!(stderr == seq(300_000));
}

#[tokio::test]
async fn a_stream_that_is_closed_early_costs_the_other_nothing() {
    let [_, stdout, stderr] = streams_of("exec 1>&-; sleep 0.2; echo late >&2").await;
    assert_eq!((&*stdout, &*stderr), ("", "late\n"));
}

#[tokio::test]
async fn one_stream_that_floods_does_not_starve_the_other() {
    let command = "(yes | head -c 30000000) & echo here >&2; wait";
    let [_, stdout, stderr] = streams_of(command).await;
    assert_eq!((stdout.len(), &*stderr), (30_000_000, "here\n"));
}
