use proptest::prelude::*;

use super::*;

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[ -~é\n🦀]{0,12}", 2..7)
}

/// A log, and two different positions in it, the lower one first.
fn log_with_two() -> impl Strategy<Value = (Vec<String>, usize, usize)> {
    (
        texts(),
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
    )
        .prop_map(|(texts, one, other)| {
            let lower = one.index(texts.len() - 1);
            let upper = lower + 1 + other.index(texts.len() - 1 - lower);
            (log(&texts, 1), lower, upper)
        })
}

/// Numbers at the ends of what there are, and between.
fn extreme() -> impl Strategy<Value = u64> {
    prop_oneof![0..4_u64, u64::MAX - 3..=u64::MAX, any::<u64>()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_byte_that_is_another_is_found_in_its_line(texts in texts(), flip in 1..=255_u8) {
        let lines = log(&texts, 1);
        let head = head(&lines);
        let content = lines.concat().into_bytes();
        let mut line = 1;
        for position in 0..content.len() {
            let mut flipped = content.clone();
            flipped[position] ^= flip;
            prop_assert_eq!(line_of(check_from(&flipped, None, Some(&head))), Some(line), "byte {}", position);
            if line < lines.len() as u64 {
                prop_assert_eq!(line_of(check_from(&flipped, None, None)), Some(line), "byte {}", position);
            }
            line += u64::from(content[position] == b'\n');
        }
    }

    #[test]
    fn any_byte_is_found_where_older_records_were_removed(texts in texts(), first in 2..2000_u64, flip in 1..=255_u8) {
        let lines = log(&texts, first);
        let head = head(&lines);
        let content = lines.concat().into_bytes();
        let mut line = first;
        for position in 0..content.len() {
            let mut flipped = content.clone();
            flipped[position] ^= flip;
            let found = line_of(check_from(&flipped, Some(first), Some(&head)));
            // What number the first line has, nothing but the line itself tells.
            let is_right = found == Some(line) || line == first && found.is_some_and(|found| found < first);
            prop_assert!(is_right, "byte {}: {:?}", position, found);
            line += u64::from(content[position] == b'\n');
        }
    }

    #[test]
    fn whatever_numbers_stand_in_a_log_there_is_a_verdict(
        numbers in prop::collection::vec((extreme(), prop::sample::select(vec!["", "0", "1"]), any::<bool>()), 0..6),
        oldest in prop::option::of(extreme()),
        head in prop::option::of(extreme()),
    ) {
        let head = head.map(|seq| AuditHead { seq, hash: "1".into() });
        let mut chain = Chain::new(head, oldest);
        for (seq, prev, is_record) in numbers {
            let prev = if prev.is_empty() { GENESIS } else { prev };
            let torn = format!("{{\"seq\":{}", chain.next());
            let link = Link {
                text: torn.as_bytes(),
                hash: "1",
                record: is_record.then_some((seq, prev)),
            };
            if chain.push(link).is_err() {
                return Ok(());
            }
        }
        drop(chain.finish());
    }

    #[test]
    fn lines_that_changed_places_are_found_at_the_first((mut lines, lower, upper) in log_with_two()) {
        lines.swap(lower, upper);
        prop_assert_eq!(line_of(check(&lines, None)), Some(lower as u64 + 1));
    }

    #[test]
    fn a_line_that_was_moved_is_found_where_it_first_matters((mut lines, lower, upper) in log_with_two(), down: bool) {
        let (from, to) = if down { (lower, upper) } else { (upper, lower) };
        let line = lines.remove(from);
        lines.insert(to, line);
        prop_assert_eq!(line_of(check(&lines, None)), Some(lower as u64 + 1));
    }

    #[test]
    fn lines_that_were_removed_are_named((mut lines, lower, upper) in log_with_two()) {
        let head = head(&lines);
        lines.drain(lower..upper);
        let (from, to) = (lower as u64 + 1, upper as u64);
        let found = check(&lines, None);
        prop_assert_eq!(found, Err(Fault { line: from, problem: Problem::Missing { from, to } }));
        prop_assert_eq!(line_of(check(&lines, Some(&head))), Some(from));
    }

    #[test]
    fn a_log_that_was_cut_is_found_by_its_head((mut lines, lower, _) in log_with_two(), all: bool) {
        let head = head(&lines);
        lines.truncate(if all { 0 } else { lower + 1 });
        prop_assert!(check(&lines, None).is_ok());
        let line = lines.len() as u64 + 1;
        let problem = Problem::Cut { head: head.seq };
        prop_assert_eq!(check(&lines, Some(&head)), Err(Fault { line, problem }));
    }

    #[test]
    fn a_copy_is_found_where_it_stands((mut lines, lower, upper) in log_with_two()) {
        lines.insert(upper, lines[lower].clone());
        let (line, problem) = (upper as u64 + 1, Problem::Moved(lower as u64 + 1));
        prop_assert_eq!(check(&lines, None), Err(Fault { line, problem }));
    }

    #[test]
    fn lines_that_were_forged_to_fit_are_found_at_the_first((mut lines, lower, _) in log_with_two(), texts in texts()) {
        let prev = lower.checked_sub(1).map_or(GENESIS.to_owned(), |before| sha256_hex(lines[before].trim_end()));
        let forged = chain_on(&texts, lower as u64 + 1, prev);
        lines.splice(lower..lower, forged);
        prop_assert_eq!(line_of(check(&lines, None)), Some(lower as u64 + 1));
    }

    #[test]
    fn a_line_that_was_torn_anywhere_is_no_tampering(texts in texts(), at: prop::sample::Index, nul in 0..3_usize, after: bool) {
        let mut lines = log(&texts, 1);
        let count = lines.len() as u64;
        let mut content = lines.pop().unwrap().into_bytes();
        content.truncate(at.index(content.len() - 2) + 1);
        content.extend(vec![0; nul]);
        let torn = content.clone();
        let mut content = [lines.concat().into_bytes(), content].concat();
        if after {
            let next = chain_on(&["next".into()], count + 1, sha256_hex(&torn));
            content.push(b'\n');
            content.extend(next.concat().bytes());
        }
        let whole = check_from(&content, None, None);
        let whole = whole.map_err(|fault| TestCaseError::fail(format!("{fault:?}")))?;
        prop_assert_eq!((whole.torn, whole.ends_torn), (1, !after));
    }
}
