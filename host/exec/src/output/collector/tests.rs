use std::fs;

use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};
use proptest::prelude::*;
use spawnhook_model::Cut;
use tempfile::TempDir;

use super::*;
use crate::output::{DEFAULT_SPILL_QUOTA, truncate_tail};

fn spill(directory: &TempDir) -> Option<SpillOptions> {
    Some(SpillOptions {
        directory: directory.path().to_owned(),
        quota_bytes: DEFAULT_SPILL_QUOTA,
    })
}

/// What is collected of bytes in pieces of one length, and the bytes of the full-output file.
fn collect(limits: OutputLimits, bytes: &[u8], piece: usize) -> (Output, Option<Vec<u8>>) {
    let directory = TempDir::new().unwrap();
    let mut collector = Collector::new(limits, spill(&directory));
    for piece in bytes.chunks(piece) {
        collector.write(Stream::Merged, piece);
    }
    let (output, notices) = collector.finish();
    assert_eq!(notices, [] as [String; 0]);
    let full = output
        .full_output
        .as_ref()
        .map(|path| fs::read(path).unwrap());
    let files = fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(files, usize::from(full.is_some()));
    (output, full)
}

#[test]
fn a_small_output_comes_as_it_is_and_without_a_file() {
    let (output, full) = collect(OutputLimits::default(), b"a\x1b[1mb\r\n", 3);
    let expected = Output {
        text: "ab\n".to_owned(),
        truncation: None,
        full_output: None,
        raw_bytes: 8,
        lines: 1,
        streams: None,
    };
    assert_eq!((output, full), (expected, None));
}

#[test]
fn raw_text_has_its_control_characters_and_counts_them() {
    let limits = OutputLimits {
        max_lines: 10,
        max_bytes: 6,
    };
    let mut collector = Collector::new(limits, None).with_policy(Text::Raw);
    collector.write(Stream::Merged, b"old\r\n\x1b[1ma\rb");
    let (output, _) = collector.finish();
    assert_eq!(output.text, "[1ma\rb");
    assert_eq!(output.truncation.unwrap().total_bytes, 12);
}

#[test]
fn a_character_split_over_two_writes_is_whole() {
    let (output, _) = collect(OutputLimits::default(), "世界".as_bytes(), 4);
    assert_eq!(output.text, "世界");
}

#[test]
fn random_bytes_become_bounded_text_and_a_file_of_the_same_bytes() {
    let bytes: Vec<u8> = std::iter::successors(Some(0x9e37_79b9_7f4a_7c15_u64), |state| {
        Some(state ^ (state << 13) ^ ((state ^ (state << 13)) >> 7))
            .map(|state| state ^ (state << 17))
    })
    .map(|state| (state >> 32) as u8)
    .take(60_000)
    .collect();
    let (output, full) = collect(OutputLimits::default(), &bytes, 4096);
    assert!(output.text.len() <= 51_200);
    assert_eq!(output.truncation.unwrap().by, Cut::Bytes);
    assert_eq!(output.raw_bytes, 60_000);
    assert!(full.unwrap() == bytes);
}

#[test]
fn an_output_over_the_limit_of_lines_alone_is_kept_in_full() {
    let numbers: String = (1..=3000).map(|number| format!("{number}\n")).collect();
    let (output, full) = collect(OutputLimits::default(), numbers.as_bytes(), 1000);
    assert_eq!(output.truncation.unwrap().by, Cut::Lines);
    assert_eq!(full.unwrap(), numbers.as_bytes());
}

#[test]
fn a_file_is_kept_if_only_the_raw_bytes_are_over_the_limit() {
    let bytes = b"\x1b[1m".repeat(20_000);
    let (output, full) = collect(OutputLimits::default(), &bytes, 4096);
    assert_eq!((&*output.text, output.truncation), ("", None));
    assert!(full.unwrap() == bytes);
}

#[test]
fn a_file_is_kept_if_only_the_clean_text_is_over_the_limit() {
    let bytes = b"\xff".repeat(20_000);
    let (output, full) = collect(OutputLimits::default(), &bytes, 4096);
    assert!(output.truncation.is_some());
    assert!(full.unwrap() == bytes);
}

