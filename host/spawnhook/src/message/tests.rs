use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use spawnhook_model::{Call, Failure, FailureClass, Origin, Session, Timeout};

use super::*;

fn outcome(text: &str, ending: Ending) -> Outcome {
    Outcome {
        call: Arc::new(Call {
            id: "id".into(),
            origin: Origin::Cli,
            requested: "command".into(),
            prefix: String::new(),
            workspace: "/".into(),
            timeout: None,
            started: SystemTime::UNIX_EPOCH,
            session: Session::default(),
        }),
        ending,
        command: "command".into(),
        cwd: "/".into(),
        env_removed: Vec::new(),
        output: Output {
            text: text.into(),
            ..Output::default()
        },
        hooks: Vec::new(),
        leftovers: Vec::new(),
        audit: None,
        notices: Vec::new(),
        took: Duration::ZERO,
    }
}

fn cut(by: Cut) -> Truncation {
    Truncation {
        by,
        total_lines: 3000,
        total_bytes: 13_893,
        shown_lines: 2000,
        shown_bytes: 9999,
        first_line: 1001,
        last_line_partial: false,
        last_line_bytes: 4,
        max_bytes: 51_200,
    }
}

#[test]
fn every_ending_has_its_words() {
    let timed_out = |shell| Ending::TimedOut {
        after: Timeout::from_seconds(1.5).unwrap(),
        shell,
    };
    let failure = Failure {
        class: FailureClass::CpuLimit,
        message: "used more than 50 ms of CPU".into(),
    };
    for (text, ending, expected) in [
        ("out\n", Ending::Exited(0), "out\n"),
        ("", Ending::Exited(0), "(no output)"),
        (" \r\n", Ending::Exited(0), "(no output)"),
        (
            "out\n",
            Ending::Exited(7),
            "out\n\n\nCommand exited with code 7",
        ),
        (
            "",
            Ending::Exited(7),
            "(no output)\n\nCommand exited with code 7",
        ),
        (
            "",
            Ending::Signaled(15),
            "(no output)\n\nCommand exited with code 143 (killed by signal 15, SIGTERM)",
        ),
        (
            "",
            Ending::Signaled(40),
            "(no output)\n\nCommand exited with code 168 (killed by signal 40)",
        ),
        ("", timed_out(None), "Command timed out after 1.5 seconds"),
        (
            "out",
            timed_out(Some(5)),
            "out\n\nCommand timed out after 1.5 seconds (the shell had exited with code 5; \
             background processes kept the call open)",
        ),
        ("", Ending::Cancelled { shell: None }, "Command aborted"),
        (
            "",
            Ending::Denied {
                hook: "guard".into(),
                reason: "no".into(),
            },
            "Command denied by hook `guard`: no",
        ),
        (
            "",
            Ending::HookFailed {
                hook: "guard".into(),
                failure,
            },
            "Command not run: hook `guard` failed: used more than 50 ms of CPU",
        ),
        ("", Ending::SpawnFailed("no shell".into()), "no shell"),
    ] {
        assert_eq!(message(&outcome(text, ending)), expected);
    }
}

#[test]
fn the_footer_says_what_is_shown_and_where_the_rest_is() {
    let partial = Truncation {
        last_line_partial: true,
        shown_bytes: 51_200,
        last_line_bytes: 1_000_000,
        ..cut(Cut::Bytes)
    };
    let file = Some(PathBuf::from("/tmp/f.log"));
    for (truncation, full_output, expected) in [
        (
            cut(Cut::Lines),
            file.clone(),
            "[Showing lines 1001-3000 of 3000. Full output: /tmp/f.log]",
        ),
        (
            cut(Cut::Bytes),
            file.clone(),
            "[Showing lines 1001-3000 of 3000 (50.0KB limit). Full output: /tmp/f.log]",
        ),
        (
            partial,
            file,
            "[Showing last 50.0KB of line 3000 (line is 976.6KB). Full output: /tmp/f.log]",
        ),
        (
            cut(Cut::Lines),
            None,
            "[Showing lines 1001-3000 of 3000. The full output was not kept]",
        ),
    ] {
        let mut outcome = outcome("tail", Ending::Exited(1));
        outcome.output.truncation = Some(truncation);
        outcome.output.full_output = full_output;
        assert_eq!(
            message(&outcome),
            format!("tail\n\n{expected}\n\nCommand exited with code 1")
        );
    }
}

#[test]
fn notices_stand_between_output_and_ending() {
    let mut outcome = outcome("out", Ending::Exited(1));
    outcome.notices = vec!["first".into(), "second".into()];
    assert_eq!(
        message(&outcome),
        "out\n\n[first]\n\n[second]\n\nCommand exited with code 1"
    );
}

#[test]
fn sizes_have_the_units_of_the_contract() {
    for (bytes, text) in [
        (0, "0B"),
        (1023, "1023B"),
        (1024, "1.0KB"),
        (51_200, "50.0KB"),
        (1_000_000, "976.6KB"),
        (1 << 20, "1.0MB"),
    ] {
        assert_eq!(size(bytes), text);
    }
}
