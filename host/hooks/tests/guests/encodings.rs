//! Guests may have their strings in other encodings than the host has.

use std::fs;
use std::path::{Path, PathBuf};

use spawnhook_hooks::{Chain, HookEngine, HookSpec, OnFailure};
use spawnhook_model::{HookResult, SpawnContext, Stage};

use crate::support::{call, runtime, spawn};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/guests")
}

/// What comes of a command with a guest that has its strings in UTF-16 and whose realloc does this
/// when it is asked to shrink.
fn shrunk(shrink: &str, command: &str) -> HookResult {
    let text = fs::read_to_string(folder().join("utf16.wat")).unwrap();
    let text = text.replacen(
        "(param i32 i32 i32)",
        "(param i32) (param $old i32) (param i32)",
        1,
    );
    let text = text.replacen(
        "(global.get $free)\n",
        &format!("(if (local.get $old) (then {shrink}))\n      (global.get $free)\n"),
        1,
    );
    let component = wat::parse_str(text).unwrap();
    let spec = HookSpec {
        on_failure: OnFailure::Skip,
        ..HookSpec::new("shrinks", Stage::Guard, component)
    };
    let hook = HookEngine::new().unwrap().load(spec).unwrap();
    let spawn = SpawnContext {
        command: command.to_owned(),
        ..spawn()
    };
    let chain = Chain::new(vec![hook]).unwrap();
    let decision = runtime().block_on(chain.decide(&call(), spawn));
    decision.reports.into_iter().next().unwrap().result
}

/// Fewer units in UTF-16 than bytes in UTF-8.
const COMMAND: &str = "echo 'ä 世 🙂'";

#[test]
fn what_a_guest_shrinks_to_is_checked() {
    assert_eq!(
        shrunk("(return (local.get 0))", COMMAND),
        HookResult::Unchanged
    );
    for (outside, class) in [
        ("(return (i32.const 0x7ffffff0))", "bad-result"),
        ("(return (i32.const 4097))", "bad-result"),
        ("(unreachable)", "panicked"),
    ] {
        let HookResult::Skipped(failure) = shrunk(outside, COMMAND) else {
            panic!("{outside} is no place for a string");
        };
        assert_eq!(failure.class.name(), class, "{failure}");
    }
}

#[test]
fn a_text_that_has_the_size_that_was_asked_for_needs_no_shrinking() {
    assert_eq!(shrunk("(unreachable)", "echo hello"), HookResult::Unchanged);
}
