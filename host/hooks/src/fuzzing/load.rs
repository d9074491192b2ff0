use std::sync::LazyLock;

use arbitrary::{Result, Unstructured};
use spawnhook_model::{Failure, FailureClass, HookResult, Stage};

use super::guests::{
    ASKS, CONFIGURES, ENGINE, EXITS, GOOD, RECORDS, TRAPS, block_on, call, component, spawn,
};
use crate::{Chain, FileKind, Hook, HookSpec, ImportStatus, OnFailure};

static COMPONENTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let guests = [GOOD, RECORDS, CONFIGURES, EXITS, TRAPS, ASKS];
    guests.into_iter().map(component).collect()
});

/// A file of anything is refused in words that can be printed, or is a hook that ends within its
/// limits and harms no other. Files that do not start as WebAssembly does stand for a component
/// that was damaged.
pub fn load(bytes: &[u8]) {
    let file = match bytes.starts_with(b"\0asm") {
        true => bytes.to_vec(),
        false => match damaged(&mut Unstructured::new(bytes)) {
            Ok(file) => file,
            Err(_) => bytes.to_vec(),
        },
    };
    for stage in Stage::ALL {
        admit(stage, &file);
    }
}

fn damaged(bytes: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut file = bytes.choose(&COMPONENTS)?.clone();
    while !bytes.is_empty() {
        let at = bytes.choose_index(file.len())?;
        match bytes.int_in_range(0..=9)? {
            0 => file.truncate(at),
            1 => drop(file.remove(at)),
            2 => file.insert(at, bytes.arbitrary()?),
            3 => {
                let copied = file[at..file.len().min(at + 8)].to_vec();
                file.splice(at..at, copied);
            }
            _ => file[at] = bytes.arbitrary()?,
        }
        if file.is_empty() {
            break;
        }
    }
    Ok(file)
}

fn admit(stage: Stage, file: &[u8]) {
    let inspected = ENGINE.inspect(file);
    let spec = HookSpec {
        on_failure: OnFailure::Skip,
        ..HookSpec::new("fuzzed", stage, file.to_vec())
    };
    match ENGINE.load(spec) {
        Err(error) => {
            assert!(!error.fault.name().is_empty());
            assert_printable(&error.to_string());
        }
        Ok(hook) => {
            let inspected = inspected.expect("what loads is no broken component");
            assert_eq!(inspected.kind, FileKind::Component);
            let mut imports = inspected.imports.iter();
            assert!(imports.all(|import| import.status != ImportStatus::Refused));
            call_it(hook);
        }
    }
}

fn assert_printable(text: &str) {
    assert!(!text.contains(char::is_control), "{text:?}");
}

/// Calls the hook, where its stage is called so, with one behind it that must not notice.
fn call_it(hook: Hook) {
    if hook.stage() == Stage::Audit {
        return;
    }
    let behind = HookSpec::new("behind", hook.stage(), COMPONENTS[0].clone());
    let behind = ENGINE.load(behind).expect("it is well-behaved");
    let chain = Chain::new(vec![hook, behind]).expect("the names differ");
    let decision = block_on(chain.decide(&call(), spawn("a command")));
    match &decision.reports[0].result {
        HookResult::Skipped(failure) => assert_own_failure(failure),
        HookResult::Denied(text) | HookResult::Asked(text) => assert_printable(text),
        HookResult::Unchanged | HookResult::Changed | HookResult::NotCalled => {}
        HookResult::Failed(failure) => panic!("its failures are to be skipped: {failure}"),
    }
    if let Some(behind) = decision.reports.get(1) {
        assert_eq!(behind.result, HookResult::Unchanged);
    }
}

fn assert_own_failure(failure: &Failure) {
    assert_ne!(failure.class, FailureClass::Host, "{failure}");
    assert_printable(&failure.message);
}
