//! What hooks cost, beside what a spawn costs in the same run.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run fails")]

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use criterion::{Criterion, criterion_group, criterion_main};
use spawnhook::builtin::Builtins;
use spawnhook_hooks::{
    Allocation, Chain, EngineOptions, Hook, HookEngine, HookSpec, Placement, Rights, Verdict,
};
use spawnhook_model::{Call, Env, Origin, Session, SpawnContext, Stage};
use tokio::runtime::Runtime;

fn call() -> Arc<Call> {
    Arc::new(Call {
        id: "0123456789abcdef".into(),
        origin: Origin::Cli,
        requested: "npm test".into(),
        prefix: String::new(),
        workspace: "/".into(),
        timeout: None,
        started: SystemTime::UNIX_EPOCH,
        session: Session::default(),
    })
}

fn spawn(variables: usize) -> SpawnContext {
    SpawnContext {
        command: "npm test".into(),
        cwd: "/".into(),
        env: (0..variables)
            .map(|number| (format!("VARIABLE_{number}"), format!("value of {number}")))
            .collect::<Env>(),
    }
}

fn builtin(engine: &HookEngine, name: &str, settings: &str) -> Hook {
    let component = Builtins::Embedded.component(name).unwrap();
    let mut spec = HookSpec::new(name, Stage::Rewrite, component.into_owned());
    settings.clone_into(&mut spec.settings);
    spec.rights = Rights {
        see_env: vec!["*".into()],
        set_env: vec!["*".into()],
        command: true,
        ..Rights::default()
    };
    engine.load(spec).unwrap()
}

fn guard(engine: &HookEngine) -> Hook {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hooks/no-push.wat");
    let component = wat::parse_file(file).unwrap();
    engine
        .load(HookSpec::new("no-push", Stage::Guard, component))
        .unwrap()
}

fn decide(runtime: &Runtime, chain: &Chain, call: &Arc<Call>, spawn: &SpawnContext) {
    let decision = runtime.block_on(chain.decide(call, spawn.clone()));
    assert_eq!(decision.verdict, Verdict::Proceed);
}

fn hooks(criterion: &mut Criterion) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    let engine = HookEngine::with(EngineOptions {
        allocation: Allocation::Pooling,
        placement: Placement::InPlace,
        ..EngineOptions::default()
    })
    .unwrap();
    let call = call();
    let inject = || builtin(&engine, "env-inject", r#"{"set":{"MARK":"m"}}"#);
    let rewrite = || builtin(&engine, "command-rewrite", r#"{"prepend":["set -e"]}"#);

    let one = Chain::new(vec![inject()]).unwrap();
    for variables in [0, 40] {
        let spawn = spawn(variables);
        criterion.bench_function(&format!("one hook, {variables} variables"), |bencher| {
            bencher.iter(|| decide(&runtime, &one, &call, &spawn));
        });
    }
    let three = Chain::new(vec![rewrite(), inject(), guard(&engine)]).unwrap();
    let forty = spawn(40);
    criterion.bench_function("a chain of three, 40 variables", |bencher| {
        bencher.iter(|| decide(&runtime, &three, &call, &forty));
    });
    criterion.bench_function("the yardstick: sh -c true", |bencher| {
        bencher.iter(|| Command::new("sh").args(["-c", "true"]).status().unwrap());
    });
}

criterion_group!(benches, hooks);
criterion_main!(benches);
