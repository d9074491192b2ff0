use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use arbitrary::{Result, Unstructured};
use spawnhook_model::{Ending, HookReport, Stage};

use super::guests::{
    ASKS, DENIES, ENGINE, GOOD, RECORDS, TRAPS, block_on, call, component, spawn, with_code,
};
use crate::{
    AuditLog, Chain, Decision, ExitFacts, Hook, HookSpec, OnFailure, Recorded, Rights, Verdict,
};

/// Returns the context with the first byte of the command counted up.
const COUNTS: &str = "
      (i32.store8 (local.get $command)
        (i32.add (i32.load8_u (local.get $command)) (i32.const 1)))
      (i32.store8 (i32.const 0) (i32.const 0))
      (i32.store (i32.const 4) (local.get $command))
      (i32.store (i32.const 8) (local.get $command-length))
      (i32.store (i32.const 12) (local.get $cwd))
      (i32.store (i32.const 16) (local.get $cwd-length))
      (i32.store (i32.const 20) (local.get $env))
      (i32.store (i32.const 24) (local.get $env-length))
      (i32.const 0)";

/// What a hook does in whatever stage it is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Keeps,
    Counts,
    Denies,
    Asks,
    Traps,
    /// Can be loaded in stage audit alone.
    Records,
}

impl Kind {
    const ALL: [Self; 6] = [
        Self::Keeps,
        Self::Counts,
        Self::Denies,
        Self::Asks,
        Self::Traps,
        Self::Records,
    ];

    fn component(self) -> Vec<u8> {
        match self {
            Self::Keeps => component(GOOD),
            Self::Counts => component(&with_code(COUNTS)),
            Self::Denies => component(DENIES),
            Self::Asks => component(ASKS),
            Self::Traps => component(TRAPS),
            Self::Records => component(RECORDS),
        }
    }
}

/// A hook of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Modelled {
    stage: Stage,
    kind: Kind,
    skips: bool,
    /// Its place in the config, which names it.
    position: usize,
}

/// What a call comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Unchanged,
    Changed,
    Denied,
    Asked,
    Failed,
    Skipped,
}

impl Modelled {
    fn name(&self) -> String {
        format!("hook-{}", self.position)
    }

    fn effect(&self) -> Effect {
        match (self.kind, self.stage) {
            (Kind::Keeps, Stage::Rewrite | Stage::Guard) => Effect::Unchanged,
            (Kind::Records, Stage::Audit) => Effect::Unchanged,
            (Kind::Counts, Stage::Rewrite) => Effect::Changed,
            (Kind::Denies, Stage::Rewrite | Stage::Guard) => Effect::Denied,
            (Kind::Asks, Stage::Guard) => Effect::Asked,
            _ if self.skips => Effect::Skipped,
            _ => Effect::Failed,
        }
    }

    /// Compiling is the most of it, so hooks are kept.
    fn hook(&self) -> Hook {
        static HOOKS: LazyLock<Mutex<BTreeMap<Modelled, Hook>>> = LazyLock::new(Mutex::default);
        let mut hooks = HOOKS.lock().expect("no load panics");
        hooks.entry(*self).or_insert_with(|| self.load()).clone()
    }

    fn load(&self) -> Hook {
        let spec = HookSpec {
            rights: Rights {
                command: self.stage == Stage::Rewrite,
                ..Rights::default()
            },
            on_failure: match self.skips {
                true => OnFailure::Skip,
                false => OnFailure::Deny,
            },
            ..HookSpec::new(self.name(), self.stage, self.kind.component())
        };
        ENGINE.load(spec).expect("the stage offers what it imports")
    }
}

/// Hooks of any kind in any order, stage and policy do to a command what a small model says.
pub fn chain(bytes: &[u8]) {
    // Bytes that end early are a chain of none.
    if let Ok(hooks) = hooks(&mut Unstructured::new(bytes)) {
        check(hooks);
    }
}

fn hooks(bytes: &mut Unstructured<'_>) -> Result<Vec<Modelled>> {
    let mut hooks = Vec::new();
    for position in 0..bytes.int_in_range(0..=7)? {
        let kind = *bytes.choose(&Kind::ALL)?;
        let stage = match kind {
            Kind::Records => Stage::Audit,
            _ => *bytes.choose(&Stage::ALL)?,
        };
        let skips = bytes.arbitrary()?;
        hooks.push(Modelled {
            stage,
            kind,
            skips,
            position,
        });
    }
    Ok(hooks)
}