#[test]
fn the_end_can_be_what_makes_it_too_much() {
    let limits = OutputLimits {
        max_lines: 1,
        max_bytes: 100,
    };
    let (output, full) = collect(limits, b"a\n\xe2", 100);
    assert_eq!(output.text, "\u{fffd}");
    assert_eq!(full.unwrap(), b"a\n\xe2");
}

#[test]
fn a_progress_bar_of_any_length_is_one_line() {
    let mut bytes = b"start\n".to_vec();
    for step in 0..100_000 {
        bytes.extend(format!("\r{step} done").bytes());
    }
    let (output, full) = collect(OutputLimits::default(), &bytes, 1000);
    assert_eq!((&*output.text, output.lines), ("start\n99999 done", 2));
    assert!(full.unwrap() == bytes);
}

#[test]
fn a_failing_file_costs_nothing_but_the_file() {
    let limits = OutputLimits {
        max_lines: 10,
        max_bytes: 10,
    };
    let directory = "/no/such/directory".into();
    let mut collector = Collector::new(
        limits,
        Some(SpillOptions {
            directory,
            quota_bytes: 1,
        }),
    );
    for _ in 0..3 {
        collector.write(Stream::Merged, b"0123456789\n");
    }
    let (output, notices) = collector.finish();
    assert_eq!((&*output.text, output.full_output), ("0123456789", None));
    assert_eq!(notices.len(), 1);
}

#[test]
fn a_snapshot_shows_what_there_is_so_far() {
    let directory = TempDir::new().unwrap();
    let limits = OutputLimits {
        max_lines: 2,
        max_bytes: 100,
    };
    let mut collector = Collector::new(limits, spill(&directory));
    assert_eq!(collector.snapshot(), Output::default());
    collector.write(Stream::Merged, b"a\nb\n");
    assert_eq!(collector.snapshot().text, "a\nb\n");
    collector.write(Stream::Merged, b"c");
    let snapshot = collector.snapshot();
    assert_eq!(snapshot.text, "b\nc");
    assert_eq!(fs::read(snapshot.full_output.unwrap()).unwrap(), b"a\nb\nc");
}

proptest! {
    #[test]
    fn an_output_is_the_tail_of_its_clean_text_and_has_a_file_if_cut(
        bytes in prop::collection::vec(prop::sample::select(&b"ab\n\r\x1b[m\xe4\xb8\x96\xff"[..]), 0..120),
        piece in 1_usize..20,
        (max_lines, max_bytes) in (1_usize..5, 1_usize..40),
    ) {
        let limits = OutputLimits { max_lines, max_bytes };
        let (output, full) = collect(limits, &bytes, piece);
        let (mut cleaner, mut text) = (Cleaner::new(), String::new());
        cleaner.push(&bytes, &mut text);
        cleaner.finish(&mut text);
        let tail = truncate_tail(&text, limits);
        prop_assert_eq!(output.text, tail.text);
        prop_assert_eq!(output.lines, tail.lines);
        prop_assert!(tail.truncation.is_none() || full.is_some());
        prop_assert_eq!(output.truncation, tail.truncation);
        prop_assert_eq!(output.raw_bytes, bytes.len() as u64);
        prop_assert!(full.is_none_or(|full| full == bytes));
    }
}

#[test]
fn the_work_grows_with_the_number_of_writes_and_no_faster() {
    let cpu_micros = || {
        let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap();
        time.num_microseconds()
    };
    let took = |writes: usize| {
        let mut collector = Collector::new(OutputLimits::default(), None);
        let start = cpu_micros();
        for number in 0..writes {
            let byte = if number % 80 == 79 { b"\n" } else { b"x" };
            collector.write(Stream::Merged, byte);
        }
        cpu_micros() - start
    };
    let least = |writes| (0..5).map(|_| took(writes)).min().unwrap();
    // Work that grows with the square would take 64 times as long.
    let (few, many) = (least(100_000), least(800_000));
    assert!(many < few * 32, "{few} µs and {many} µs");
}
