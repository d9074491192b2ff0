//! Components for targets, and what a call of one takes.

use std::sync::{Arc, LazyLock};
use std::time::UNIX_EPOCH;

use spawnhook_model::{Call, Env, Origin, Session, SpawnContext};

use crate::HookEngine;

/// One engine for all inputs, as one serves all commands.
pub(super) static ENGINE: LazyLock<HookEngine> =
    LazyLock::new(|| HookEngine::new().expect("there is an engine for this machine"));

thread_local! {
    static RUNTIME: tokio::runtime::Runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("the system has what a runtime needs");
}

pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    RUNTIME.with(|runtime| runtime.block_on(future))
}

/// Guests of the tests by their names.
macro_rules! guest {
    ($name:literal) => {
        include_str!(concat!("../../../../tests/guests/", $name, ".wat"))
    };
}

pub(super) const GOOD: &str = guest!("good");
pub(super) const DENIES: &str = guest!("rewrite-denies");
pub(super) const ASKS: &str = guest!("guard-asks");
pub(super) const TRAPS: &str = guest!("divides-by-zero");
pub(super) const RECORDS: &str = guest!("audit-records");
pub(super) const CONFIGURES: &str = guest!("configure-finds-problems");
pub(super) const EXITS: &str = guest!("exits");

pub(super) fn component(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("the guests are components")
}

/// The guest `good` with other code than its own in the place of what it does and of its
/// result, and with a memory of four pages of which it hands out the last two.
pub(super) fn with_code(code: &str) -> String {
    let (head, rest) = split(GOOD, "      ;; ok(the context as it came)\n");
    let (_, tail) = split(rest, "      (i32.const 0))\n");
    let head = head
        .replace("\"memory\") 1)", "\"memory\") 4)")
        .replace("(i32.const 4096)", "(i32.const 131072)");
    format!("{head}{code})\n{tail}")
}

fn split<'a>(text: &'a str, mark: &str) -> (&'a str, &'a str) {
    text.split_once(mark)
        .expect("the guest `good` has this part")
}

pub(super) fn call() -> Arc<Call> {
    Arc::new(Call {
        id: "call-1".to_owned(),
        origin: Origin::Rpc,
        requested: "a command".to_owned(),
        prefix: String::new(),
        workspace: "/project".into(),
        timeout: None,
        started: UNIX_EPOCH,
        session: Session::default(),
    })
}

pub(super) fn spawn(command: &str) -> SpawnContext {
    SpawnContext {
        command: command.to_owned(),
        cwd: "/project".into(),
        env: Env::from_iter([("A", "1"), ("B", "two")]),
    }
}