fn check(mut hooks: Vec<Modelled>) {
    let chain = Chain::new(hooks.iter().map(Modelled::hook).collect());
    let chain = chain.expect("each has a name of its own");
    hooks.sort_by_key(|hook| hook.stage);
    let (deciding, auditing): (Vec<_>, Vec<_>) = hooks
        .into_iter()
        .partition(|hook| hook.stage != Stage::Audit);
    let decision = block_on(chain.decide(&call(), spawn("a command")));
    assert_decided(&decision, &deciding);
    assert_recorded(&chain, decision, &auditing);
}

/// The hooks up to the first that ends the chain, that one included.
fn heard(hooks: &[Modelled]) -> &[Modelled] {
    let ends = |hook: &Modelled| matches!(hook.effect(), Effect::Denied | Effect::Failed);
    let heard = hooks
        .iter()
        .position(ends)
        .map_or(hooks.len(), |end| end + 1);
    &hooks[..heard]
}

fn assert_reports(reports: &[HookReport], hooks: &[Modelled]) {
    let found = reports
        .iter()
        .map(|report| (report.name.clone(), report.result.name().to_owned()));
    let effect = |hook: &Modelled| format!("{:?}", hook.effect()).to_lowercase();
    let expected = hooks.iter().map(|hook| (hook.name(), effect(hook)));
    assert!(found.eq(expected), "{hooks:?}\n{reports:?}");
}

fn assert_decided(decision: &Decision, hooks: &[Modelled]) {
    let heard = heard(hooks);
    assert_reports(&decision.reports, heard);
    let with = |effect| heard.iter().filter(move |hook| hook.effect() == effect);
    let counted = u8::try_from(with(Effect::Changed).count()).expect("there are few hooks");
    let expected = spawn(&format!("{} command", char::from(b'a' + counted)));
    assert_eq!(decision.spawn, expected);
    let asked: Vec<String> = with(Effect::Asked).map(Modelled::name).collect();
    let last = heard.last().map(|hook| (hook.effect(), hook.name()));
    match (&decision.verdict, last) {
        (Verdict::Denied { hook, .. }, Some((Effect::Denied, last))) => assert_eq!(*hook, last),
        (Verdict::Failed { hook, .. }, Some((Effect::Failed, last))) => assert_eq!(*hook, last),
        (verdict, Some((Effect::Denied | Effect::Failed, _))) => panic!("{verdict:?}"),
        (Verdict::Ask(questions), _) => {
            assert!(!asked.is_empty() && questions.iter().map(|(hook, _)| hook).eq(&asked));
        }
        (verdict, _) => assert!(*verdict == Verdict::Proceed && asked.is_empty()),
    }
}

/// Who appended, in order.
#[derive(Debug, Default)]
struct Appended(Mutex<Vec<String>>);

impl AuditLog for Appended {
    fn append(&self, hook: &str, _: &str) -> std::result::Result<(), String> {
        self.0
            .lock()
            .expect("no append panics")
            .push(hook.to_owned());
        Ok(())
    }
}

fn assert_recorded(chain: &Chain, decision: Decision, hooks: &[Modelled]) {
    let appended = Arc::new(Appended::default());
    let log: Arc<dyn AuditLog> = appended.clone();
    let spawn = Arc::new(decision.spawn);
    let recorded = block_on(chain.record_spawn(&call(), &spawn, &log));
    let heard = heard(hooks);
    let fails = heard
        .last()
        .is_some_and(|hook| hook.effect() == Effect::Failed);
    let reports = match &recorded {
        Recorded::Proceed { reports } if !fails => reports,
        Recorded::Failed { reports, .. } if fails => reports,
        other => panic!("{other:?}"),
    };
    assert_reports(reports, heard);
    block_on(chain.record_exit(&call(), &spawn, &exit(), &log));
    let recording = |hooks: &[Modelled]| {
        let recording = hooks.iter().filter(|hook| hook.kind == Kind::Records);
        recording.map(Modelled::name).collect::<Vec<_>>()
    };
    let expected = [recording(heard), recording(hooks)].concat();
    assert_eq!(*appended.0.lock().expect("no append panics"), expected);
}

fn exit() -> ExitFacts {
    ExitFacts {
        ending: Ending::Exited(0),
        duration: std::time::Duration::ZERO,
        output_bytes: None,
        output_lines: None,
        truncated: false,
        leftover_processes: 0,
    }
}
