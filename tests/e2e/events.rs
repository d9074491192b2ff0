use super::case::Machine;

#[test]
fn events_are_lines_that_end_with_the_object() {
    let machine = Machine::new();
    let lines = machine
        .case(["run", "--events", "--", "echo one; sleep 1; echo two"])
        .lines();
    let kinds: Vec<_> = lines
        .iter()
        .map(|line| line["event"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["started", "output", "output", "finished"]);
    assert_eq!(lines[0]["command"], "echo one; sleep 1; echo two");
    assert_eq!(lines[1]["text"], "one\n");
    assert_eq!(lines[2]["text"], "two\n");
    assert_eq!(lines[3]["result"]["output"], "one\ntwo\n");
    assert_eq!(lines[3]["result"]["id"], lines[0]["id"]);
}

#[test]
fn a_flood_of_output_is_bounded_in_every_event() {
    let machine = Machine::new();
    let lines = machine
        .case(["run", "--events", "--", "seq 400000"])
        .lines();
    let text_bytes = |line: &serde_json::Value| line["text"].as_str().map_or(0, str::len);
    assert!(lines.iter().all(|line| text_bytes(line) <= 51_200));
    let skipped = lines
        .iter()
        .filter_map(|line| line["skipped_bytes"].as_u64());
    let shown: usize = lines.iter().map(text_bytes).sum();
    assert_eq!(skipped.sum::<u64>() + shown as u64, 2_688_895);
}

#[test]
fn a_line_that_is_started_anew_after_it_was_told_is_one_more_line() {
    let machine = Machine::new();
    let lines = machine
        .case([
            "run",
            "--events",
            "--",
            r"printf 10%%; sleep 1; printf '\r20%%\n'",
        ])
        .lines();
    assert_eq!(lines[1]["text"], "10%");
    assert_eq!(lines[2]["text"], "\n20%\n");
    assert_eq!(lines[3]["result"]["output"], "20%\n");
}

/// The number of updates of a command, and the most that its time allows.
fn updates(machine: &Machine, command: &str) -> (usize, usize, String) {
    let lines = machine.case(["run", "--events", "--", command]).lines();
    let updates = lines.iter().filter(|line| line["event"] == "output");
    let finished = &lines.last().unwrap()["result"];
    let tenths = (finished["wall_time_seconds"].as_f64().unwrap() * 10.0).round();
    // Rounding, the first and the last.
    let most = tenths as usize + 3;
    let text = updates.clone().map(|line| line["text"].as_str().unwrap());
    (updates.clone().count(), most, text.collect())
}

#[test]
fn any_number_of_small_writes_makes_ten_updates_a_second_at_most() {
    let machine = Machine::new();
    let bytes = "python3 -c 'import os\nfor _ in range(100000): os.write(1, b\"x\")'";
    let (count, most, text) = updates(&machine, bytes);
    assert!(count <= most, "{count} updates, at most {most}");
    assert!(text.len() > 50_000 && text.bytes().all(|byte| byte == b'x'));
    let lines = "for i in {1..5000}; do echo $i; done";
    let (count, most, text) = updates(&machine, lines);
    assert!(count <= most, "{count} updates, at most {most}");
    assert!(text.ends_with("4999\n5000\n"));
}
